/// Sum, sum of squares and peak of some samples of one channel.
struct SampleSums {
    var sum = 0.0
    var sumOfSquares = 0.0
    /// Largest absolute value.
    var peak: Float = 0

    /// Channels that divide this number are summed side by side.
    static let laneCount = 8

    init() {}

    /// One channel of interleaved samples, one by one.
    init(_ samples: UnsafeBufferPointer<Float>, channel: Int, channels: Int) {
        for index in stride(from: channel, to: samples.count, by: channels) {
            add(samples[index])
        }
    }

    mutating func add(_ sample: Float) {
        let sample = sample.numberOrZero
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

/// Eight sums side by side: sample `i` of a stretch goes to lane `i % 8`.
struct LaneSums {
    private var sumLow = SIMD4<Double>.zero
    private var sumHigh = SIMD4<Double>.zero
    private var squaresLow = SIMD4<Double>.zero
    private var squaresHigh = SIMD4<Double>.zero
    private var peak = SIMD8<Float>.zero
    /// The samples behind the last full eight, from lane 0 on.
    private var rest: UnsafeBufferPointer<Float>.SubSequence

    init(_ samples: UnsafeBufferPointer<Float>) {
        let whole = samples.count - samples.count % 8
        rest = samples[whole...]
        guard whole > 0, let base = UnsafeRawPointer(samples.baseAddress) else { return }
        for start in stride(from: 0, to: whole, by: 8) {
            // Within the stretch, since `start + 8 <= whole`.
            add(base.loadUnaligned(fromByteOffset: 4 &* start, as: SIMD8<Float>.self))
        }
    }

    /// The sums of one channel of a stretch that began with a whole frame.
    func sums(ofChannel channel: Int, of channels: Int) -> SampleSums {
        var sums = SampleSums()
        for lane in stride(from: channel, to: SampleSums.laneCount, by: channels) {
            sums.sum += lane < 4 ? sumLow[lane] : sumHigh[lane - 4]
            sums.sumOfSquares += lane < 4 ? squaresLow[lane] : squaresHigh[lane - 4]
            sums.peak = max(sums.peak, peak[lane])
        }
        for index in stride(from: rest.startIndex + channel, to: rest.endIndex, by: channels) {
            sums.add(rest[index])
        }
        return sums
    }

    @inline(__always)
    private mutating func add(_ loaded: SIMD8<Float>) {
        let magnitudes = loaded.replacing(with: -loaded, where: loaded .< 0)
        // A comparison with something that is no number is false, so the mask drops it too.
        let isSample = magnitudes .<= Float.largestSample
        let samples = SIMD8<Float>.zero.replacing(with: loaded, where: isSample)
        let low = SIMD4<Double>(samples.lowHalf)
        let high = SIMD4<Double>(samples.highHalf)
        sumLow += low
        sumHigh += high
        squaresLow += low * low
        squaresHigh += high * high
        let candidates = SIMD8<Float>.zero.replacing(with: magnitudes, where: isSample)
        peak = peak.replacing(with: candidates, where: candidates .> peak)
    }
}

extension Float {
    /// Larger values come from broken files only, and their squares would not fit.
    static let largestSample: Float = 1e9

    /// The sample itself, or zero where it is not a number or beyond all measure.
    @inline(__always)
    var numberOrZero: Float { abs(self) <= Float.largestSample ? self : 0 }
}
