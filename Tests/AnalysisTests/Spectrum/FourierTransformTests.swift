import Glibc
import TestSupport
import Testing

@testable import Analysis

@Suite struct FourierTransformTests {
    /// Any thread may be the first that wants a size.
    @Test(arguments: [360, 640]) func parallelTransformsAreBitIdentical(count: Int) async {
        let signal = numbers(2 * count, -1...1)
        let results = await withTaskGroup(of: [Float].self) { group in
            for _ in 0..<16 {
                group.addTask {
                    let transform = FourierTransform(count: count)
                    transform.numbers.update(from: signal, count: 2 * count)
                    transform.run()
                    return (0..<2 * count + 2).map { transform.bins[$0] }
                }
            }
            return await group.reduce(into: Set<[Float]>()) { $0.insert($1) }
        }
        #expect(results.count == 1)
        #expect(results.allSatisfy { $0.suffix(2) == $0.prefix(2) })
        var sum = SIMD2<Float>.zero
        for place in 0..<count { sum += SIMD2(signal[2 * place], signal[2 * place + 1]) }
        for bins in results {
            #expect(abs(bins[0] - sum.x) < 1e-3 && abs(bins[1] - sum.y) < 1e-3)
        }
    }
}

@Suite struct StretchSpectraTests {
    private func tone(bin: Int, amplitude: Float = 1, count: Int = 64) -> [Float] {
        (0..<count).map {
            amplitude * Float(sin(2 * Double.pi * Double(bin * $0) / Double(count) + 0.3))
        }
    }

    /// A window that leaves all as it is, so that a tone stays in its bin.
    private func spectra(channels: Int, count: Int = 64) -> BatchedPowerSpectra {
        BatchedPowerSpectra(
            window: Array(repeating: 1, count: count), channels: channels,
            scale: 4 / Float(count * count))
    }

    /// By bin, of a stretch.
    private func powers(_ spectra: BatchedPowerSpectra, of stretch: Int) -> [Float] {
        (0..<spectra.count / 2).map {
            spectra.powers[$0 * BatchedPowerSpectra.stretches + stretch]
        }
    }

    @Test(arguments: [64, 60, 30, 2])
    func twoSignalsInOneTransformStaySeparate(count: Int) {
        let spectra = spectra(channels: 1, count: count)
        let (one, other) = (min(5, count / 2 - 1), min(9, count / 2 - 1))
        let both = tone(bin: one, count: count) + tone(bin: other, amplitude: 0.01, count: count)
        spectra.measure(both, starts: [0, count])
        guard count > 2 else { return }
        for (bin, power) in powers(spectra, of: 0).enumerated() {
            #expect(abs(power - (bin == one ? 1 : 0)) < 1e-5)
        }
        for (bin, power) in powers(spectra, of: 1).enumerated() {
            #expect(abs(power - (bin == other ? 0.0001 : 0)) < 1e-7, "bin \(bin)")
        }
    }

    @Test func hannWindowConfinesDCOffsetToTwoLowestBins() {
        let spectra = BatchedPowerSpectra(window: Window.hann(512), channels: 1, scale: 1)
        spectra.measure([Float](repeating: 1, count: 512), starts: [0, 0])
        for stretch in 0...1 {
            let powers = powers(spectra, of: stretch)
            #expect(abs(powers[0] - 256 * 256) < 1)
            #expect(powers[2...].allSatisfy { $0 < 1e-5 })
        }
    }

    /// Whole frames of so many channels: a tone in each, one bin and one step of amplitude above
    /// that of the channel before.
    private func frames(channels: Int, firstBin: Int) -> [Float] {
        let tones = (0..<channels).map { tone(bin: firstBin + $0, amplitude: Float($0 + 1)) }
        return (0..<64).flatMap { frame in tones.map { $0[frame] } }
    }

    @Test(arguments: 1...5)
    func powersOfAllChannelsAreSummed(channels: Int) {
        let spectra = spectra(channels: channels)
        let stretches = (0..<BatchedPowerSpectra.stretches).map { $0 % 25 + 1 }
        let all = stretches.flatMap { frames(channels: channels, firstBin: $0) }
        // What was there before goes.
        for _ in 0..<2 { spectra.measure(all, starts: stretches.indices.map { 64 * $0 }) }
        for (stretch, first) in stretches.enumerated() {
            for (bin, power) in powers(spectra, of: stretch).enumerated() {
                let channel = bin - first
                let amplitude = (0..<channels).contains(channel) ? Float(channel + 1) : 0
                #expect(abs(power - amplitude * amplitude) < 1e-4)
            }
        }
    }

    /// Stretches overlap, and few may come.
    @Test(arguments: [1, 2, 3], [1, 2, 7, 16])
    func powersAreIndependentOfBatchSize(channels: Int, count: Int) {
        let (few, many) = (spectra(channels: channels), spectra(channels: channels))
        let frames = frames(channels: channels, firstBin: 3)
        let sound = frames + frames.map { $0 * $0 } + frames
        let starts = (0..<BatchedPowerSpectra.stretches).map { 3 * $0 }
        many.measure(sound, starts: starts)
        few.measure(sound, starts: Array(starts[..<count]))
        // Of one channel two share a transform, and so their last bits.
        for stretch in 0..<(channels == 1 ? count / 2 * 2 : count) {
            #expect(powers(few, of: stretch) == powers(many, of: stretch))
        }
    }
}

