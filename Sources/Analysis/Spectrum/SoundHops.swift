import CLanes

/// Cuts interleaved sound into hops of 10 ms, in whatever blocks it comes.
///
/// So whoever listens hop by hop gives the same answer for blocks of every size.
struct SoundHops {
    let sampleRateHertz: Int
    let channels: Int
    /// Frames from one side of a step to the other: one at 48 kHz and below, and as long a time at
    /// higher rates, so that a step shows the same of a sound.
    private let stepFrames: Int
    /// Whole hops so far.
    private(set) var count = 0
    /// Frames so far, those of the hop under way included.
    private(set) var frames = 0
    /// The last frame before the hop under way, and what there is of its own; only the former of a
    /// hop that lies in one block.
    private var samples: [Float]
    private var filled: Int

    init(sampleRateHertz: Int, channels: Int) {
        self.sampleRateHertz = sampleRateHertz
        self.channels = channels
        stepFrames = max(1, Int((Double(sampleRateHertz) / 48_000).rounded()))
        samples = Array(repeating: 0, count: (sampleRateHertz / 100 + 2) * channels)
        filled = channels
    }

    /// Where a hop begins, in frames of the recording.
    func start(of hop: Int) -> Int {
        SoundHops.start(of: hop, sampleRateHertz: sampleRateHertz)
    }

    static func start(of hop: Int, sampleRateHertz: Int) -> Int {
        (hop * sampleRateHertz + 50) / 100
    }

    /// The samples of the hop under way and of the frame before it, when it is whole.
    private var wholeCount: Int { (start(of: count + 1) - start(of: count) + 1) * channels }

    /// Takes what the hop under way lacks of a block, from a place on, and gives its step power if
    /// it is whole then, and begins the next.
    mutating func take(_ block: UnsafeBufferPointer<Float>, from place: inout Int) -> Float? {
        let lacking = wholeCount - filled
        guard filled == channels, place >= channels, lacking <= block.count - place,
            let base = block.baseAddress
        else { return gather(block, from: &place) }
        // Nothing is moved of a hop that lies in the block with the frame before it.
        let power = stepPower(base + place - channels, lacking)
        place += lacking
        frames += lacking / channels
        count += 1
        for channel in 0..<channels { samples[channel] = base[place - channels + channel] }
        return power
    }

    /// The same, for a hop that comes in several blocks.
    private mutating func gather(
        _ block: UnsafeBufferPointer<Float>, from place: inout Int
    ) -> Float? {
        let taken = min(wholeCount - filled, block.count - place)
        let (start, first) = (filled, place)
        samples.withUnsafeMutableBufferPointer { samples in
            let own = UnsafeMutableBufferPointer(rebasing: samples[start...])
            _ = own.update(fromContentsOf: block[first..<first + taken])
            // Before the first frame there was none that differed from it.
            if frames == 0, taken >= channels {
                for channel in 0..<channels { samples[channel] = samples[channels + channel] }
            }
        }
        filled += taken
        frames += taken / channels
        place += taken
        return filled == wholeCount ? next() : nil
    }

    /// Makes the hop under way whole, with its last frame as often as need be, and gives what was
    /// added and its step power; begins the next.
    mutating func pad() -> (added: ArraySlice<Float>, stepPower: Float) {
        let before = filled
        while filled < wholeCount {
            samples[filled] = samples[filled - channels]
            filled += 1
        }
        let added = samples[before..<filled]
        return (added, next())
    }

    /// Begins the next hop, and gives the step power of the one that is whole.
    private mutating func next() -> Float {
        let own = filled - channels
        let power = samples.withUnsafeBufferPointer {
            // There is always room for a hop, so there is an address.
            $0.baseAddress.map { stepPower($0, own) } ?? 0
        }
        for channel in 0..<channels { samples[channel] = samples[own + channel] }
        filled = channels
        count += 1
        return power
    }

    /// The mean square of the steps into and through a hop: zero where all its frames are the same,
    /// whatever went before, and else a measure of what lies above the bands.
    ///
    /// `samples` begin with the frame before the hop, which has `count` of its own.
    private func stepPower(_ samples: UnsafePointer<Float>, _ count: Int) -> Float {
        if isConstant(samples + channels, count) { return 0 }
        let wide = count - (stepFrames - 1) * channels
        if stepFrames > 1, wide > 0 {
            let power =
                lanes_step_squares(samples, stepFrames * channels, wide) / Float(wide)
            // What repeats in just this time is no silence.
            if power > 0 { return power }
        }
        return lanes_step_squares(samples, channels, count) / Float(max(1, count))
    }

    /// Whether all frames of a hop are the same, of which there are two or more.
    private func isConstant(_ samples: UnsafePointer<Float>, _ count: Int) -> Bool {
        count > channels
            && (channels..<count).allSatisfy { samples[$0] == samples[$0 - channels] }
    }
}
