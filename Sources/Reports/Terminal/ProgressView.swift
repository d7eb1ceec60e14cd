import Jobs

/// What the progress line shows, taken out of the state: a small value that costs nothing to keep.
package struct ProgressFacts: Hashable, Sendable {
    package var settled: Int
    package var recordings: Int
    package var failed: Int
    package var isScanning: Bool
    package var isStopping: Bool
    package var decodedSeconds: Double
    package var elapsedSeconds: Double
    /// Recordings that took work, of those settled.
    package var worked: Int

    package init(_ state: JobStore.State) {
        settled = state.summary.settled
        recordings = state.summary.recordings
        failed = state.summary.failed + state.summary.stillFailed
        isScanning = !state.scan.isFinished
        isStopping =
            switch state.phase {
            case .stopping, .closing(.some): true
            // An ordinary end is one too that passes through closing.
            case .running, .closing(nil), .finished: false
            }
        decodedSeconds = state.summary.decodedSeconds
        elapsedSeconds = state.pace.elapsedSeconds
        worked = state.summary.done + state.summary.failed
    }
}

/// The line that tells how far a run is.
package enum ProgressView {
    /// At most `width` characters; parts that do not fit are left out from the end.
    package static func line(_ facts: ProgressFacts, width: Int) -> String {
        var parts = [
            "\(CountText.grouped(facts.settled))/\(CountText.grouped(facts.recordings))"
                + (facts.isScanning ? "+" : "")
        ]
        if facts.failed > 0 { parts.append("\(CountText.grouped(facts.failed)) failed") }
        if facts.isStopping {
            parts.append("stopping")
        } else {
            parts += [rate(facts), timeLeft(facts)].compactMap { $0 }
        }
        while parts.count > 1, joined(parts).count > width { parts.removeLast() }
        return String(joined(parts).prefix(max(0, width)))
    }

    private static func joined(_ parts: [String]) -> String {
        parts.joined(separator: " · ")
    }

    /// Hours of sound for each minute of waiting.
    private static func rate(_ facts: ProgressFacts) -> String? {
        guard facts.elapsedSeconds >= 1, facts.decodedSeconds > 0 else { return nil }
        let hoursPerMinute = facts.decodedSeconds / 3600 / (facts.elapsedSeconds / 60)
        return "\(DurationText.tenths(hoursPerMinute)) h of audio/min"
    }

    /// At the pace so far, once the number of recordings is known.
    private static func timeLeft(_ facts: ProgressFacts) -> String? {
        guard !facts.isScanning, facts.worked > 0, facts.elapsedSeconds >= 1 else { return nil }
        let left = Double(facts.recordings - facts.settled)
        let secondsLeft = facts.elapsedSeconds / Double(facts.worked) * left
        return "\(DurationText.clock(secondsLeft)) left"
    }
}
