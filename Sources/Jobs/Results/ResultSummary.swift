import Recordings

/// Counts of all results in an output folder.
package struct ResultSummary: Hashable, Sendable {
    /// Identifies failures that are reported in the same words.
    package struct FailureKind: Hashable, Sendable {
        package var stage: Stage
        package var reason: RecordingFailure.Reason
        /// The system's own words, where there are no others.
        package var detail: String?
    }

    package struct WarningGroup: Hashable, Sendable {
        package var kind: RecordingWarning.Kind
        package var count: Int
        /// The first of them by its path, relative to the root.
        package var example: Pathname
    }

    package struct FailureGroup: Hashable, Sendable {
        package var kind: FailureKind
        package var count: Int
        /// The first of them by its path, relative to the root.
        package var example: Pathname
    }

    package private(set) var folders = 0
    package private(set) var done = 0
    package private(set) var failed = 0
    /// Recordings whose source is gone and whose outputs still exist.
    package private(set) var missing = 0
    /// Recordings done with other settings than the newest of their folder.
    package private(set) var stale = 0
    /// Recordings that are all silence.
    package private(set) var silent = 0
    /// The first of these by its path, relative to the root.
    package private(set) var silentExample: Pathname?
    package private(set) var trimmed = 0
    // Integers, so that the sums do not depend on the order of addition.
    private var audioMicroseconds: Int64 = 0
    private var removedMicroseconds: Int64 = 0
    private var warnings: [RecordingWarning.Kind: WarningGroup] = [:]
    private var failures: [FailureKind: FailureGroup] = [:]

    package init() {}

    package var recordings: Int { done + failed + missing }
    /// Duration of all recordings that are done.
    package var audioSeconds: Double { Double(audioMicroseconds) / 1e6 }
    /// Total duration removed by trimming.
    package var removedSeconds: Double { Double(removedMicroseconds) / 1e6 }
    /// Total duration of trimmed copies, and of recordings without one.
    package var keptSeconds: Double { Double(audioMicroseconds - removedMicroseconds) / 1e6 }

    /// The most frequent first.
    package var failureGroups: [FailureGroup] {
        failures.values.sorted { ($1.count, $0.example) < ($0.count, $1.example) }
    }

    /// The most frequent first.
    package var warningGroups: [WarningGroup] {
        warnings.values.sorted { ($1.count, $0.example) < ($0.count, $1.example) }
    }

    /// Recordings that are done with warnings.
    package var warned: Int { warnings.values.reduce(0) { $0 + $1.count } }

    package mutating func countFolder() { folders += 1 }

    /// - Parameter isStale: whether it was made with other settings than the output's.
    package mutating func count(_ outcome: SettledEntry, in folder: Pathname, isStale: Bool) {
        switch outcome.status {
        case .done:
            countDone(outcome, isStale: isStale)
            if outcome.isSilent { countSilent(1, folder.appending(outcome.name)) }
            if let kind = outcome.warnings?.first?.kind {
                add(WarningGroup(kind: kind, count: 1, example: folder.appending(outcome.name)))
            }
        case .failed:
            failed += 1
            if let failure = outcome.failure { count(failure, folder, outcome.name) }
        case .sourceMissing:
            // Its duration is not counted: totals cover only recordings that exist, as in a run.
            // Nor is its failure: nobody can fix it any more.
            missing += 1
        }
    }

    private mutating func countDone(_ outcome: SettledEntry, isStale: Bool) {
        done += 1
        if isStale { stale += 1 }
        let sound = ResultSummary.microseconds(outcome.format?.durationSeconds ?? 0)
        audioMicroseconds += sound
        if let seconds = outcome.copySeconds {
            trimmed += 1
            removedMicroseconds += max(0, sound - ResultSummary.microseconds(seconds))
        }
    }

    private mutating func countSilent(_ count: Int, _ example: Pathname) {
        silent += count
        silentExample = min(silentExample ?? example, example)
    }

    private mutating func count(
        _ failure: RecordingFailure, _ folder: Pathname, _ name: Pathname
    ) {
        let kind = FailureKind(
            stage: failure.stage, reason: failure.reason,
            detail: [.other, .needsLibav].contains(failure.reason) ? failure.detail : nil)
        add(FailureGroup(kind: kind, count: 1, example: folder.appending(name)))
    }

    private mutating func add(_ group: WarningGroup) {
        let known = warnings[group.kind]
        warnings[group.kind] = WarningGroup(
            kind: group.kind, count: group.count + (known?.count ?? 0),
            example: min(known?.example ?? group.example, group.example))
    }

    private mutating func add(_ group: FailureGroup) {
        guard var known = failures[group.kind] else {
            failures[group.kind] = group
            return
        }
        known.count += group.count
        known.example = min(known.example, group.example)
        failures[group.kind] = known
    }

    /// Adds what was counted elsewhere.
    package mutating func add(_ other: ResultSummary) {
        folders += other.folders
        done += other.done
        failed += other.failed
        missing += other.missing
        stale += other.stale
        if let example = other.silentExample { countSilent(other.silent, example) }
        trimmed += other.trimmed
        audioMicroseconds += other.audioMicroseconds
        removedMicroseconds += other.removedMicroseconds
        for group in other.warnings.values { add(group) }
        for group in other.failures.values { add(group) }
    }

    /// An impossible duration, as in a damaged manifest, counts as zero.
    private static func microseconds(_ seconds: Double) -> Int64 {
        (0..<4e9).contains(seconds) ? Int64((seconds * 1e6).rounded()) : 0
    }
}

/// Why a manifest or the record cannot be used.
package enum ResultTrouble: Error, Hashable, Sendable {
    /// With the system's own words.
    case unreadable(detail: String)
    /// It is not valid JSON, or not a manifest's.
    case damaged
    case ofLaterVersion
}
