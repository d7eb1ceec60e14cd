import CLanes

/// Splits interleaved sound into hops of 10 ms, regardless of block sizes.
///
/// Analysis by hops therefore gives the same result for any block size.
struct SoundHops {
    let sampleRateHertz: Int
    let channels: Int
    /// The distance in frames between the two samples of a step: one up to 48 kHz, and the same
    /// time at higher rates, so that steps are comparable.
    private let stepFrames: Int
    /// Complete hops so far.
    private(set) var count = 0
    /// Frames so far, including the incomplete hop.
    private(set) var frames = 0
    /// The last frame before the current hop, then the hop's samples; only that frame if the hop
    /// lies within one block.
    private var samples: [Float]
    private var filled: Int

    init(sampleRateHertz: Int, channels: Int) {
        self.sampleRateHertz = sampleRateHertz
        self.channels = channels
        stepFrames = max(1, Int((Double(sampleRateHertz) / 48_000).rounded()))
        samples = Array(repeating: 0, count: (sampleRateHertz / 100 + 2) * channels)
        filled = channels
    }

    /// The first frame of a hop, counted in the recording.
    func start(of hop: Int) -> Int {
        SoundHops.start(of: hop, sampleRateHertz: sampleRateHertz)
    }

    static func start(of hop: Int, sampleRateHertz: Int) -> Int {
        (hop * sampleRateHertz + 50) / 100
    }

    /// Samples of the complete current hop and of the frame before it.
    private var wholeCount: Int { (start(of: count + 1) - start(of: count) + 1) * channels }

    /// Consumes the rest of the current hop from a block at `place`; if that completes the hop,
    /// returns its step power and starts the next.
    mutating func take(_ block: UnsafeBufferPointer<Float>, from place: inout Int) -> Float? {
        let lacking = wholeCount - filled
        guard filled == channels, place >= channels, lacking <= block.count - place,
            let base = block.baseAddress
        else { return gather(block, from: &place) }
        // Without copying, if the hop and the frame before it lie within the block.
        let power = stepPower(base + place - channels, lacking)
        place += lacking
        frames += lacking / channels
        count += 1
        for channel in 0..<channels { samples[channel] = base[place - channels + channel] }
        return power
    }

    /// Does the same for a hop that spans several blocks.
    private mutating func gather(
        _ block: UnsafeBufferPointer<Float>, from place: inout Int
    ) -> Float? {
        let taken = min(wholeCount - filled, block.count - place)
        let (start, first) = (filled, place)
        samples.withUnsafeMutableBufferPointer { samples in
            let own = UnsafeMutableBufferPointer(rebasing: samples[start...])
            _ = own.update(fromContentsOf: block[first..<first + taken])
            // The first frame has no predecessor, and counts as no step.
            if frames == 0, taken >= channels {
                for channel in 0..<channels { samples[channel] = samples[channels + channel] }
            }
        }
        filled += taken
        frames += taken / channels
        place += taken
        return filled == wholeCount ? next() : nil
    }

    /// Completes the current hop by repeating its last frame, and starts the next; returns the
    /// samples added and the step power.
    mutating func pad() -> (added: ArraySlice<Float>, stepPower: Float) {
        let before = filled
        while filled < wholeCount {
            samples[filled] = samples[filled - channels]
            filled += 1
        }
        let added = samples[before..<filled]
        return (added, next())
    }

    /// Starts the next hop, and returns the step power of the completed one.
    private mutating func next() -> Float {
        let own = filled - channels
        let power = samples.withUnsafeBufferPointer {
            // The buffer always has room for a hop, so it has an address.
            $0.baseAddress.map { stepPower($0, own) } ?? 0
        }
        for channel in 0..<channels { samples[channel] = samples[own + channel] }
        filled = channels
        count += 1
        return power
    }

    /// The mean square of the steps into and within a hop: zero if all its frames are equal,
    /// whatever precedes them; otherwise it measures the power above the bands.
    ///
    /// `samples` begin with the frame before the hop, which itself has `count` samples.
    private func stepPower(_ samples: UnsafePointer<Float>, _ count: Int) -> Float {
        if isConstant(samples + channels, count) { return 0 }
        let wide = count - (stepFrames - 1) * channels
        if stepFrames > 1, wide > 0 {
            let power =
                lanes_step_squares(samples, stepFrames * channels, wide) / Float(wide)
            // A signal with exactly this period is not silence.
            if power > 0 { return power }
        }
        return lanes_step_squares(samples, channels, count) / Float(max(1, count))
    }

    /// Whether a hop has at least two frames and all are equal.
    private func isConstant(_ samples: UnsafePointer<Float>, _ count: Int) -> Bool {
        count > channels
            && (channels..<count).allSatisfy { samples[$0] == samples[$0 - channels] }
    }
}
