/// How stretches are joined and left out before they are exported.
package struct StretchRules: Hashable, Sendable {
    /// Stretches with a shorter gap between them are joined.
    package var mergeGapSeconds = 0.0
    /// Seconds added on both sides, as far as the recording goes; stretches that meet are joined.
    package var padSeconds = 0.0
    /// Shorter stretches are left out.
    package var minimumSeconds = 0.0

    package init() {}

    /// Applies the rules in the order of their declaration.
    /// - Parameter stretches: ascending, disjoint.
    package func apply(to stretches: [Stretch], durationSeconds: Double) -> [Stretch] {
        var joined: [Stretch] = []
        for stretch in stretches {
            if let last = joined.last, stretch.start - last.end < mergeGapSeconds {
                joined[joined.count - 1].end = stretch.end
            } else {
                joined.append(stretch)
            }
        }
        var padded: [Stretch] = []
        for stretch in joined {
            let start = max(0, stretch.start - padSeconds)
            let end = min(durationSeconds, stretch.end + padSeconds)
            if padSeconds > 0, let last = padded.last, start <= last.end {
                padded[padded.count - 1].end = end
            } else {
                padded.append(Stretch(start, max(start, end)))
            }
        }
        return padded.filter { $0.seconds >= minimumSeconds }
    }
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
