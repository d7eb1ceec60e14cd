/// The values in a sliding window, counted, so that any rank can be read off.
///
/// To the nearest steps of a quarter of a decibel between -150 and 42 dB; within a step, values are
/// taken to lie evenly. Each change costs the same, however many values there are.
struct SlidingPercentile {
    private var counts = [UInt16](repeating: 0, count: 768)
    private var total = 0
    /// Where the last rank that was asked for lay, and how many values lie in the steps before.
    private var place = 0
    private var below = 0

    private static let lowest: Float = -150
    private static let stepsPerDecibel: Float = 4

    mutating func insert(_ value: Float) {
        let step = step(of: value)
        counts[step] += 1
        total += 1
        if step < place { below += 1 }
    }

    /// Removes a value that was inserted before.
    mutating func remove(_ value: Float) {
        let step = step(of: value)
        counts[step] -= 1
        total -= 1
        if step < place { below -= 1 }
    }

    /// The value below which a share of all lies, from 0 to 1; `nil` of nothing.
    mutating func value(atShare share: Float) -> Float? {
        guard total > 0 else { return nil }
        let rank = share * Float(total - 1)
        while Float(below) > rank {
            place -= 1
            below -= Int(counts[place])
        }
        while Float(below + Int(counts[place])) <= rank {
            below += Int(counts[place])
            place += 1
        }
        let within = (rank - Float(below) + 0.5) / Float(counts[place])
        let steps = Float(place) + min(1, within)
        return SlidingPercentile.lowest + steps / SlidingPercentile.stepsPerDecibel
    }

    private func step(of value: Float) -> Int {
        let place = (value - SlidingPercentile.lowest) * SlidingPercentile.stepsPerDecibel
        return max(0, min(counts.count - 1, Int(place)))
    }
}
