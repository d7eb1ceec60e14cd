/// A block of decoded frames, interleaved by channel.
///
/// Two views of the same samples: `samples` for measuring, and `int16` for the waveform, whose
/// format prescribes the conversion to 16 bits. The arrays keep their capacity from block to block;
/// only the first `sampleCount` elements belong to this block. The type is in Recordings because
/// decoding and analysis both use it, and neither imports the other.
package struct AudioBlock: Sendable {
    package var channels: Int
    /// Frames in this block.
    package var frames: Int
    /// Full scale is ±1; floating-point sources may exceed it, up to `largestSample`.
    package var samples: [Float]
    /// The same samples in 16 bits, clamped.
    package var int16: [Int16]
    /// NaN or infinite samples per channel; empty if there are none.
    package var nonFiniteSamples: [Int] = []

    /// The largest magnitude that consumers see: larger samples, found only in broken files, would
    /// overflow when squared, so they become zero, like NaN, and consumers need no check.
    package static let largestSample: Float = 1e9

    /// Samples of all channels in this block.
    package var sampleCount: Int { frames * channels }

    /// An empty block with capacity for `capacityFrames` frames.
    package init(channels: Int, capacityFrames: Int) {
        self.channels = channels
        self.frames = 0
        self.samples = Array(repeating: 0, count: channels * capacityFrames)
        self.int16 = Array(repeating: 0, count: channels * capacityFrames)
    }

    /// Makes this the samples of one channel of another block, without those in 16 bits.
    package mutating func copySamples(ofChannel channel: Int, in block: borrowing AudioBlock) {
        (channels, frames) = (1, block.frames)
        if samples.count < frames {
            samples.append(contentsOf: repeatElement(0, count: frames - samples.count))
        }
        for frame in 0..<frames { samples[frame] = block.samples[frame * block.channels + channel] }
    }

    package var capacityFrames: Int { channels > 0 ? samples.count / channels : 0 }
}

extension [Int] {
    /// Per-channel sums of two lists of counts; an empty list counts as zeros.
    package func adding(_ others: [Int]) -> [Int] {
        if isEmpty { return others }
        return others.isEmpty ? self : zip(self, others).map { $0 + $1 }
    }
}
