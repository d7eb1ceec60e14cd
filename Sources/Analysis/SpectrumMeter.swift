import Recordings

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Listens for activity: scores every 10 ms by how far its spectrum stands above the noise floor.
///
/// Each channel is brought to 16…32 kHz and transformed by itself, and the power of all channels
/// is averaged, so that opposite phases cannot cancel. Memory is bounded but for the ten bytes a
/// frame of the track.
package struct SpectrumMeter: BlockConsumer {
    private let sampleRateHertz: Int
    private let decimator: Decimator
    private let transform: FourierTransform
    private let window: [Float]
    private let bands: MelBands
    private let periodicity: Periodicity
    /// Turns the squared magnitude of a bin into its share of the mean square of the samples.
    private let powerScale: Float
    /// Samples repeated before the first and behind the last one.
    private let padding: Int

    /// By channel, at the recording's rate and at the lower one.
    private var samples: [SampleQueue]
    private var decimated: [SampleQueue]
    private var frames = 0
    /// The next 10 ms to be analysed.
    private var next = 0
    private var power: [Float]
    private var levels: [Float]
    private var floor: NoiseFloor

    /// - Parameter keepsBands: whether the track is to have what the speech network is shown.
    package init(sampleRateHertz: Int, channels: Int, keepsBands: Bool = false) {
        precondition(sampleRateHertz > 0 && channels > 0, "a recording has a rate and channels")
        self.sampleRateHertz = sampleRateHertz
        decimator = Decimator(sampleRateHertz: sampleRateHertz)
        let rate = Double(sampleRateHertz) / Double(decimator.factor)
        let count = SpectrumMeter.transformCount(sampleRateHertz: rate)
        transform = FourierTransform(count: count)
        window = Window.hann(count)
        bands = MelBands(sampleRateHertz: rate, count: count)
        periodicity = Periodicity(hertzPerBin: rate / Double(count), binCount: count / 2)
        // A one-sided spectrum; the squares of a Hann window sum up to 3/8 of its length.
        powerScale = Float(2 / (Double(count) * 0.375 * Double(count) * Double(channels)))
        padding =
            (count / 2 + 4) * decimator.factor + decimator.span + sampleRateHertz / 100 + 1
        samples = Array(repeating: SampleQueue(start: -padding), count: channels)
        power = Array(repeating: 0, count: count / 2)
        let hasAir = decimator.factor > 1
        let bandCount = bands.bins.count + (hasAir ? 1 : 0)
        levels = Array(repeating: 0, count: bandCount + 1)
        floor = NoiseFloor(
            bands: bandCount, high: bands.high.lowerBound..<bandCount, keepsBands: keepsBands)
        decimated = []
        let first = centre(of: 0) - count / 2
        decimated = Array(repeating: SampleQueue(start: first), count: channels)
    }

    package mutating func consume(_ block: borrowing AudioBlock) {
        precondition(block.channels == samples.count, "the channel count of a recording is fixed")
        guard block.frames > 0 else { return }
        let count = block.sampleCount
        block.samples.withUnsafeBufferPointer {
            append(UnsafeBufferPointer(rebasing: $0[..<count]))
        }
        frames += block.frames
        while lastSample(for: next) < samples[0].end { analyse() }
    }

    /// The track of everything consumed.
    package mutating func finish() -> ActivityTrack {
        if frames > 0 {
            for channel in samples.indices {
                samples[channel].append(repeating: samples[channel].last ?? 0, count: padding)
            }
            while start(of: next) < frames { analyse() }
        }
        floor.finish()
        return floor.track
    }

    private mutating func append(_ interleaved: UnsafeBufferPointer<Float>) {
        for channel in samples.indices {
            if frames == 0 {
                samples[channel].append(
                    repeating: interleaved[channel].numberOrZero, count: padding)
            }
            samples[channel].append(interleaved, channel: channel, channels: samples.count)
        }
    }

    /// The longest size up to 32 ms whose transform is fast: a power of two times 1, 3, 5 or 9.
    static func transformCount(sampleRateHertz: Double) -> Int {
        let most = Int(sampleRateHertz * 0.032 + 0.5)
        let sizes = [1, 3, 5, 9].map { odd in
            var size = 2 * odd
            while size * 2 <= most { size *= 2 }
            return size
        }
        return sizes.filter { $0 <= most }.max() ?? 8
    }
}

// MARK: - Places

extension SpectrumMeter {
    /// The first sample of a frame of 10 ms, at the recording's rate.
    private func start(of frame: Int) -> Int {
        (frame * sampleRateHertz + 50) / 100
    }

    /// The middle of a frame at the lower rate.
    private func centre(of frame: Int) -> Int {
        (start(of: frame) + sampleRateHertz / 200) / decimator.factor
    }

