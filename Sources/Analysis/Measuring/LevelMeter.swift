import CLanes
import Glibc
import Recordings

/// Peak, root mean square, offset and clipping of each channel, and what is no number in it.
///
/// Samples are summed in stretches of 512 frames that have their places by the beginning of the
/// recording, and those sums one by one in double precision, which ten hours do not wear out: so
/// the answer is the same for blocks of every size, and for a recording that was heard in sections.
package struct LevelMeter: BlockConsumer {
    private var meters: [ChannelMeter]
    /// Samples before the first whole stretch, where what is consumed begins within one.
    private var head: [Float] = []
    /// Frames that the head still lacks.
    private var headLack: Int
    /// Samples behind the last whole stretch.
    private var rest: [Float] = []
    /// Samples of each channel that are no numbers; empty where there are none.
    private var nonFiniteSamples: [Int] = []
    /// Where what is consumed begins and ends.
    private let firstFrame: Int
    private var endFrame: Int

    /// - Parameters:
    ///   - encoding: says how large a sample can be.
    ///   - section: Of a meter that is to be appended to another one, where it begins in the
    ///     recording.
    package init(channels: Int, encoding: SampleEncoding = .pcm16, section: Int? = nil) {
        precondition(channels > 0, "a recording has channels")
        let meter = ChannelMeter(
            fullScale: encoding.fullScale, keepsStretches: section != nil)
        let firstFrame = section ?? 0
        meters = Array(repeating: meter, count: channels)
        let frames = LevelMeter.stretchFrames
        headLack = (frames - firstFrame % frames) % frames
        self.firstFrame = firstFrame
        endFrame = firstFrame
    }

    package mutating func consume(_ block: borrowing AudioBlock) {
        precondition(block.channels == meters.count, "the channel count of a recording is fixed")
        nonFiniteSamples = nonFiniteSamples.adding(block.nonFiniteSamples)
        let count = block.sampleCount
        block.samples.withUnsafeBufferPointer {
            consume(UnsafeBufferPointer(rebasing: $0[..<count]))
        }
    }

    /// Takes in what another one consumed, which began where this one ends.
    package mutating func append(_ next: LevelMeter) {
        precondition(
            next.meters.count == meters.count && next.firstFrame == endFrame,
            "sections follow each other")
        nonFiniteSamples = nonFiniteSamples.adding(next.nonFiniteSamples)
        next.head.withUnsafeBufferPointer { consume($0) }
        for channel in meters.indices { meters[channel].append(next.meters[channel]) }
        endFrame = next.endFrame
        // What is left of this one became whole by the head, if there is more than that.
        if next.headLack == 0 { rest = next.rest }
    }

    /// The levels of everything consumed.
    package func finish() -> Levels {
        precondition(firstFrame == 0, "what begins within a recording has no levels of its own")
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

    /// Frames that are summed before anyone asks whether one of them is near full scale.
    private static let stretchFrames = 512

    /// Takes in whole frames.
    private mutating func consume(_ samples: UnsafeBufferPointer<Float>) {
        let channels = meters.count
        endFrame += samples.count / channels
        var start = min(samples.count, headLack * channels)
        if start > 0 {
            head.append(contentsOf: samples[..<start])
            headLack -= start / channels
        }
        let whole = LevelMeter.stretchFrames * channels
        if !rest.isEmpty, start < samples.count {
            let end = min(samples.count, start + whole - rest.count)
            rest.append(contentsOf: samples[start..<end])
            start = end
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

    /// Takes in a stretch.
    private mutating func take(_ samples: UnsafeBufferPointer<Float>) {
        let frames = samples.count / meters.count
        if SampleSums.laneCount.isMultiple(of: meters.count) {
            takeLanes(samples, frames: frames)
        } else {
            for channel in meters.indices {
                let sums = SampleSums(samples, channel: channel, channels: meters.count)
                meters[channel].add(sums, frames: frames)
            }
        }
        for channel in meters.indices {
            meters[channel].followClipping(in: samples, channel: channel, channels: meters.count)
        }
    }

    /// All channels in one sweep, each in its own lanes; in single precision, which some hundred
    /// samples of a lane do not wear out.
    private mutating func takeLanes(_ samples: UnsafeBufferPointer<Float>, frames: Int) {
        let channels = meters.count
        let whole = samples.count - samples.count % SampleSums.laneCount
        withUnsafeTemporaryAllocation(of: LanesLevels.self, capacity: channels) { levels in
            // A stretch without samples comes to nothing.
            guard let base = samples.baseAddress, let first = levels.baseAddress else { return }
            lanes_level_sums(base, whole, channels, first)
            for channel in meters.indices {
                var sums = SampleSums(levels[channel])
                for index in stride(from: whole + channel, to: samples.count, by: channels) {
                    sums.add(samples[index])
                }
                meters[channel].add(sums, frames: frames)
            }
        }
    }

    private func decibels(ofAmplitude amplitude: Double) -> Double? {
        amplitude > 0 ? (20 * log10(amplitude)).rounded(toDecimals: 2) : nil
    }
}
