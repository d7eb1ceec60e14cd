import CLanes
import Recordings

/// Minimum and maximum of every stretch of frames, for several zooms in one pass.
///
/// The rules are those of audiowaveform's data files: 16-bit samples, mixed down by integer
/// division toward zero unless channels are kept apart, the last partial pixel written from the
/// frames it has. Memory grows with the number of pixels only.
package struct WaveformBuilder: BlockConsumer {
    private let channels: Int
    private let splitChannels: Bool
    private var zooms: [Zoom]
    /// One channel's samples in a row: the mix, or the channel being looked at.
    private var lane: [Int16] = []

    /// A builder for each of `samplesPerPixel`, in their order.
    package init(samplesPerPixel: [Int], channels: Int, splitChannels: Bool) {
        precondition(channels > 0, "a recording has channels")
        self.channels = channels
        self.splitChannels = splitChannels && channels > 1
        let lanes = self.splitChannels ? channels : 1
        zooms = samplesPerPixel.map { Zoom(samplesPerPixel: $0, lanes: lanes) }
    }

    /// Makes room for the peaks of a recording of so many frames.
    package mutating func expect(frames: Int) {
        for index in zooms.indices { zooms[index].expect(frames: frames) }
    }

    package mutating func consume(_ block: borrowing AudioBlock) {
        precondition(block.channels == channels, "the channel count of a recording is fixed")
        let frames = block.frames
        if lane.count < frames {
            lane = Array(repeating: 0, count: frames)
        }
        block.int16.withUnsafeBufferPointer { samples in
            if channels == 1 {
                extend(lane: 0, by: UnsafeBufferPointer(rebasing: samples[..<frames]))
            } else if splitChannels {
                for channel in 0..<channels {
                    pick(channel: channel, of: samples, frames: frames)
                    extend(lane: channel, frames: frames)
                }
            } else {
                mix(samples, frames: frames)
                extend(lane: 0, frames: frames)
            }
        }
    }

    /// The peaks of everything consumed, one for each zoom in the order asked for.
    package mutating func finish() -> [Peaks] {
        zooms.indices.map { zooms[$0].finish() }
    }

    private mutating func extend(lane index: Int, frames: Int) {
        lane.withUnsafeBufferPointer { samples in
            for zoom in zooms.indices {
                zooms[zoom].extend(index, by: UnsafeBufferPointer(rebasing: samples[..<frames]))
            }
        }
    }

    private mutating func extend(lane index: Int, by samples: UnsafeBufferPointer<Int16>) {
        for zoom in zooms.indices {
            zooms[zoom].extend(index, by: samples)
        }
    }

    private mutating func pick(
        channel: Int, of samples: UnsafeBufferPointer<Int16>, frames: Int
    ) {
        let channels = channels
        lane.withUnsafeMutableBufferPointer { lane in
            for frame in 0..<frames {
                lane[frame] = samples[frame &* channels &+ channel]
            }
        }
    }

    /// Sums the channels and divides by their number, toward zero.
    private mutating func mix(_ samples: UnsafeBufferPointer<Int16>, frames: Int) {
        let channels = channels
        lane.withUnsafeMutableBufferPointer { lane in
            if channels == 2, let pairs = samples.baseAddress, let mix = lane.baseAddress {
                lanes_mix_pairs(pairs, frames, mix)
                return
            }
            for frame in 0..<frames {
                var sum: Int32 = 0
                for channel in 0..<channels {
                    sum &+= Int32(samples[frame &* channels &+ channel])
                }
                lane[frame] = Int16(truncatingIfNeeded: sum / Int32(channels))
            }
        }
    }
}

/// One zoom in the making.
private struct Zoom {
    private let samplesPerPixel: Int
    private var lanes: [Lane]

    /// The finished pixels of one lane, and the one that is still open.
    private struct Lane {
        var values: [Int16] = []
        var minimum = Int16.max
        var maximum = Int16.min
        /// Frames in the open pixel.
        var frames = 0
    }

    init(samplesPerPixel: Int, lanes: Int) {
        precondition(samplesPerPixel > 0, "a pixel has samples")
        self.samplesPerPixel = samplesPerPixel
        self.lanes = Array(repeating: Lane(), count: lanes)
    }

    mutating func expect(frames: Int) {
        // Not more than some megabytes on the word of a header.
        let values = min(2 * (frames / samplesPerPixel + 1), 1 << 23 / lanes.count)
        for index in lanes.indices { lanes[index].values.reserveCapacity(values) }
    }

    mutating func extend(_ index: Int, by samples: UnsafeBufferPointer<Int16>) {
        var start = 0
        while start < samples.count {
            let whole = (samples.count - start) / samplesPerPixel
            if lanes[index].frames == 0, whole > 0 {
                let end = start + whole * samplesPerPixel
                append(index, whole, UnsafeBufferPointer(rebasing: samples[start..<end]))
                start = end
                continue
            }
            let end = min(samples.count, start + samplesPerPixel - lanes[index].frames)
            widen(index, by: UnsafeBufferPointer(rebasing: samples[start..<end]))
            lanes[index].frames += end - start
            if lanes[index].frames == samplesPerPixel { close(index) }
            start = end
        }
    }

    /// Widens the open pixel by samples, of which there are some.
    private mutating func widen(_ index: Int, by samples: UnsafeBufferPointer<Int16>) {
        var range = (low: Int16.max, high: Int16.min)
        withUnsafeMutablePointer(to: &range) {
            // Two numbers, one behind the other.
            $0.withMemoryRebound(to: Int16.self, capacity: 2) {
                guard let first = samples.baseAddress else { return }
                lanes_ranges(first, samples.count, 1, $0)
            }
        }
        lanes[index].minimum = min(lanes[index].minimum, range.low)
        lanes[index].maximum = max(lanes[index].maximum, range.high)
    }

    /// Appends so many whole pixels.
    private mutating func append(
        _ index: Int, _ pixels: Int, _ samples: UnsafeBufferPointer<Int16>
    ) {
        let samplesPerPixel = samplesPerPixel
        let first = lanes[index].values.count
        lanes[index].values.append(contentsOf: repeatElement(0, count: 2 * pixels))
        lanes[index].values.withUnsafeMutableBufferPointer { values in
            // There is a pixel at least, and two values for each.
            guard let from = samples.baseAddress, let to = values.baseAddress else { return }
            lanes_ranges(from, samplesPerPixel, pixels, to + first)
        }
    }

    mutating func finish() -> Peaks {
        for index in lanes.indices where lanes[index].frames > 0 { close(index) }
        return Peaks(
            samplesPerPixel: samplesPerPixel, channels: lanes.count, values: interleaved())
    }

    private mutating func close(_ index: Int) {
        lanes[index].values.append(lanes[index].minimum)
        lanes[index].values.append(lanes[index].maximum)
        lanes[index].minimum = .max
        lanes[index].maximum = .min
        lanes[index].frames = 0
    }

    private func interleaved() -> [Int16] {
        if lanes.count == 1 { return lanes[0].values }
        var values: [Int16] = []
        values.reserveCapacity(lanes.count * lanes[0].values.count)
        for pixel in stride(from: 0, to: lanes[0].values.count, by: 2) {
            for lane in lanes {
                values.append(lane.values[pixel])
                values.append(lane.values[pixel + 1])
            }
        }
        return values
    }
}
