import Jobs
import Recordings

/// What `tapedeck status --check` says.
package enum HealthText {
    package struct Limits: Hashable, Sendable {
        package var failed: Int
        package var behindSeconds: Int

        package init(failed: Int, behindSeconds: Int) {
            (self.failed, self.behindSeconds) = (failed, behindSeconds)
        }
    }

    /// What is not as it should be, worst first.
    /// - Parameters:
    ///   - waiting: the recordings without results.
    ///   - seconds: how long the oldest of these has been here.
    package static func troubles(
        _ summary: ResultSummary, waiting: Int, seconds: Int, oldest: Pathname?, _ limits: Limits
    ) -> [String] {
        var troubles: [String] = []
        if waiting > 0, seconds > limits.behindSeconds, let oldest {
            let those = CountText.words(waiting, "recording")
            let verb = waiting == 1 ? "waits" : "wait"
            troubles.append(
                "\(those) \(verb), \(oldest.displayText) for \(DurationText.words(Double(seconds)))"
                    + " (at most \(limits.behindSeconds) s are allowed); is tapedeck watch running?"
            )
        }
        if summary.failed > limits.failed {
            let have = summary.failed == 1 ? "has" : "have"
            let example = summary.failureGroups.first.map { ", such as \($0.example.displayText)" }
            troubles.append(
                "\(CountText.words(summary.failed, "recording")) \(have) failed\(example ?? "")"
                    + " (\(limits.failed) allowed); tapedeck status says why")
        }
        return troubles
    }

    package static func well(_ summary: ResultSummary, waiting: Int, seconds: Int) -> String {
        let waits =
            waiting == 0
            ? "none waits" : "\(waiting) waiting, for \(DurationText.words(Double(seconds)))"
        return "well: \(CountText.words(summary.recordings, "recording")),"
            + " \(CountText.grouped(summary.failed)) failed, \(waits)"
    }
}
