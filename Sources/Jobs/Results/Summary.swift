import Recordings
import ReducerKit

/// Counts of a run.
package struct Summary: Hashable, Codable, Sendable {
    /// Recordings found.
    package var recordings = 0
    /// Nothing had to be done.
    package var upToDate = 0
    /// Done in this run.
    package var done = 0
    /// Failed in this run; in a watch, all that have failed and are still there.
    package var failed = 0
    /// Failed before, and not tried again; none in a watch.
    package var stillFailed = 0
    /// In a dry run: would be processed.
    package var planned = 0
    /// Settled recordings that are done with warnings.
    package var warned = 0
    /// Settled recordings that are nothing but silence.
    package var silent = 0
    /// Settled recordings that have a trimmed copy.
    package var trimmed = 0
    /// Recordings whose source is gone and whose outputs still exist.
    package var missing = 0
    /// Recordings whose source is gone and whose outputs are pruned: deleted when the manifests are
    /// written, or counted only, in a dry run.
    package var pruned = 0
    /// Recordings that were incomplete when the run ended.
    package var awaited = 0
    /// Videos that were found and not processed.
    package var videos = 0
    /// Files that are neither recordings nor videos.
    package var unsupported = 0
    /// Recordings that filters left out, without those in folders that they leave out.
    package var leftOut = 0
    /// Folders that could not be read.
    package var foldersFailed = 0
    /// Manifests that could not be written.
    package var manifestsFailed = 0
    /// Exports and split files that were written.
    package var exportsWritten = 0
    /// Exports that could not be written, and recordings that are missing from them.
    package var exportTroubles = 0
    /// Total duration of all settled recordings that did not fail.
    package var audioSeconds = 0.0
    /// Total duration removed by trimming.
    package var removedSeconds = 0.0
    /// Total duration decoded in this run.
    package var decodedSeconds = 0.0

    package init() {}

    /// Number of recordings that are settled.
    package var settled: Int { upToDate + done + failed + stillFailed + planned }

    package mutating func count(_ entry: SettledEntry, upToDate isUpToDate: Bool) {
        switch (entry.status, isUpToDate) {
        case (.done, true): upToDate += 1
        case (.done, false): done += 1
        // The audio of these is missing or unreliable, and is not counted.
        case (.failed, true): return stillFailed += 1
        case (.failed, false): return failed += 1
        case (.sourceMissing, _): return missing += 1
        }
        let seconds = entry.format?.durationSeconds ?? 0
        audioSeconds.add(seconds)
        if !isUpToDate { decodedSeconds.add(seconds) }
        if entry.warnings != nil { warned += 1 }
        if entry.isSilent { silent += 1 }
        if let trimmedSeconds = entry.copySeconds {
            trimmed += 1
            removedSeconds.add(max(0, seconds - trimmedSeconds))
        }
    }
}

extension Double {
    /// Adds and rounds to the microsecond, so that a sum does not depend on the order of addition.
    fileprivate mutating func add(_ seconds: Double) {
        self = (self + seconds).rounded(toDecimals: 6)
    }
}

/// The run's clock, as reported by ticks.
package struct Pace: Hashable, Codable, Sendable {
    package var startedSeconds: Double?
    package var nowSeconds = 0.0

    package init() {}

    /// Time since the first tick.
    package var elapsedSeconds: Double { startedSeconds.map { nowSeconds - $0 } ?? 0 }

    package mutating func tick(_ seconds: Double) {
        if startedSeconds == nil { startedSeconds = seconds }
        nowSeconds = max(nowSeconds, seconds)
    }
}

extension Summary {
    /// Whether there are files, and none that could be processed as the run was asked to.
    package var hasNothingUsable: Bool {
        recordings + leftOut + missing + pruned == 0 && videos + unsupported > 0
    }
}
