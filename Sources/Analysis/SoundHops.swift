import CLanes

/// Cuts interleaved sound into hops of 10 ms, in whatever blocks it comes.
///
/// So whoever listens hop by hop gives the same answer for blocks of every size.
struct SoundHops {
    let sampleRateHertz: Int
    let channels: Int
    /// Whole hops so far.
    private(set) var count: Int
    /// Frames so far, those of the hop under way included.
    private(set) var frames: Int
    /// The last frame before the hop under way, and what there is of its own.
    private var samples: [Float]
    private var filled: Int

    /// - Parameter firstHop: Where it is not the first of the recording, `follow` tells what lies
    ///   before it.
    init(sampleRateHertz: Int, channels: Int, firstHop: Int = 0) {
        self.sampleRateHertz = sampleRateHertz
        self.channels = channels
        count = firstHop
        frames = SoundHops.start(of: firstHop, sampleRateHertz: sampleRateHertz)
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

    /// Takes in the frame before the first hop.
    mutating func follow(_ frame: ArraySlice<Float>) {
        precondition(frame.count == channels && filled == channels, "a frame, before any hop")
        samples.replaceSubrange(0..<channels, with: frame)
    }

    /// No hop has more frames.
    var mostFrames: Int { sampleRateHertz / 100 + 1 }

    /// The samples of the hop under way and of the frame before it, when it is whole.
    private var wholeCount: Int { (start(of: count + 1) - start(of: count) + 1) * channels }

    /// Takes from the front of `source` what the hop under way lacks, and says whether the hop is
    /// whole; then `next()` begins another.
    mutating func fill(from source: inout UnsafeBufferPointer<Float>) -> Bool {
        let taken = min(wholeCount - filled, source.count)
        let start = filled
        samples.withUnsafeMutableBufferPointer { samples in
            let own = UnsafeMutableBufferPointer(rebasing: samples[start...])
            _ = own.update(fromContentsOf: source[..<taken])
            // Before the first frame there was none that differed from it.
            if frames == 0, taken >= channels {
                for channel in 0..<channels { samples[channel] = samples[channels + channel] }
            }
        }
        filled += taken
        frames += taken / channels
        source = UnsafeBufferPointer(rebasing: source[taken...])
        return filled == wholeCount
    }

    /// Makes the hop under way whole, with its last frame as often as need be, and gives what was
    /// added.
    mutating func pad() -> ArraySlice<Float> {
        let before = filled
        while filled < wholeCount {
            samples[filled] = samples[filled - channels]
            filled += 1
        }
        return samples[before..<filled]
    }

    /// Begins the next hop.
    mutating func next() {
        for channel in 0..<channels { samples[channel] = samples[filled - channels + channel] }
        filled = channels
        count += 1
    }

    /// The mean square of the steps from frame to frame through the hop under way: zero only where
    /// all frames are the same, and else a measure of what lies above the bands.
    func stepPower() -> Float {
        samples.withUnsafeBufferPointer { samples in
            guard let base = samples.baseAddress else { return 0 }
            // The hop has so many samples, and a frame lies before it.
            let count = filled - channels
            return lanes_step_squares(base, channels, count) / Float(max(1, count))
        }
    }
}
