import Jobs
import Recordings

extension FailureText {
    /// What failures of one kind have in common.
    static func sentence(for kind: ResultSummary.FailureKind) -> String {
        if kind.reason == .unrecognisedFormat, kind.isOfUndecodableFormat { return foreignFormat }
        return sentence(
            for: RecordingFailure(stage: kind.stage, reason: kind.reason, detail: kind.detail))
    }

    /// Why a manifest or a journal tells nothing.
    package static func line(for trouble: ResultTrouble, with path: Pathname) -> String {
        switch trouble {
        case .unreadable(let detail):
            "\(path.displayText): this could not be read: \(detail)"
        case .damaged(let byte):
            "\(path.displayText): this is damaged from byte \(byte) on; the next run makes it anew"
        case .ofLaterVersion:
            "\(path.displayText): this was written by a later tapedeck"
        }
    }
}
