import Jobs
import Recordings

/// The output of `tapedeck verify`.
package enum VerifyView {
    /// The line for one problem.
    package static func line(_ discrepancy: Discrepancy) -> String {
        let path = discrepancy.path.displayText
        switch (discrepancy.subject, discrepancy.finding) {
        case (.output, .missing): return "\(path): missing"
        case (.output, .altered): return "\(path): altered (it was modified since it was written)"
        case (.output, let finding): return "\(path): \(words(finding))"
        case (.recording, let finding): return "\(path) (the recording): \(words(finding))"
        }
    }

    private static func words(_ finding: Discrepancy.Finding) -> String {
        switch finding {
        case .missing: "gone"
        case .corrupt: "corrupt (its bytes are others, its time is the same)"
        case .altered: "changed since"
        case .changed(let old, let new, _) where old.bytes != new.bytes:
            "changed since (it has \(CountText.words(Int(new.bytes), "byte")) and had"
                + " \(CountText.grouped(Int(old.bytes))))"
        case .changed(_, _, true):
            "changed since (its time is another, its bytes are the same)"
        case .changed: "changed since (its time is another)"
        case .notAFile: "no file any more"
        case .unreadable(let detail): "cannot be read: \(detail)"
        }
    }

    /// The last line.
    package static func line(_ summary: VerificationSummary) -> String {
        if summary.isEmpty { return "there is nothing to check: no manifest names a recording" }
        let checked =
            "\(CountText.words(summary.outputs, "output")) and"
            + " \(CountText.words(summary.recordings, "recording")) checked"
        var parts: [String] = []
        if summary.discrepancies > 0 {
            parts.append(CountText.words(summary.discrepancies, "problem"))
        }
        if summary.unreadable > 0 {
            parts.append("not everything could be read")
        }
        return "\(checked): \(parts.isEmpty ? "all well" : parts.joined(separator: ", "))"
    }
}

/// How to mend what a verification found, worst first.
package struct Remedies: Hashable, Sendable {
    private var corruptRecordings = 0
    private var goneRecordings = 0
    private var changedRecordings = 0
    private var outputs = 0
    private var modifiedOutputs = 0

    package init() {}

    package mutating func count(_ discrepancy: Discrepancy) {
        switch (discrepancy.subject, discrepancy.finding) {
        case (.output, _) where discrepancy.isModified: modifiedOutputs += 1
        case (.output, _): outputs += 1
        case (.recording, .corrupt), (.recording, .unreadable): corruptRecordings += 1
        case (.recording, .missing), (.recording, .notAFile): goneRecordings += 1
        case (.recording, .altered), (.recording, .changed): changedRecordings += 1
        }
    }

    package var lines: [String] {
        let parts: [(count: Int, noun: String, words: String)] = [
            (
                corruptRecordings, "corrupt recording",
                "restore # from a backup; the results are still those of the sound ones"
            ),
            (
                goneRecordings, "missing recording",
                "restore # from a backup, or tell where they are (--recordings)"
            ),
            (changedRecordings, "changed recording", "tapedeck run processes # again"),
            (outputs, "output", "tapedeck repair makes # again"),
            (
                modifiedOutputs, "modified output",
                "rename or delete #, and tapedeck repair makes # again"
            ),
        ]
        return parts.filter { $0.count > 0 }.map { count, noun, words in
            "  \(CountText.words(count, noun)): "
                + words.replacing("#", with: count == 1 ? "it" : "them")
        }
    }
}
