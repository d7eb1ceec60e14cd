/// A block of decoded frames, interleaved by channel.
///
/// Two views of the same samples: `samples` for measuring, `int16` for the waveform, whose format
/// prescribes how every encoding becomes 16 bits. The arrays keep their capacity from block to
/// block; only the first `sampleCount` of each belong to this block. It lives among the nouns
/// because the room that decodes and the room that analyses both speak it and never see each other.
package struct AudioBlock: Sendable {
    package var channels: Int
    /// Frames in this block.
    package var frames: Int
    /// Full scale is ±1; floating-point sources may lie beyond, as far as `largestSample`.
    package var samples: [Float]
    /// The same samples in 16 bits, clamped.
    package var int16: [Int16]
    /// How many samples of each channel are no numbers, or infinite; empty where there are none.
    package var nonFiniteSamples: [Int] = []

    /// Larger samples come from broken files only, and their squares would not fit; they are lent
    /// as zero, like what is no number at all, so that nobody who listens need ask.
    package static let largestSample: Float = 1e9

    /// Samples of all channels in this block.
    package var sampleCount: Int { frames * channels }

    /// Room for `capacityFrames` frames, none of them filled.
    package init(channels: Int, capacityFrames: Int) {
        self.channels = channels
        self.frames = 0
        self.samples = Array(repeating: 0, count: channels * capacityFrames)
        self.int16 = Array(repeating: 0, count: channels * capacityFrames)
    }

    package var capacityFrames: Int { channels > 0 ? samples.count / channels : 0 }
}

extension [Int] {
    /// These counts by channel and others; none at all stand for zeros.
    package func adding(_ others: [Int]) -> [Int] {
        if isEmpty { return others }
        return others.isEmpty ? self : zip(self, others).map { $0 + $1 }
    }
}
