import CLanes

/// Sum, sum of squares and peak of some samples of one channel.
struct SampleSums {
    var sum = 0.0
    var sumOfSquares = 0.0
    /// Largest absolute value.
    var peak: Float = 0

    /// Channels that divide this number are summed side by side (`lanes_level_sums`).
    static let laneCount = Int(LANES_SUMS)

    init(_ levels: LanesLevels) {
        (sum, sumOfSquares, peak) = (levels.sum, levels.sumOfSquares, levels.peak)
    }

    /// One channel of interleaved samples, one by one.
    init(_ samples: UnsafeBufferPointer<Float>, channel: Int, channels: Int) {
        for index in stride(from: channel, to: samples.count, by: channels) {
            add(samples[index])
        }
    }

    mutating func add(_ sample: Float) {
        sum += Double(sample)
        sumOfSquares += Double(sample) * Double(sample)
        peak = max(peak, abs(sample))
    }

    mutating func add(_ other: SampleSums) {
        sum += other.sum
        sumOfSquares += other.sumOfSquares
        peak = max(peak, other.peak)
    }
}
