import Jobs
import Recordings

/// The output of `tapedeck verify`.
package enum VerifyView {
    /// The line for one problem.
    package static func line(_ discrepancy: Discrepancy) -> String {
        let path = discrepancy.path.displayText
        switch (discrepancy.subject, discrepancy.finding) {
        case (.output, .missing): return "\(path): missing"
        case (.output, .altered):
            return "\(path): altered (its bytes are not those that were written)"
        case (.output, let finding): return "\(path): \(words(finding))"
        case (.recording, let finding): return "\(path) (the recording): \(words(finding))"
        }
    }

    private static func words(_ finding: Discrepancy.Finding) -> String {
        switch finding {
        case .missing: "gone"
        case .altered: "changed since (its bytes are others, its time is the same)"
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
