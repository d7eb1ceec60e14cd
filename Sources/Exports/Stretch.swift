/// A stretch of a recording in seconds, `start` ≤ `end`.
package struct Stretch: Hashable, Sendable {
    package var start: Double
    package var end: Double
    // Of segments, as in a manifest; `nil` if unknown.
    package var levelDBFS: Double?
    package var signalToNoiseDecibels: Double?
    package var confidence: Double?

    package init(_ start: Double, _ end: Double) {
        self.start = start
        self.end = end
    }

    package var seconds: Double { end - start }
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
