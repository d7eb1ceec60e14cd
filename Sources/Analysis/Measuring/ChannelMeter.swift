import CLanes

/// What one channel has shown so far.
struct ChannelMeter {
    private(set) var peak: Float = 0
    private(set) var samplesBeyondFullScale = 0
    private var sum = 0.0
    private var sumOfSquares = 0.0
    private var frames = 0
    /// What clipped samples reach.
    private let fullScale: Float
    /// The peak of the stretch that was added last.
    private var stretchPeak: Float = 0
    /// Samples in runs at full scale that are long enough.
    private(set) var clippedSamples = 0
    /// The run that lasts, negative where its samples are.
    private var run = 0

    /// Shorter runs happen in sound that was never clipped.
    private static let shortestRun = 3

    /// - Parameter fullScale: the largest sample of the recording's encoding.
    init(fullScale: Float) { self.fullScale = fullScale }

    var mean: Double { frames > 0 ? sum / Double(frames) : 0 }
    var rootMeanSquare: Double { frames > 0 ? (sumOfSquares / Double(frames)).squareRoot() : 0 }

    mutating func add(_ sums: LanesLevels, frames: Int) {
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
        guard stretchPeak >= fullScale else {
            run = 0
            return
        }
        for index in stride(from: channel, to: samples.count, by: channels) {
            let sample = samples[index]
            if abs(sample) > 1 { samplesBeyondFullScale += 1 }
            follow(abs(sample) >= fullScale ? (sample > 0 ? 1 : -1) : 0)
        }
    }

    /// Takes in the next sample: its sign where it is at full scale, and else zero.
    private mutating func follow(_ sign: Int) {
        if sign == 0 || run.signum() == -sign { run = 0 }
        run += sign
        // The run counts as a whole from the sample on that makes it long enough.
        clippedSamples += ChannelMeter.count(run) - ChannelMeter.count(run - sign)
    }

    private static func count(_ run: Int) -> Int { abs(run) >= shortestRun ? abs(run) : 0 }
}

extension LanesLevels {
    mutating func add(_ sample: Float) {
        sum += Double(sample)
        sumOfSquares += Double(sample) * Double(sample)
        peak = max(peak, abs(sample))
    }
}