@Suite struct DecimatorTests {
    /// What comes out for a signal of so many channels, fed in pieces of so many frames.
    private func outputs(
        _ channels: [[Float]], sampleRateHertz: Int = 48_000, piece: Int = 441
    ) -> [[Float]] {
        let count = channels.count
        var decimator = Decimator(
            sampleRateHertz: sampleRateHertz, channels: count, lead: 5)
        let frames = channels[0].indices.flatMap { frame in channels.map { $0[frame] } }
        for start in stride(from: 0, to: frames.count, by: piece * count) {
            decimator.consume(frames[start..<min(frames.count, start + piece * count)])
        }
        let (start, end) = (decimator.output.start, decimator.output.end)
        #expect(start == -5)
        return decimator.output.withFrames(from: start, count: end - start) { base in
            (0..<count).map { channel in (0..<end - start).map { base[$0 * count + channel] } }
        }
    }

    private func tone(hertz: Double, rate: Double = 48_000) -> [Float] {
        (0..<2600).map { Float(sin(2 * Double.pi * hertz * Double($0) / rate)) }
    }

    /// The amplitude that is left of a tone after decimation, from 48 kHz to 16 kHz as a rule.
    private func amplitude(ofHertz hertz: Double, rate: Int = 48_000) -> Float {
        outputs([tone(hertz: hertz, rate: Double(rate))], sampleRateHertz: rate)[0]
            .dropFirst(20).reduce(0) { max($0, abs($1)) }
    }

    @Test func speechPassesAndAliasesAreAttenuated() {
        #expect(abs(amplitude(ofHertz: 1000) - 1) < 0.01)
        #expect(amplitude(ofHertz: 6700) > 0.9)
        #expect(amplitude(ofHertz: 9300) < 0.001)
        #expect(amplitude(ofHertz: 20_000) < 0.001)
    }

    /// By 58 dB, as far as speech is looked for on either side of each multiple of the lower rate.
    @Test(arguments: [32_000, 44_100, 48_000, 88_200, 96_000, 192_000])
    func aliasesAreAttenuatedAtEverySampleRate(rate: Int) {
        let lower = Double(rate) / Double(Decimator.factor(sampleRateHertz: rate))
        for multiple in stride(from: lower, through: Double(rate) / 2, by: lower) {
            for hertz in [multiple - 6900, multiple + 6900] where hertz < Double(rate) / 2 {
                #expect(amplitude(ofHertz: hertz, rate: rate) < 0.00126)
            }
        }
        #expect(abs(amplitude(ofHertz: 6900, rate: rate) - 1) < 0.05)
    }

    @Test(arguments: [44_100, 48_000, 96_000])
    func decimatedSignalHasNoDelay(rate: Int) {
        let factor = Decimator.factor(sampleRateHertz: rate)
        let output = outputs([tone(hertz: 1000, rate: Double(rate))], sampleRateHertz: rate)[0]
        for place in 30..<60 {
            let seconds = Double((place - 5) * factor) / Double(rate)
            #expect(abs(output[place] - Float(sin(2 * Double.pi * 1000 * seconds))) < 0.01)
        }
    }

    /// Also such as hold just what outputs share with those before, or one frame more or less.
    @Test(arguments: [1, 7, 19, 20, 21, 83, 84, 85, 441, 2000])
    func outputIsBitIdenticalForAnyBlockSize(piece: Int) {
        for rate in [16_000, 44_100, 48_000, 192_000] {
            let channels = (0..<17).map { tone(hertz: 70 + 110 * Double($0)) }
            for count in [1, 2, 3, 17] {
                let some = Array(channels.prefix(count))
                let whole = outputs(some, sampleRateHertz: rate)
                #expect(outputs(some, sampleRateHertz: rate, piece: piece) == whole)
                // Each channel comes out as it would by itself.
                #expect(whole[0] == outputs([channels[0]], sampleRateHertz: rate)[0])
            }
        }
    }

    /// It is asked beforehand whether all that is read is there: also where a group has one output
    /// that is wanted, and where outputs are as many as are made at once, or one more.
    @Test(arguments: [1, 2, 3]) func decimatorReadsWithinItsBuffer(channels: Int) {
        for frames in Array(800...1000) + Array(2020...2120) {
            var decimator = Decimator(
                sampleRateHertz: 44_100, channels: channels, lead: 5)
            decimator.consume([Float](repeating: 0.5, count: frames * channels)[...])
            #expect(decimator.output.end > frames / 2 - 6)
        }
    }

    /// Where as many are made at once as share little with those before.
    @Test(arguments: [17, 64]) func decimatorReadsWithinBufferForManyChannels(channels: Int) {
        for frames in 300...460 {
            var decimator = Decimator(sampleRateHertz: 48_000, channels: channels, lead: 5)
            decimator.consume([Float](repeating: 0.5, count: frames * channels)[...])
            #expect(decimator.output.end > frames / 3 - 15)
        }
    }

    @Test func firstFrameIsRepeatedBeforeStart() {
        let output = outputs([[Float](repeating: 0.5, count: 300)])[0]
        #expect(output.allSatisfy { abs($0 - 0.5) < 1e-5 })
    }

    @Test(arguments: [(8000, 1), (22_050, 1), (44_100, 2), (48_000, 3), (192_000, 12)])
    func decimationFactorKeepsAtLeast16Kilohertz(rate: Int, factor: Int) {
        #expect(Decimator.factor(sampleRateHertz: rate) == factor)
    }
}
