import Jobs
import Recordings
import ReducerKit

/// What the `watch` view shows: a small value derived from the state, at a cost independent of
/// the number of known recordings.
package struct WatchFacts: Equatable, Sendable {
    /// A recording that is not finished.
    package struct Pending: Equatable, Sendable {
        package enum Standing: Equatable, Sendable {
            case workedOn
            case queued
            /// Incomplete, and unchanged for so many seconds; with the failure if it was tried.
            case awaited(RecordingFailure?, seconds: Int)
        }

        /// Relative to the root.
        package var path: Pathname
        package var standing: Standing
    }

    /// The maximum number of pending recordings shown.
    package static let mostPending = 4

    /// Whether the initial scan is complete.
    package var hasBegun: Bool
    /// Whether the run is stopping or has stopped; without work left, both happen at once.
    package var isStopping: Bool
    package var folders: Int
    /// Folders waiting to be listed.
    package var foldersToList: Int
    /// Incomplete recordings.
    package var awaited: Int
    /// Complete recordings waiting to be processed.
    package var queued: Int
    package var underway: Int
    package var done: Int
    package var failed: Int
    /// `JobStore.State.behindSeconds` in whole seconds.
    package var behindSeconds: Int?
    package var pending: [Pending]
    /// The time of the run's last tick.
    package var nowSeconds: Double

    /// - Parameters:
    ///   - most: the number of pending recordings, at most.
    ///   - listsQueued: whether those are among them that have not begun, or are being committed.
    package init(
        _ state: JobStore.State, most: Int = WatchFacts.mostPending, listsQueued: Bool = false
    ) {
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
        pending =
            listsQueued
            ? state.someUnsettled(most).map {
                Pending(path: $0.path, standing: $0.isWaiting ? .queued : .workedOn)
            }
            : state.someUnderway(most).map { Pending(path: $0, standing: .workedOn) }
        guard pending.count < most else { return }
        pending += state.someAwaited(most - pending.count).map { path, file in
            let seconds = Int(max(0, now - file.sinceSeconds).rounded())
            return Pending(path: path, standing: .awaited(file.failure, seconds: seconds))
        }
    }

    /// Whether there is no work left and nothing awaited.
    package var isIdle: Bool {
        hasBegun && !isStopping && foldersToList + awaited + queued + underway == 0
    }
}
