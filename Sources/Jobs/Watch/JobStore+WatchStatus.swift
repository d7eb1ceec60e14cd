import Recordings
import ReducerKit

// Progress of a watch. Queried after each batch of actions, so nothing here costs more with more
// recordings or folders.

extension JobStore.State {
    /// Maximum number of recordings examined to find a few of a kind.
    private static let glance = 64

    /// Whether every folder was listed, so that the recordings in them are known.
    ///
    /// Incomplete recordings are not waited for: that may take minutes.
    package var hasLookedAround: Bool {
        scan.hasBegun && scan.inFlight == nil && scan.pending.isEmpty
    }

    /// Recordings that are queued and have not begun.
    package var queued: Int {
        max(0, summary.recordings - summary.settled - scheduler.running - commit.count)
    }

    /// Recordings that are being processed or committed.
    package var underway: Int { scheduler.running + commit.count }

    /// The paths of some recordings that are being processed, relative to the root: the oldest, and
    /// so those that take long.
    package func someUnderway(_ limit: Int) -> [Pathname] {
        oldest.filter(\.isActive).prefix(limit).map { $0.context.value.folder.appending($0.name) }
    }

    /// The paths of some recordings that are not settled, relative to the root, the oldest first,
    /// and whether each has yet to begin.
    package func someUnsettled(_ limit: Int) -> [(path: Pathname, isWaiting: Bool)] {
        oldest.filter { $0.phase != .settled }.prefix(limit).map { job in
            let isWaiting = if case .waiting = job.phase { true } else { false }
            return (job.context.value.folder.appending(job.name), isWaiting)
        }
    }

    /// The first unsettled job and some after it.
    private var oldest: some Sequence<Job.State> {
        jobs.unsettled.prefix(JobStore.State.glance).lazy.map { jobs[$0] }
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

    /// Some of the incomplete recordings that are waited for, with paths relative to the root;
    /// ascending if there are few.
    package func someAwaited(_ limit: Int) -> [(path: Pathname, file: PendingFile)] {
        guard let incomplete = watch?.incomplete, incomplete.count > 0 else { return [] }
        let some = incomplete.some(JobStore.State.glance).filter {
            !$0.file.isTried && scan.folders.contains($0.folder)
        }
        return some.map { (scan.folders[$0.folder].path.appending($0.name), $0.file) }
            .sorted { $0.0 < $1.0 }.prefix(limit).map { $0 }
    }
}
