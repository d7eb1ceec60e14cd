import Jobs
import Recordings

/// What `tapedeck status` says.
package enum StatusView {
    /// Lines of text without line ends.
    package static func lines(_ summary: ResultSummary, _ journal: JournalSummary) -> [String] {
        [counts(summary)] + [stale(summary), silent(summary), audio(summary)].compactMap { $0 }
            + failures(summary) + lines(journal)
    }

    private static func counts(_ summary: ResultSummary) -> String {
        let recordings = CountText.words(summary.recordings, "recording")
        let found = "\(recordings) in \(CountText.words(summary.folders, "folder"))"
        let states = [
            (summary.done, "done"), (summary.failed, "failed"), (summary.missing, "gone"),
        ]
        let parts =
            states
            .filter { $0.0 > 0 }.map { "\(CountText.grouped($0.0)) \($0.1)" }
        return parts.isEmpty ? found : "\(found): \(parts.joined(separator: ", "))"
    }

    private static func stale(_ summary: ResultSummary) -> String? {
        guard summary.stale > 0 else { return nil }
        return "\(CountText.grouped(summary.stale)) done by other settings than the newest of"
            + " their folder"
    }

    private static func silent(_ summary: ResultSummary) -> String? {
        guard let example = summary.silentExample else { return nil }
        return "\(CountText.grouped(summary.silent)) taken for silence throughout, "
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

    /// A line for each cause, with what the failures are counted by.
    private static func failures(_ summary: ResultSummary) -> [String] {
        let groups = summary.failureGroups
        let width = groups.map { CountText.grouped($0.count).count }.max() ?? 0
        return groups.map { group in
            let count = CountText.grouped(group.count)
            let indent = String(repeating: " ", count: width - count.count)
            return "  \(indent)\(count) failed, \(group.count == 1 ? "" : "such as ")"
                + "\(group.example.displayText): \(FailureText.sentence(for: group.kind))"
        }
    }

    private static func lines(_ journal: JournalSummary) -> [String] {
        var lines: [String] = []
        if journal.outcomes > 0 {
            let outcomes = CountText.words(journal.outcomes, "outcome")
            lines.append(
                "\(outcomes) of a run that goes on or did not end \(journal.outcomes == 1 ? "is" : "are") kept"
                    + " in the journal; the next run takes"
                    + " \(journal.outcomes == 1 ? "it" : "them") over")
        }
        for number in journal.damagedLines.prefix(3) {
            lines.append(
                "line \(number) of the journal is damaged; its recording will be done again")
        }
        let more = journal.damagedLines.count - 3
        if more > 0 {
            lines.append("so \(more == 1 ? "is" : "are") \(CountText.words(more, "other line"))")
        }
        return lines
    }
}
