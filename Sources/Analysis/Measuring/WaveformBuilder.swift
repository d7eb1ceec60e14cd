import CLanes
import Recordings

/// Computes minimum and maximum per pixel, for several zooms in one pass.
///
/// Follows audiowaveform's data files: 16-bit samples, mixed down by integer division toward zero
/// unless channels are split; the last partial pixel covers the frames it has. Memory grows only
/// with the number of pixels.
package struct WaveformBuilder: BlockConsumer {
    private let channels: Int
    /// The number of rows of pixels: one for the mix, or one per channel.
    private let laneCount: Int
    /// By zoom, lane by lane.
    private var zooms: [[WaveformLane]]
    /// Consecutive samples of one channel, or of the mix.
    private var row: [Int16] = []

    /// A builder for each of `zooms`, in that order.
    package init(zooms: [WaveformRecipe.Zoom], channels: Int, splitChannels: Bool) {
        precondition(channels > 0, "a recording has channels")
        self.channels = channels
        let laneCount = splitChannels ? channels : 1
        self.laneCount = laneCount
        self.zooms = zooms.map { Array(repeating: WaveformLane($0), count: laneCount) }
    }

    /// Reserves memory for the peaks of `frames` frames.
    package mutating func expect(frames: Int) {
        for zoom in zooms.indices {
            for lane in zooms[zoom].indices {
                // A header is trusted with a few megabytes only.
                zooms[zoom][lane].expect(frames: frames, atMost: 1 << 23 / laneCount)
            }
        }
    }

    package mutating func consume(_ block: borrowing AudioBlock) {
        precondition(block.channels == channels, "the channel count of a recording is fixed")
        let frames = block.frames
        if row.count < frames { row = Array(repeating: 0, count: frames) }
        block.int16.withUnsafeBufferPointer { samples in
            if channels == 1 { return extend(0, by: samples, frames: frames) }
            for lane in 0..<laneCount {
                if laneCount > 1 {
                    pick(channel: lane, of: samples, frames: frames)
                } else {
                    mix(samples, frames: frames)
                }
                row.withUnsafeBufferPointer { extend(lane, by: $0, frames: frames) }
            }
        }
    }

    /// The peaks of everything consumed, one per zoom in the order requested.
    package func finish() -> [Peaks] {
        zooms.map { lanes in
            let lanes = lanes.map { $0.finished() }
            return Peaks(
                samplesPerPixel: lanes[0].samplesPerPixel, channels: laneCount,
                values: WaveformBuilder.interleaved(lanes))
        }
    }

    private mutating func extend(
        _ lane: Int, by samples: UnsafeBufferPointer<Int16>, frames: Int
    ) {
        for zoom in zooms.indices {
            zooms[zoom][lane].extend(by: UnsafeBufferPointer(rebasing: samples[..<frames]))
        }
    }

    private mutating func pick(
        channel: Int, of samples: UnsafeBufferPointer<Int16>, frames: Int
    ) {
        let channels = channels
        row.withUnsafeMutableBufferPointer { row in
            for frame in 0..<frames { row[frame] = samples[frame &* channels &+ channel] }
        }
    }

    /// Averages the channels, rounding toward zero.
    private mutating func mix(_ samples: UnsafeBufferPointer<Int16>, frames: Int) {
        let channels = channels
        row.withUnsafeMutableBufferPointer { row in
            if channels == 2, let pairs = samples.baseAddress, let mix = row.baseAddress {
                lanes_mix_pairs(pairs, frames, mix)
                return
            }
            for frame in 0..<frames {
                var sum: Int32 = 0
                for channel in 0..<channels {
                    sum &+= Int32(samples[frame &* channels &+ channel])
                }
                row[frame] = Int16(truncatingIfNeeded: sum / Int32(channels))
            }
        }
    }

    private static func interleaved(_ lanes: [WaveformLane]) -> [Int16] {
        if lanes.count == 1 { return lanes[0].values }
        var values: [Int16] = []
        values.reserveCapacity(lanes.count * lanes[0].values.count)
        for pixel in stride(from: 0, to: lanes[0].values.count, by: 2) {
            for lane in lanes { values += lane.values[pixel..<pixel + 2] }
        }
        return values
    }
}
