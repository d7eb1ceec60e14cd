import Jobs
import Recordings

/// What the progress line shows: a small value derived from the state, cheap to retain.
package struct ProgressFacts: Hashable, Sendable {
    let summary: Summary
    let isScanning: Bool
    package let isStopping: Bool
    package let elapsedSeconds: Double
    /// Recordings in work, relative to the root: those that began first.
    let current: [Pathname]

    package init(_ state: JobStore.State) {
        summary = state.summary
        isScanning = !state.scan.isFinished
        isStopping =
            switch state.phase {
            case .stopping, .closing(.some): true
            // A normal end also passes through closing.
            case .running, .closing(nil), .finished: false
            }
        elapsedSeconds = state.pace.elapsedSeconds
        current = state.someUnderway(WatchFacts.mostPending)
    }

    /// Settled recordings that were processed.
    var worked: Int { summary.done + summary.failed }
}

/// The progress of a run.
package enum ProgressView {
    /// The line with the bar, and one for each of some recordings in work.
    /// - Parameter root: the run's root as displayed before each path.
    package static func lines(
        _ facts: ProgressFacts, below root: Pathname = .empty, width: Int
    ) -> [String] {
        let current = facts.current.map { WatchView.working(root.appending($0).displayText) }
        return [line(facts, width: width)]
            + current.map { TerminalBlock.fitted($0, width: width) }
    }

    /// The line in at most `width` characters; the bar is dropped first, then parts from the end.
    package static func line(_ facts: ProgressFacts, width: Int) -> String {
        let (settled, all) = (facts.summary.settled, facts.summary.recordings)
        let failed = facts.summary.failed + facts.summary.stillFailed
        var parts = [
            "\(CountText.grouped(settled))/\(CountText.grouped(all))\(facts.isScanning ? "+" : "")"
        ]
        if failed > 0 { parts.append("\(CountText.grouped(failed)) failed") }
        if facts.isStopping {
            parts.append("stopping")
        } else {
            parts += [rate(facts), timeLeft(facts)].compactMap { $0 }
        }
        while parts.count > 1, joined(parts).count > width { parts.removeLast() }
        let text = joined(parts)
        guard !facts.isScanning, all > 0, text.count + barWidth < width else {
            return String(text.prefix(max(0, width)))
        }
        return bar(Double(settled) / Double(all)) + " " + text
    }

    private static let barWidth = 20

    /// A bar that is full at 1, in steps of an eighth of a character.
    private static func bar(_ share: Double) -> String {
        let eighths = Int(share * Double(8 * barWidth))
        let (full, rest) = eighths.quotientAndRemainder(dividingBy: 8)
        let partial = rest == 0 ? "" : ["▏", "▎", "▍", "▌", "▋", "▊", "▉"][rest - 1]
        let bar = String(repeating: "█", count: full) + partial
        return bar + String(repeating: "░", count: barWidth - bar.count)
    }

    private static func joined(_ parts: [String]) -> String {
        parts.joined(separator: " · ")
    }

    /// Hours of audio per minute of wall-clock time.
    private static func rate(_ facts: ProgressFacts) -> String? {
        guard facts.elapsedSeconds >= 1, facts.summary.decodedSeconds > 0 else { return nil }
        let hoursPerMinute = facts.summary.decodedSeconds / 3600 / (facts.elapsedSeconds / 60)
        return "\(DurationText.tenths(hoursPerMinute)) h of audio/min"
    }

    /// The estimated time left at the current pace, once the number of recordings is known.
    private static func timeLeft(_ facts: ProgressFacts) -> String? {
        guard !facts.isScanning, facts.worked > 0, facts.elapsedSeconds >= 1 else { return nil }
        let left = Double(facts.summary.recordings - facts.summary.settled)
        let secondsLeft = facts.elapsedSeconds / Double(facts.worked) * left
        return "\(DurationText.clock(secondsLeft)) left"
    }
}
