import Jobs
import Recordings
import ReducerKit

extension Reducer<JobStore.State, JobStore.Action, JobStore.Command> {
    /// It does not hear of files that were closed after writing, or moved in.
    var forgettingWhatWasWritten: Reducer {
        Reducer { state, action, order in
            guard case .scan(.noticed(let notices)) = action else {
                return self(&state, action, order)
            }
            self(&state, .scan(.noticed(notices.filter { $0.kind != .written })), order)
        }
    }

    /// It does not hear that more happened than could be told.
    var ignoringOverflows: Reducer {
        Reducer { state, action, order in
            if case .scan(.overflowed) = action { return }
            self(&state, action, order)
        }
    }

    /// It believes to have in mind what was made of every recording that it has seen before.
    var believingToKnow: Reducer {
        Reducer { state, action, order in
            self(&state, action) { command in
                guard case .scan(.list(let id, var request)) = command else {
                    return order(command)
                }
                request.isKnown = !request.isFirst
                order(.scan(.list(id, request)))
            }
        }
    }

    /// It takes what was made of a recording for what would be made of it as it is now.
    var keepingStaleResults: Reducer {
        Reducer { state, action, order in
            guard case .scan(.listed(let id, var listing)) = action else {
                return self(&state, action, order)
            }
            for index in listing.recordings.indices {
                guard case .file(let stamp) = listing.recordings[index].finding else { continue }
                listing.recordings[index].previous?.entry.source = stamp
            }
            self(&state, .scan(.listed(id, listing)), order)
        }
    }
}
