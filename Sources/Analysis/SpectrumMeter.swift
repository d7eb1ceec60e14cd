import Recordings

/// Listens for activity: scores every 10 ms by how far its spectrum stands above the noise floor.
///
/// Each channel is brought to 16…32 kHz and transformed by itself, and the power of all channels
/// is averaged, so that opposite phases cannot cancel. Two transforms cost as much as one (see
/// `TwinSpectrum`), which is why frames are looked at in pairs. Memory is bounded but for that of
/// the track.
package struct SpectrumMeter: BlockConsumer {
    private var hops: SoundHops
    private var decimator: Decimator
    private let spectrum: TwinSpectrum
    private let bands: MelBands
    private let periodicity: Periodicity
    private var floor: NoiseFloor

    /// The next frame of 10 ms to be analysed.
    private var next = 0
    /// How much the samples of the hops from `next` on change from one to the next.
    private var stepPowers: [Float] = []
    /// The powers of both frames by lane of their rows.
    private var sums = [SIMD2<Float>](repeating: .zero, count: BandRow.count)

    /// - Parameter keepsBands: Whether the track is to have what the speech network is shown, which
    ///   has never heard rates under 8 kHz: there it has what the levels are judged by.
    package init(sampleRateHertz: Int, channels: Int, keepsBands: Bool = false) {
        let keepsBands = keepsBands && sampleRateHertz >= 8000
        precondition(sampleRateHertz > 0 && channels > 0, "a recording has a rate and channels")
        hops = SoundHops(sampleRateHertz: sampleRateHertz, channels: channels)
        let factor = Decimator.factor(sampleRateHertz: sampleRateHertz)
        let rate = Double(sampleRateHertz) / Double(factor)
        let count = SpectrumMeter.transformCount(sampleRateHertz: rate)
        decimator = Decimator(
            sampleRateHertz: sampleRateHertz, channels: channels, lead: count / 2,
            mostFrames: hops.mostFrames)
        // A one-sided spectrum; the squares of a Hann window sum up to 3/8 of its length.
        spectrum = TwinSpectrum(
            window: Window.hann(count),
            scale: Float(2 / (Double(count) * 0.375 * Double(count) * Double(channels))))
        bands = MelBands(sampleRateHertz: rate, count: count)
        periodicity = Periodicity(hertzPerBin: rate / Double(count), binCount: count / 2)
        let bandCount = bands.bins.count + (factor > 1 ? 1 : 0)
        floor = NoiseFloor(
            bands: bandCount, high: bands.high.lowerBound..<bandCount, keepsBands: keepsBands)
    }

    package mutating func consume(_ block: borrowing AudioBlock) {
        precondition(block.channels == hops.channels, "the channel count of a recording is fixed")
        let count = block.sampleCount
        block.samples.withUnsafeBufferPointer {
            var rest = UnsafeBufferPointer(rebasing: $0[..<count])
            while hops.fill(from: &rest) { takeHop() }
        }
    }

    /// The track of everything consumed.
    package mutating func finish() -> ActivityTrack {
        let frames = hops.frames
        while hops.start(of: next) < frames {
            hops.pad()
            takeHop()
        }
        floor.finish()
        return floor.track
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

// MARK: - Analysis

extension SpectrumMeter {
    /// Takes in the hop that is whole, and analyses the frames whose last sample is there.
    private mutating func takeHop() {
        stepPowers.append(hops.stepPower())
        decimator.consume(hops.hop)
        hops.next()
        while stepPowers.count >= 2,
            firstSample(of: next + 1) + spectrum.count <= decimator.output.end
        {
            analysePair()
        }
    }

    /// The first sample of a frame's transform, at the lower rate.
    private func firstSample(of frame: Int) -> Int {
        let centre = (hops.start(of: frame) + hops.sampleRateHertz / 200) / decimator.factor
        return centre - spectrum.count / 2
    }

    private mutating func analysePair() {
        let steps = SIMD2(stepPowers[0], stepPowers[1])
        var periodicities = SIMD2<Float>.zero
        if steps != .zero {
            transformPair()
            sumBands(steps)
            periodicities = periodicity.measure(spectrum.powers)
        }
        for lane in 0..<2 where hops.start(of: next + lane) < hops.frames {
            let row = BandRow { sums[$0][lane] }.mapEights { Decibels.ofPower($0 + 1e-16) }
            floor.add(row, periodicity: periodicities[lane], isDigitalSilence: steps[lane] == 0)
        }
        next += 2
        stepPowers.removeFirst(2)
        decimator.output.drop(before: firstSample(of: next))
    }

    /// Sums the powers of both frames into the lanes of their rows.
    private mutating func sumBands(_ steps: SIMD2<Float>) {
        bands.sum(spectrum.powers, into: &sums)
        if decimator.factor > 1 {
            sums[bands.bins.count] = steps
            // Steps are up to twice as large as the samples they lie between.
            sums[BandRow.whole] += steps / 4
        }
    }

    /// Brings the powers of the next two frames into `spectrum`.
    private func transformPair() {
        let (first, second) = (firstSample(of: next), firstSample(of: next + 1))
        let count = spectrum.count
        let channels = hops.channels
        decimator.output.withFrames(from: first, count: second - first + count) { frames in
            spectrum.clear()
            if channels == 1 {
                spectrum.add(frames, frames + (second - first))
            } else {
                spectrum.add(frames, channels: channels, to: 0)
                spectrum.add(frames + (second - first) * channels, channels: channels, to: 1)
            }
        }
    }
}
