import CLanes

/// Measures the levels and the clipping of one channel.
struct ChannelMeter {
    private(set) var peak: Float = 0
    private(set) var samplesBeyondFullScale = 0
    private var sum = 0.0
    private var sumOfSquares = 0.0
    private var frames = 0
    /// The magnitude of clipped samples.
    private let fullScale: Float
    /// The peak of the most recently added stretch.
    private var stretchPeak: Float = 0
    /// Samples in full-scale runs of at least `shortestRun`.
    private(set) var clippedSamples = 0
    /// The length of the current run; negative if its samples are.
    private var run = 0

    /// Shorter runs also occur in unclipped sound.
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

    /// Counts clipped samples in the stretch just added, which nearly always has none.
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

    /// Adds the next sample: its sign if it is at full scale, else zero.
    private mutating func follow(_ sign: Int) {
        if sign == 0 || run.signum() == -sign { run = 0 }
        run += sign
        // A run counts in full once it reaches the minimum length.
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
