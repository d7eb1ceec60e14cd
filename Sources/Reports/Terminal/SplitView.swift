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
}
