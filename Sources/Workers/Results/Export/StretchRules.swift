import Exports
import Glibc

/// How stretches are joined and left out before they are exported.
package struct StretchRules: Hashable, Sendable {
    /// Stretches with a shorter gap between them are joined.
    package var mergeGapSeconds = 0.0
    /// Seconds added on both sides, as far as the recording goes; stretches that meet are joined.
    package var padSeconds = 0.0
    /// Longer stretches are divided, in a quiet place if one is known.
    package var maximumSeconds = Double.infinity
    /// Shorter stretches are left out.
    package var minimumSeconds = 0.0

    package init() {}

    /// Applies the rules in the order of their declaration.
    /// - Parameters:
    ///   - stretches: ascending, disjoint.
    ///   - quietest: the quietest place in a stretch of seconds.
    package func apply(
        to stretches: [Stretch], durationSeconds: Double,
        quietest: (ClosedRange<Double>) -> Double = { $0.upperBound }
    ) -> [Stretch] {
        var joined: [Stretch] = []
        for stretch in stretches {
            if let last = joined.last, stretch.start - last.end < mergeGapSeconds {
                joined[joined.count - 1].join(stretch)
            } else {
                joined.append(stretch)
            }
        }
        var padded: [Stretch] = []
        for stretch in joined {
            var wider = stretch
            wider.start = max(0, stretch.start - padSeconds)
            wider.end = max(wider.start, min(durationSeconds, stretch.end + padSeconds))
            if padSeconds > 0, let last = padded.last, wider.start <= last.end {
                padded[padded.count - 1].join(wider)
            } else {
                padded.append(wider)
            }
        }
        return padded.flatMap { divided($0, quietest) }.filter { $0.seconds >= minimumSeconds }
    }

    /// Parts of a stretch that are at least half as long as the maximum, but for the last one.
    private func divided(
        _ stretch: Stretch, _ quietest: (ClosedRange<Double>) -> Double
    ) -> [Stretch] {
        var parts: [Stretch] = []
        var rest = stretch
        while rest.seconds > maximumSeconds {
            let limit = rest.start + maximumSeconds
            var part = rest
            part.end = quietest(rest.start + maximumSeconds / 2...limit)
            parts.append(part)
            rest.start = part.end
        }
        return parts + [rest]
    }
}

extension Stretch {
    /// Extends it to the end of a later one; levels are the means over time of both.
    fileprivate mutating func join(_ other: Stretch) {
        let share = other.seconds / max(seconds + other.seconds, .leastNormalMagnitude)
        func mean(_ one: Double?, _ other: Double?, ofPowers: Bool = true) -> Double? {
            guard let one, let other else { return nil }
            guard ofPowers else { return one + (other - one) * share }
            let power = pow(10, one / 10) * (1 - share) + pow(10, other / 10) * share
            return 10 * log10(power)
        }
        levelDBFS = mean(levelDBFS, other.levelDBFS)
        signalToNoiseDecibels = mean(signalToNoiseDecibels, other.signalToNoiseDecibels)
        confidence = mean(confidence, other.confidence, ofPowers: false)
        end = other.end
    }
}
