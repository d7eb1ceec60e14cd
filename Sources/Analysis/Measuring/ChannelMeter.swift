/// What one channel has shown so far.
struct ChannelMeter {
    private(set) var peak: Float = 0
    private(set) var samplesBeyondFullScale = 0
    private var sum = 0.0
    private var sumOfSquares = 0.0
    private var frames = 0
    /// The sums of each stretch, where others come before them.
    private var stretches: [SampleSums] = []
    private let keepsStretches: Bool
    /// What clipped samples reach.
    private let fullScale: Float
    /// The peak of the stretch that was added last.
    private var stretchPeak: Float = 0
    private var clipping = ClippedRuns()

    /// - Parameters:
    ///   - fullScale: the largest sample of the recording's encoding.
    ///   - keepsStretches: Whether it is of a section, whose sums are added one by one to those of
    ///     the sections before it.
    init(fullScale: Float, keepsStretches: Bool) {
        self.fullScale = fullScale
        self.keepsStretches = keepsStretches
    }

    var clippedSamples: Int { clipping.samples }
    var mean: Double { frames > 0 ? sum / Double(frames) : 0 }
    var rootMeanSquare: Double { frames > 0 ? (sumOfSquares / Double(frames)).squareRoot() : 0 }

    mutating func add(_ sums: SampleSums, frames: Int) {
        if keepsStretches { stretches.append(sums) }
        sum += sums.sum
        sumOfSquares += sums.sumOfSquares
        stretchPeak = sums.peak
        peak = max(peak, sums.peak)
        self.frames += frames
    }

    /// Goes on with what another one has shown.
    mutating func append(_ next: ChannelMeter) {
        precondition(
            next.keepsStretches && !keepsStretches,
            "sums are added in the same order whoever made them")
        for stretch in next.stretches {
            sum += stretch.sum
            sumOfSquares += stretch.sumOfSquares
        }
        peak = max(peak, next.peak)
        frames += next.frames
        samplesBeyondFullScale += next.samplesBeyondFullScale
        clipping.append(next.clipping)
    }

    /// Counts what clipped in the stretch just added; almost always nothing came near.
    mutating func followClipping(
        in samples: UnsafeBufferPointer<Float>, channel: Int, channels: Int
    ) {
        guard stretchPeak >= fullScale else {
            clipping.skip()
            return
        }
        for index in stride(from: channel, to: samples.count, by: channels) {
            let sample = samples[index]
            if abs(sample) > 1 { samplesBeyondFullScale += 1 }
            clipping.follow(abs(sample) >= fullScale ? (sample > 0 ? 1 : -1) : 0)
        }
    }
}

/// Counts samples in runs at full scale, which may go on from one section to the next.
private struct ClippedRuns {
    /// Those in runs that are long enough.
    private(set) var samples = 0
    /// The run that lasts, negative where its samples are.
    private var run = 0
    /// The run that all began with.
    private var first = 0
    /// Whether that still lasts, or nothing has come yet.
    private var isFirst = true

    /// Shorter runs happen in sound that was never clipped.
    private static let shortest = 3

    /// Takes in the next sample: its sign where it is at full scale, and else zero.
    mutating func follow(_ sign: Int) {
        if sign == 0 { return skip() }
        if run.signum() == -sign { skip() }
        run += sign
        if isFirst { first = run }
        // The run counts as a whole from the sample on that makes it long enough.
        samples += ClippedRuns.count(run) - ClippedRuns.count(run - sign)
    }

    /// Takes in samples that are not at full scale.
    mutating func skip() {
        isFirst = false
        run = 0
    }

    /// Goes on with what followed.
    mutating func append(_ next: ClippedRuns) {
        if next.isFirst && next.first == 0 { return }
        samples += next.samples
        guard run.signum() * next.first.signum() > 0 else {
            run = next.run
            return
        }
        let joined = run + next.first
        samples +=
            ClippedRuns.count(joined) - ClippedRuns.count(run) - ClippedRuns.count(next.first)
        run = next.isFirst ? joined : next.run
    }

    private static func count(_ run: Int) -> Int { abs(run) >= shortest ? abs(run) : 0 }
}
