import CLanes
import Glibc
import Recordings

/// Measures peak, RMS, DC offset and clipping of each channel, and counts non-finite samples.
///
/// Samples are summed in stretches of 512 frames, aligned to the start of the recording, and the
/// sums are added in order in double precision, accurate enough for ten hours. So the result is the
/// same for any block size.
package struct LevelMeter: BlockConsumer {
    private var meters: [ChannelMeter]
    /// Samples after the last complete stretch.
    private var rest: [Float] = []
    /// NaN or infinite samples per channel; empty if there are none.
    private var nonFiniteSamples: [Int] = []

    /// - Parameter encoding: determines the full-scale value.
    package init(channels: Int, encoding: SampleEncoding = .pcm16) {
        precondition(channels > 0, "a recording has channels")
        meters = Array(repeating: ChannelMeter(fullScale: encoding.fullScale), count: channels)
    }

    package mutating func consume(_ block: borrowing AudioBlock) {
        precondition(block.channels == meters.count, "the channel count of a recording is fixed")
        nonFiniteSamples = nonFiniteSamples.adding(block.nonFiniteSamples)
        let count = block.sampleCount
        block.samples.withUnsafeBufferPointer {
            consume(UnsafeBufferPointer(rebasing: $0[..<count]))
        }
    }

    /// The levels of everything consumed.
    package func finish() -> Levels {
        var whole = self
        whole.takeRest()
        let meters = whole.meters
        return Levels(
            peakDBFS: meters.map { decibels(ofAmplitude: Double($0.peak)) },
            rmsDBFS: meters.map { decibels(ofAmplitude: $0.rootMeanSquare) },
            dcOffset: meters.map { $0.mean.rounded(toDecimals: 6) },
            clippedSamples: meters.map(\.clippedSamples),
            samplesBeyondFullScale: meters.map(\.samplesBeyondFullScale),
            nonFiniteSamples: nonFiniteSamples.isEmpty ? nil : nonFiniteSamples)
    }

    /// Frames that are summed before checking whether any is near full scale.
    private static let stretchFrames = 512

    /// Adds complete frames.
    private mutating func consume(_ samples: UnsafeBufferPointer<Float>) {
        let whole = LevelMeter.stretchFrames * meters.count
        var start = 0
        if !rest.isEmpty {
            start = min(samples.count, whole - rest.count)
            rest.append(contentsOf: samples[..<start])
            if rest.count == whole { takeRest() }
        }
        while start + whole <= samples.count {
            take(UnsafeBufferPointer(rebasing: samples[start..<start + whole]))
            start += whole
        }
        rest.append(contentsOf: samples[start...])
    }

    private mutating func takeRest() {
        let stretch = rest
        rest.removeAll(keepingCapacity: true)
        stretch.withUnsafeBufferPointer { take($0) }
    }

    /// Adds a stretch.
    ///
    /// If the channel count divides the lane count, all channels are summed in one pass, each in
    /// its own lanes. Single precision suffices for some hundred samples per lane.
    private mutating func take(_ samples: UnsafeBufferPointer<Float>) {
        let (channels, lanes) = (meters.count, Int(LANES_SUMS))
        let whole = lanes.isMultiple(of: channels) ? samples.count - samples.count % lanes : 0
        withUnsafeTemporaryAllocation(of: LanesLevels.self, capacity: channels) { levels in
            levels.initialize(repeating: LanesLevels())
            if whole > 0, let base = samples.baseAddress, let first = levels.baseAddress {
                lanes_level_sums(base, whole, channels, first)
            }
            for channel in meters.indices {
                for index in stride(from: whole + channel, to: samples.count, by: channels) {
                    levels[channel].add(samples[index])
                }
                meters[channel].add(levels[channel], frames: samples.count / channels)
                meters[channel].followClipping(in: samples, channel: channel, channels: channels)
            }
        }
    }

    private func decibels(ofAmplitude amplitude: Double) -> Double? {
        amplitude > 0 ? (20 * log10(amplitude)).rounded(toDecimals: 2) : nil
    }
}
