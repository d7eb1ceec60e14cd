import Recordings
import ReducerKit

// How a run that goes on stands, for whoever looks on. Looked up at each batch of actions: nothing
// here costs more where more recordings or folders are known.

extension JobStore.State {
    /// So many recordings are looked at, where a few of a kind are wanted.
    private static let glance = 64

    /// Whether all folders were looked at, so that what is there is known.
    ///
    /// What is waited for does not count: that may take minutes.
    package var hasLookedAround: Bool {
        scan.hasBegun && scan.inFlight == nil && scan.pending.isEmpty
    }

    /// Recordings that may be worked on and have not begun.
    package var queued: Int {
        max(0, summary.recordings - summary.settled - scheduler.running - commit.count)
    }

    /// Recordings that are being worked on, or that wait to be safe.
    package var underway: Int { scheduler.running + commit.count }

    /// The paths of some recordings that are being processed, relative to the root: the oldest, and
    /// so those that take long.
    package func someUnderway(_ limit: Int) -> [Pathname] {
        oldest.filter(\.isActive).prefix(limit).map { $0.context.value.folder.appending($0.name) }
    }

    /// The first jobs that are kept, among them the first that is not settled.
    private var oldest: some Sequence<Job.State> {
        jobs.ids.prefix(JobStore.State.glance).lazy.map { jobs[$0] }
    }

    /// How long the oldest unfinished recording has waited; `nil` where all are done.
    ///
    /// It is queued, being processed or being committed. Folders that are still to be listed are
    /// not included: `scan.pending` counts them.
    package var behindSeconds: Double? {
        guard queued + underway > 0 else { return nil }
        return oldest.first { $0.phase != .settled }.flatMap {
            watch?.incomplete[$0.folder, $0.name]
        }
        .map { max(0, pace.nowSeconds - $0.sinceSeconds) }
    }

    /// Some of the recordings that are waited for, with their paths relative to the root, ascending
    /// where there are few.
    package func someAwaited(_ limit: Int) -> [(path: Pathname, file: PendingFile)] {
        guard let incomplete = watch?.incomplete, incomplete.count > 0 else { return [] }
        let some = incomplete.some(JobStore.State.glance).filter {
            !$0.file.isTried && scan.folders.contains($0.folder)
        }
        return some.map { (scan.folders[$0.folder].path.appending($0.name), $0.file) }
            .sorted { $0.0 < $1.0 }.prefix(limit).map { $0 }
    }
}
