import Exports
import Jobs
import Recordings

/// The output of `tapedeck split` as text.
package enum SplitView {
    /// "3 recordings, 12 segments written, 2 up to date".
    package static func counts(_ outcome: SplitOutcome) -> String {
        let parts = [(outcome.upToDate, "up to date"), (outcome.removed, "removed")]
        return CountText.words(outcome.recordings, "recording") + ", "
            + CountText.words(outcome.written, "segment") + " written"
            + parts.filter { $0.0 > 0 }.map { ", \($0.0) \($0.1)" }.joined()
    }

    /// Why a recording was not split.
    package static func sentence(for obstacle: SplitObstacle, of path: Pathname) -> String {
        let name = path.displayText
        return switch obstacle {
        case .failed(let failure) where failure.reason == .changed:
            "\(name) has changed since it was processed; run tapedeck on it first"
        case .failed(let failure): "\(name): " + FailureText.sentence(for: failure)
        case .name: "\(name) is left out: its segments' list cannot hold its name; rename it"
        case .taken(let file):
            "\(name) is left out: there is another \(file.displayText); choose other names with"
                + " --naming, such as {name}_{index:4}"
        }
    }
}
