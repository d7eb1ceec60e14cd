import Jobs
import Recordings

/// The output of `tapedeck status`.
package enum StatusView {
    /// Lines of text without line ends.
    package static func lines(_ summary: ResultSummary) -> [String] {
        [counts(summary)] + [stale(summary), silent(summary), audio(summary)].compactMap { $0 }
            + warnings(summary) + failures(summary)
    }

    private static func counts(_ summary: ResultSummary) -> String {
        let recordings = CountText.words(summary.recordings, "recording")
        let found = "\(recordings) in \(CountText.words(summary.folders, "folder"))"
        return CountText.list(
            found,
            [(summary.done, "done"), (summary.failed, "failed"), (summary.missing, "gone")])
    }

    private static func stale(_ summary: ResultSummary) -> String? {
        guard summary.stale > 0 else { return nil }
        return "\(CountText.grouped(summary.stale)) made with older settings"
    }

    private static func silent(_ summary: ResultSummary) -> String? {
        guard let example = summary.silentExample else { return nil }
        return "\(CountText.grouped(summary.silent)) silent, "
            + "\(summary.silent == 1 ? "" : "such as ")\(example.displayText)"
    }

    private static func audio(_ summary: ResultSummary) -> String? {
        guard summary.audioSeconds > 0 else { return nil }
        let audio = "\(DurationText.words(summary.audioSeconds)) of audio"
        guard summary.trimmed > 0 else { return audio }
        return "\(audio) in, \(DurationText.words(summary.keptSeconds)) out:"
            + " \(DurationText.words(summary.removedSeconds)) of silence cut from"
            + " \(CountText.words(summary.trimmed, "recording"))"
    }

    /// One line per kind of warning, with its number of recordings.
    private static func warnings(_ summary: ResultSummary) -> [String] {
        lines(
            summary.warningGroups.map { group in
                let words = WarningText.sentence(for: RecordingWarning(group.kind), message: nil)
                return (group.count, "done with a warning", group.example, words)
            })
    }

    /// One line per cause, with its number of failures.
    private static func failures(_ summary: ResultSummary) -> [String] {
        lines(
            summary.failureGroups.map {
                ($0.count, "failed", $0.example, FailureText.sentence(for: $0.kind))
            })
    }

    private static func lines(
        _ groups: [(count: Int, fate: String, example: Pathname, words: String)]
    ) -> [String] {
        let width = groups.map { CountText.grouped($0.count).count }.max() ?? 0
        return groups.map { group in
            let count = CountText.grouped(group.count)
            let indent = String(repeating: " ", count: width - count.count)
            return "  \(indent)\(count) \(group.fate), \(group.count == 1 ? "" : "such as ")"
                + "\(group.example.displayText): \(group.words)"
        }
    }
}

extension FailureText {
    /// The sentence for a group of failures with the same cause.
    static func sentence(for kind: ResultSummary.FailureKind) -> String {
        sentence(
            for: RecordingFailure(stage: kind.stage, reason: kind.reason, detail: kind.detail))
    }

    /// Why a manifest or the record cannot be used.
    package static func line(for trouble: ResultTrouble, with path: Pathname) -> String {
        switch trouble {
        case .unreadable(let detail):
            "\(path.displayText) could not be read: \(detail)"
        case .damaged:
            "\(path.displayText) is damaged; the next run rebuilds it"
        case .ofLaterVersion:
            "\(path.displayText) was written by a later version of tapedeck"
        }
    }
}
