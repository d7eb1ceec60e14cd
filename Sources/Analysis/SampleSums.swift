import CLanes

/// Sum, sum of squares and peak of some samples of one channel.
struct SampleSums {
    var sum = 0.0
    var sumOfSquares = 0.0
    /// Largest absolute value.
    var peak: Float = 0

    /// Channels that divide this number are summed side by side.
    static let laneCount = 16

    init() {}

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

/// Sixteen sums side by side: sample `i` of a stretch goes to lane `i % 16`.
///
/// In single precision, which some hundred samples of a lane do not wear out; whoever adds up
/// stretches does so in double.
struct LaneSums {
    private var lanes = Lanes()
    /// The samples behind the last full sixteen, from lane 0 on.
    private var rest: UnsafeBufferPointer<Float>.SubSequence

    init(_ samples: UnsafeBufferPointer<Float>) {
        let whole = samples.count - samples.count % SampleSums.laneCount
        rest = samples[whole...]
        guard whole > 0, let base = samples.baseAddress else { return }
        // Three times sixteen lanes, one behind the other.
        withUnsafeMutablePointer(to: &lanes) {
            $0.withMemoryRebound(to: Float.self, capacity: 3 * SampleSums.laneCount) {
                lanes_level_sums(base, whole, $0)
            }
        }
    }

    private struct Lanes {
        var sums = SIMD16<Float>.zero
        var squares = SIMD16<Float>.zero
        var peaks = SIMD16<Float>.zero
    }

    /// The sums of one channel of a stretch that began with a whole frame.
    func sums(ofChannel channel: Int, of channels: Int) -> SampleSums {
        var sums = SampleSums()
        for lane in stride(from: channel, to: SampleSums.laneCount, by: channels) {
            sums.sum += Double(lanes.sums[lane])
            sums.sumOfSquares += Double(lanes.squares[lane])
            sums.peak = max(sums.peak, lanes.peaks[lane])
        }
        for index in stride(from: rest.startIndex + channel, to: rest.endIndex, by: channels) {
            sums.add(rest[index])
        }
        return sums
    }
}