    /// The last sample that the analysis of a frame looks at.
    private func lastSample(for frame: Int) -> Int {
        let lastOutput = centre(of: frame) + transform.count / 2
        return max(start(of: frame + 1), lastOutput * decimator.factor + decimator.span)
    }
}

// MARK: - Analysis

extension SpectrumMeter {
    private mutating func analyse() {
        let range = start(of: next)..<start(of: next + 1)
        var roughness: Float = 0
        for channel in samples.indices {
            roughness += differencePower(of: channel, in: range)
        }
        if roughness == 0 {
            floor.add(
                levels, FrameFacts(levelDBFS: -100, periodicity: 0, isDigitalSilence: true))
        } else {
            measure(roughness: roughness / Float(samples.count))
        }
        next += 1
        let lowest = min(
            start(of: next) - 1,
            (centre(of: next) - transform.count / 2) * decimator.factor - decimator.span)
        for channel in samples.indices { samples[channel].drop(before: lowest) }
    }

    private mutating func measure(roughness: Float) {
        power.withUnsafeMutableBufferPointer { $0.update(repeating: 0) }
        for channel in samples.indices { addPower(of: channel) }
        for (band, bins) in bands.bins.enumerated() {
            levels[band] = decibels(sum(bins))
        }
        levels[levels.count - 1] = decibels(sum(bands.voice))
        var whole = sum(bands.level)
        if decimator.factor > 1 {
            levels[bands.bins.count] = decibels(roughness)
            // Steps are up to twice as large as the samples they lie between.
            whole += roughness / 4
        }
        let periodicity = periodicity.measure(power)
        floor.add(
            levels,
            FrameFacts(
                levelDBFS: decibels(whole), periodicity: periodicity,
                isDigitalSilence: false))
    }

    private func sum(_ bins: Range<Int>) -> Float {
        power.withUnsafeBufferPointer { power in
            // Eight sums side by side, since each addition waits for the one before it.
            var sums = SIMD8<Float>.zero
            var sum: Float = 0
            var bin = bins.lowerBound
            while bin + 8 <= bins.upperBound {
                for lane in 0..<8 { sums[lane] += power[bin &+ lane] }
                bin += 8
            }
            while bin < bins.upperBound {
                sum += power[bin]
                bin += 1
            }
            return sum + sums.sum()
        }
    }

    private func decibels(_ power: Float) -> Float {
        10 * log10f(power + 1e-10)
    }

    /// Adds the power spectrum of a channel around the next frame.
    private mutating func addPower(of channel: Int) {
        let count = transform.count
        let first = centre(of: next) - count / 2
        if decimator.factor > 1 {
            decimate(channel, from: first, through: first + count)
            decimated[channel].withSamples(from: first, fillInput)
            decimated[channel].drop(before: first)
        } else {
            samples[channel].withSamples(from: first, fillInput)
        }
        transform.run()
        let output = transform.output
        let scale = powerScale
        power.withUnsafeMutableBufferPointer { power in
            for bin in power.indices {
                let value = output[bin]
                power[bin] +=
                    scale * (value.real * value.real + value.imaginary * value.imaginary)
            }
        }
    }

    private func fillInput(_ samples: UnsafeBufferPointer<Float>) {
        let input = transform.input
        window.withUnsafeBufferPointer { window in
            for index in 0..<window.count { input[index] = samples[index] * window[index] }
        }
    }

    /// Brings the samples at the lower rate up to a place.
    private mutating func decimate(_ channel: Int, from first: Int, through end: Int) {
        // After a stretch of digital silence, whose frames need no spectrum, there is a gap.
        if decimated[channel].end < first { decimated[channel] = SampleQueue(start: first) }
        let decimator = decimator
        let begin = decimated[channel].end
        let outputs = max(0, end - begin)
        guard outputs > 0 else { return }
        samples[channel].withSamples(from: begin * decimator.factor - decimator.reach) { source in
            decimated[channel].append(count: outputs) { decimator.decimate(source, into: $0) }
        }
    }

    /// The mean square of the steps between neighbouring samples; zero only where all are the
    /// same, and else a measure of what lies above the bands.
    private func differencePower(of channel: Int, in range: Range<Int>) -> Float {
        samples[channel].withSamples(from: range.lowerBound - 1) { samples in
            guard let base = UnsafeRawPointer(samples.baseAddress) else { return 0 }
            var sums = SIMD8<Float>.zero
            let whole = range.count / 8 * 8
            for index in stride(from: 0, to: whole, by: 8) {
                let before = base.loadUnaligned(
                    fromByteOffset: 4 &* index, as: SIMD8<Float>.self)
                let after = base.loadUnaligned(
                    fromByteOffset: 4 &* index &+ 4, as: SIMD8<Float>.self)
                sums += (after - before) * (after - before)
            }
            var sum = sums.sum()
            for index in whole..<range.count {
                let step = samples[index + 1] - samples[index]
                sum += step * step
            }
            return sum / Float(max(1, range.count))
        }
    }
}
