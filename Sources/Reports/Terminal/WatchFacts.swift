import Jobs
import Recordings
import ReducerKit

/// What the view of a run that goes on shows, taken out of the state: a small value, at a cost that
/// does not grow with what is known.
package struct WatchFacts: Equatable, Sendable {
    /// A recording that nothing has become of yet.
    package struct Pending: Equatable, Sendable {
        package enum Standing: Equatable, Sendable {
            case workedOn
            /// It is not complete, and has been like this for so long; there is a failure once it
            /// was tried.
            case awaited(RecordingFailure?, seconds: Int)
        }

        /// Relative to the root.
        package var path: Pathname
        package var standing: Standing
    }

    /// So many recordings are named at most.
    package static let mostPending = 4

    /// Whether everything that was there at the start is known.
    package var hasBegun: Bool
    /// Whether it is coming to its end, or has: where nothing is left to do that is one moment.
    package var isStopping: Bool
    package var folders: Int
    /// Folders that are about to be listed.
    package var foldersToList: Int
    /// Recordings that are not complete.
    package var awaited: Int
    /// Recordings that are complete, and whose turn has not come.
    package var queued: Int
    package var underway: Int
    package var done: Int
    package var failed: Int
    /// As `JobStore.State.behindSeconds`, in whole seconds.
    package var behindSeconds: Int?
    package var pending: [Pending]
    /// As the run was told it.
    package var nowSeconds: Double

    package init(_ state: JobStore.State) {
        hasBegun = state.hasLookedAround
        isStopping =
            switch state.phase {
            case .stopping, .closing, .finished: true
            case .running: false
            }
        folders = state.scan.folders.count
        foldersToList = state.scan.pending.count + (state.scan.inFlight == nil ? 0 : 1)
        awaited = state.watch?.incomplete.count ?? 0
        queued = state.queued
        underway = state.underway
        done = state.summary.done
        failed = state.summary.failed
        behindSeconds = state.behindSeconds.map { Int($0.rounded()) }
        nowSeconds = state.pace.nowSeconds
        let now = nowSeconds
        pending = state.someUnderway(WatchFacts.mostPending).map {
            Pending(path: $0, standing: .workedOn)
        }
        guard pending.count < WatchFacts.mostPending else { return }
        pending += state.someAwaited(WatchFacts.mostPending - pending.count).map { path, file in
            let seconds = Int(max(0, now - file.sinceSeconds).rounded())
            return Pending(path: path, standing: .awaited(file.failure, seconds: seconds))
        }
    }

    /// Whether nothing is left to do or to wait for.
    package var isIdle: Bool {
        hasBegun && !isStopping && foldersToList + awaited + queued + underway == 0
    }
}
