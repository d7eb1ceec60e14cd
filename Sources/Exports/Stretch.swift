/// A stretch of a recording in seconds, `start` ≤ `end`.
package struct Stretch: Hashable, Sendable {
    package var start: Double
    package var end: Double
    // Of segments, as in a manifest; `nil` if unknown.
    package var levelDBFS: Double?
    package var signalToNoiseDecibels: Double?
    package var confidence: Double?
    /// The channel that it is of, from 1; `nil` for all together.
    package var channel: Int?

    package init(_ start: Double, _ end: Double, channel: Int? = nil) {
        self.start = start
        self.end = end
        self.channel = channel
    }

    package var seconds: Double { end - start }

    /// What it is called, with its channel if it is of one.
    func label(_ label: String) -> String { channel.map { "\(label) \($0)" } ?? label }
}

extension Stretch {
    /// What stretches leave of a recording.
    /// - Parameter stretches: ascending, disjoint.
    package static func between(
        _ stretches: [Stretch], durationSeconds: Double
    ) -> [Stretch] {
        var rest: [Stretch] = []
        var position = 0.0
        for stretch in stretches {
            if stretch.start > position { rest.append(Stretch(position, stretch.start)) }
            position = max(position, stretch.end)
        }
        if durationSeconds > position { rest.append(Stretch(position, durationSeconds)) }
        return rest
    }
}
