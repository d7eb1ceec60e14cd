import Jobs
import Recordings
import ReducerKit

/// Keeps its own books of a watched run, from its actions and commands alone: in such a run the
/// same folder is listed, and the same recording worked on, again and again.
struct WatchLedger {
    typealias Place = SimulatedDisk.Place

    private let jobLimit: Int
    /// Commands that wait for their answer.
    private(set) var pending: [Due: JobStore.Command] = [:]
    private var isStopping = false
    private var finishes = 0
    /// Who is being worked on.
    private var busy: [RecordingID: Place] = [:]
    /// When each folder's manifest was last ordered.
    private var manifestSeconds: [Pathname: Double] = [:]

    init(_ configuration: JobStore.Configuration) { jobLimit = configuration.jobLimit }

    /// Takes in an action with its commands; the first thing that is wrong with them.
    mutating func violation(
        after action: JobStore.Action, _ commands: [JobStore.Command], _ state: JobStore.State
    ) -> String? {
        if finishes > 0, !commands.isEmpty { return "something was ordered after the end" }
        switch state.phase {
        case .stopping, .closing, .finished: isStopping = true
        case .running: break
        }
        if let answered = action.answered {
            pending[answered] = nil
            if case .work(let id) = answered { busy[id] = nil }
        }
        for command in commands {
            if let sentence = violation(of: command, state) { return sentence }
            if let due = command.due, pending.updateValue(command, forKey: due) != nil {
                return "\(due) was ordered again before its answer"
            }
        }
        if busy.count > jobLimit { return "\(busy.count) recordings are worked on at once" }
        let dues = pending.keys
        let listing = dues.count { if case .listing = $0 { true } else { false } }
        if listing > 1 { return "\(listing) folders are listed at once" }
        if finishes > 0, !pending.isEmpty { return "the run has ended before its last answer" }
        if (finishes > 0) != state.isFinished { return "finishing and being finished are apart" }
        return nil
    }

    private mutating func violation(
        of command: JobStore.Command, _ state: JobStore.State
    ) -> String? {
        switch command {
        case .scan(.list): isStopping ? "a listing was ordered though the run is stopping" : nil
        case .job(let id, .listen(let order)): violation(ofWork: id, on: order.source)
        case .job(let id, .trim(let order)): violation(ofWork: id, on: order.source)
        case .job(let id, .identify(let source)): violation(ofWork: id, on: source)
        case .job(let id, .adopt(let order)): violation(ofWork: id, on: order.source)
        case .writeManifest(_, let order): violation(of: order, state)
        case .finish:
            {
                finishes += 1
                return finishes > 1 ? "the run finishes twice" : nil
            }()
        default: nil
        }
    }

    private mutating func violation(
        ofWork id: RecordingID, on source: RecordingSource
    ) -> String? {
        if isStopping { return "work was begun though the run is stopping" }
        let place = Place(folder: source.folder, name: source.name)
        if busy.contains(where: { $0.key != id && $0.value == place }) {
            return "\(source.name) is worked on twice at once"
        }
        busy[id] = place
        return nil
    }

    private mutating func violation(
        of order: ManifestOrder, _ state: JobStore.State
    ) -> String? {
        let isUnderway = pending.values.contains {
            if case .writeManifest(_, let other) = $0 {
                other.folder == order.folder
            } else {
                false
            }
        }
        if isUnderway { return "the manifest of \"\(order.folder)\" is written twice at once" }
        let now = state.pace.nowSeconds
        let last = manifestSeconds.updateValue(now, forKey: order.folder)
        if !isStopping, let last, now - last < 1 {
            return "the manifest of \"\(order.folder)\" is written again after \(now - last) s"
        }
        return nil
    }
}
