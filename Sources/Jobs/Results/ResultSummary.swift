import Recordings

/// What became of one recording, as far as counting goes.
package struct ResultOutcome: Hashable, Sendable {
    package var name: Pathname
    package var status: ManifestEntry.Status
    package var durationSeconds = 0.0
    /// Of the trimmed copy; `nil` where there is none.
    package var trimmedSeconds: Double?
    /// Whether all of it is silence.
    package var isSilent = false
    package var failure: RecordingFailure?
    /// Where it is not the folder's.
    package var recipe: Recipe?

    package init(name: Pathname, status: ManifestEntry.Status) {
        self.name = name
        self.status = status
    }
}

/// All results of an output folder in numbers.
package struct ResultSummary: Hashable, Sendable {
    /// Failures that are told with the same words.
    package struct FailureKind: Hashable, Sendable {
        package var stage: Stage
        package var reason: RecordingFailure.Reason
        /// The system's own words, where there are no others.
        package var detail: String?
        package var isOfUndecodableFormat: Bool
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
    /// The source is gone; what was made of it is still there.
    package private(set) var missing = 0
    /// Done by other settings than the newest of their folder.
    package private(set) var stale = 0
    /// Nothing but silence.
    package private(set) var silent = 0
    /// The first of these by its path, relative to the root.
    package private(set) var silentExample: Pathname?
    package private(set) var trimmed = 0
    // Whole numbers, so that the sums do not depend on the order of their parts.
    private var audioMicroseconds: Int64 = 0
    private var removedMicroseconds: Int64 = 0
    private var failures: [FailureKind: FailureGroup] = [:]

    package init() {}

    package var recordings: Int { done + failed + missing }
    /// Duration of all recordings that are done.
    package var audioSeconds: Double { Double(audioMicroseconds) / 1e6 }
    /// Duration that trimmed copies are shorter by.
    package var removedSeconds: Double { Double(removedMicroseconds) / 1e6 }
    /// Duration of the trimmed copies, and of the recordings that have none.
    package var keptSeconds: Double { Double(audioMicroseconds - removedMicroseconds) / 1e6 }

    /// The most frequent first.
    package var failureGroups: [FailureGroup] {
        failures.values.sorted { ($1.count, $0.example) < ($0.count, $1.example) }
    }

    package mutating func countFolder() { folders += 1 }

    /// - Parameter newest: the settings that the folder's recordings were last worked on by.
    package mutating func count(
        _ outcome: ResultOutcome, in folder: Pathname, recipe: Recipe, newest: Recipe
    ) {
        switch outcome.status {
        case .done:
            countDone(outcome, isStale: (outcome.recipe ?? recipe) != newest)
            if outcome.isSilent { countSilent(1, folder.appending(outcome.name)) }
        case .failed:
            failed += 1
            if let failure = outcome.failure { count(failure, folder, outcome.name) }
        case .sourceMissing:
            // Not its sound: what went in is what the recordings hold that are there, as a run
            // counts it too. And why it once failed, nobody can mend any more.
            missing += 1
        }
    }

    private mutating func countDone(_ outcome: ResultOutcome, isStale: Bool) {
        done += 1
        if isStale { stale += 1 }
        let sound = ResultSummary.microseconds(outcome.durationSeconds)
        audioMicroseconds += sound
        if let seconds = outcome.trimmedSeconds {
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
            detail: failure.reason == .other ? failure.detail : nil,
            isOfUndecodableFormat: name.isOfUndecodableFormat)
        add(FailureGroup(kind: kind, count: 1, example: folder.appending(name)))
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
        for group in other.failures.values { add(group) }
    }

    /// A time that no recording has, as damage may leave it, counts as none.
    private static func microseconds(_ seconds: Double) -> Int64 {
        (0..<4e9).contains(seconds) ? Int64((seconds * 1e6).rounded()) : 0
    }
}

/// What is known of a run that did not end.
package struct JournalSummary: Hashable, Sendable {
    /// Recordings that the journal tells of.
    package var outcomes = 0
    /// Lines that cannot be read, counted from 1.
    package var damagedLines: [Int] = []

    package init() {}
}

/// Why a manifest or a journal tells nothing.
package enum ResultTrouble: Error, Hashable, Sendable {
    /// With the system's own words.
    case unreadable(detail: String)
    /// It is no JSON from a byte on, or not that of a manifest.
    case damaged(byte: Int)
    case ofLaterVersion
}
