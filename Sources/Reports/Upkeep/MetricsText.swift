import Jobs
import Recordings

/// The state of a watch in the text format of Prometheus, for node exporter's textfile collector.
package enum MetricsText {
    /// - Parameters:
    ///   - output: distinguishes several watches on one machine.
    ///   - now: since 1970, UTC.
    package static func text(
        _ facts: WatchFacts, output: Pathname, now: Int
    ) -> String {
        let label = "{output=\"\(escaped(output.text))\"}"
        let metrics: [(name: String, kind: String, help: String, value: Int)] = [
            (
                "tapedeck_done_total", "counter",
                "Recordings processed since the watch started.", facts.done
            ),
            ("tapedeck_failed", "gauge", "Recordings that have failed.", facts.failed),
            (
                "tapedeck_waiting", "gauge",
                "Recordings that are incomplete, queued or being processed.",
                facts.awaited + facts.queued + facts.underway
            ),
            (
                "tapedeck_behind_seconds", "gauge",
                "How long the oldest complete recording has waited.",
                facts.behindSeconds ?? 0
            ),
            (
                "tapedeck_watching", "gauge",
                "Whether the watch is running: 1, and 0 once it has ended.",
                facts.isStopping ? 0 : 1
            ),
            (
                "tapedeck_updated_timestamp_seconds", "gauge",
                "When this file was written, in seconds since 1970.", now
            ),
        ]
        return metrics.map { metric in
            "# HELP \(metric.name) \(metric.help)\n# TYPE \(metric.name) \(metric.kind)\n"
                + "\(metric.name)\(label) \(metric.value)\n"
        }.joined()
    }

    private static func escaped(_ label: String) -> String {
        label.map { character in
            switch character {
            case "\\": "\\\\"
            case "\"": "\\\""
            case "\n": "\\n"
            default: String(character)
            }
        }.joined()
    }
}
