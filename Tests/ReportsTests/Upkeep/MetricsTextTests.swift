import Jobs
import Recordings
import Reports
import Testing

@Suite struct MetricsTextTests {
    private var facts: WatchFacts {
        var facts = WatchFacts(JobStore.State(configuration: JobStore.Configuration()))
        (facts.done, facts.failed, facts.behindSeconds) = (7, 2, 31)
        (facts.awaited, facts.queued, facts.underway) = (1, 2, 3)
        return facts
    }

    @Test func metricsHaveHelpTypeLabelAndValue() {
        let text = MetricsText.text(facts, output: "/a \"b\"\\c\nd", now: 1_795_897_857)
        let label = #"{output="/a \"b\"\\c\nd"}"#
        for line in [
            "tapedeck_done_total\(label) 7", "tapedeck_failed\(label) 2",
            "tapedeck_waiting\(label) 6", "tapedeck_behind_seconds\(label) 31",
            "tapedeck_watching\(label) 1",
            "tapedeck_updated_timestamp_seconds\(label) 1795897857",
        ] {
            #expect(text.split(separator: "\n").contains(Substring(line)), "\(line)")
        }
        let lines = text.split(separator: "\n")
        #expect(lines.count == 18 && text.hasSuffix("\n"))
        for (index, line) in lines.enumerated() {
            let name = lines[index / 3 * 3].split(separator: " ")[2]
            let beginning = ["# HELP \(name) ", "# TYPE \(name) ", "\(name){"][index % 3]
            #expect(line.hasPrefix(beginning))
        }
    }
}

@Suite struct HealthTextTests {
    private func summary(failed: Int) -> ResultSummary {
        var summary = ResultSummary()
        for number in 0..<failed {
            var entry = ManifestEntry(
                name: Pathname("\(number).wav"), status: .failed, source: nil)
            entry.failure = RecordingFailure(stage: .decode, reason: .truncated)
            summary.count(SettledEntry(entry), in: "A", isStale: false)
        }
        return summary
    }

    @Test(arguments: [
        (0, 0, 0, 0, 600, []), (1, 0, 0, 1, 600, []), (0, 5, 600, 0, 600, []),
        (2, 0, 0, 1, 600, ["2 recordings have failed"]),
        (0, 1, 601, 0, 600, ["1 recording waits, A/old.wav for 10 min"]),
        (1, 3, 7200, 0, 600, ["3 recordings wait", "1 recording has failed"]),
    ])
    func troubleIsWhatExceedsItsLimit(
        failed: Int, waiting: Int, seconds: Int, mostFailed: Int, mostSeconds: Int,
        beginnings: [String]
    ) {
        let troubles = HealthText.troubles(
            summary(failed: failed), waiting: waiting, seconds: seconds, oldest: "A/old.wav",
            HealthText.Limits(failed: mostFailed, behindSeconds: mostSeconds))
        #expect(troubles.count == beginnings.count)
        for (trouble, beginning) in zip(troubles, beginnings) {
            #expect(trouble.hasPrefix(beginning), "\(trouble)")
        }
    }
}
