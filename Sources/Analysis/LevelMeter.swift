import Recordings

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Peak, root mean square, offset and clipping of each channel.
///
/// Sums are kept in double precision, which ten hours do not wear out.
package struct LevelMeter: BlockConsumer {
    private var meters: [ChannelMeter]

    package init(channels: Int) {
        precondition(channels > 0, "a recording has channels")
        meters = Array(repeating: ChannelMeter(), count: channels)
    }

    package mutating func consume(_ block: borrowing AudioBlock) {
        precondition(block.channels == meters.count, "the channel count of a recording is fixed")
        let count = block.sampleCount
        block.samples.withUnsafeBufferPointer { samples in
            var start = 0
            while start < count {
                let end = min(count, start + LevelMeter.stretchFrames * meters.count)
                consume(UnsafeBufferPointer(rebasing: samples[start..<end]))
                start = end
            }
        }
    }

    /// The levels of everything consumed.
    package func finish() -> Levels {
        Levels(
            peakDBFS: meters.map { decibels(ofAmplitude: Double($0.peak)) },
            rmsDBFS: meters.map { decibels(ofAmplitude: $0.rootMeanSquare) },
            dcOffset: meters.map { $0.mean.rounded(toDecimals: 6) },
            clippedSamples: meters.map(\.clippedSamples),
            samplesBeyondFullScale: meters.map(\.samplesBeyondFullScale))
    }

    /// Frames that are summed before anyone asks whether one of them is near full scale.
    private static let stretchFrames = 512

    /// Takes in a stretch of whole frames.
    private mutating func consume(_ samples: UnsafeBufferPointer<Float>) {
        let frames = samples.count / meters.count
        if SampleSums.laneCount.isMultiple(of: meters.count) {
            consumeLanes(samples, frames: frames)
        } else {
            for channel in meters.indices {
                let sums = SampleSums(samples, channel: channel, channels: meters.count)
                meters[channel].add(sums, frames: frames)
            }
        }
        for channel in meters.indices {
            meters[channel].followClipping(in: samples, channel: channel, channels: meters.count)
        }
    }

    /// All channels in one sweep, each in its own lanes.
    private mutating func consumeLanes(_ samples: UnsafeBufferPointer<Float>, frames: Int) {
        let sums = LaneSums(samples)
        for channel in meters.indices {
            let sums = sums.sums(ofChannel: channel, of: meters.count)
            meters[channel].add(sums, frames: frames)
        }
    }

    private func decibels(ofAmplitude amplitude: Double) -> Double? {
        amplitude > 0 ? (20 * log10(amplitude)).rounded(toDecimals: 2) : nil
    }
}

/// What one channel has shown so far.
private struct ChannelMeter {
    private(set) var peak: Float = 0
    private(set) var clippedSamples = 0
    private(set) var samplesBeyondFullScale = 0
    private var sum = 0.0
    private var sumOfSquares = 0.0
    private var frames = 0
    /// The peak of the stretch that was added last.
    private var stretchPeak: Float = 0
    /// Samples at full scale in a row, negative where they are negative.
    private var run = 0

    /// The largest positive value that 16 bits hold.
    private static let fullScale: Float = 32767.0 / 32768.0
    /// Shorter runs happen in sound that was never clipped.
    private static let shortestRun = 3

    var mean: Double { frames > 0 ? sum / Double(frames) : 0 }
    var rootMeanSquare: Double { frames > 0 ? (sumOfSquares / Double(frames)).squareRoot() : 0 }

    mutating func add(_ sums: SampleSums, frames: Int) {
        sum += sums.sum
        sumOfSquares += sums.sumOfSquares
        stretchPeak = sums.peak
        peak = max(peak, sums.peak)
        self.frames += frames
    }

    /// Counts what clipped in the stretch just added; almost always nothing came near.
    mutating func followClipping(
        in samples: UnsafeBufferPointer<Float>, channel: Int, channels: Int
    ) {
        guard stretchPeak >= ChannelMeter.fullScale else {
            run = 0
            return
        }
        for index in stride(from: channel, to: samples.count, by: channels) {
            follow(samples[index])
        }
    }

    private mutating func follow(_ sample: Float) {
        if abs(sample) > 1 { samplesBeyondFullScale += 1 }
        guard abs(sample) >= ChannelMeter.fullScale else {
            run = 0
            return
        }
        let direction = sample > 0 ? 1 : -1
        run = run.signum() == direction ? run + direction : direction
        // The run counts as a whole from the sample on that makes it long enough.
        if abs(run) == ChannelMeter.shortestRun {
            clippedSamples += ChannelMeter.shortestRun
        } else if abs(run) > ChannelMeter.shortestRun {
            clippedSamples += 1
        }
    }
}
