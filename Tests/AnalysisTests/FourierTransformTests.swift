import CFFTW
import Testing

@testable import Analysis

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

@Suite struct FourierTransformTests {
    @Test func findsAToneInItsBinAlone() {
        let transform = FourierTransform(count: 64)
        for index in 0..<64 {
            let phase = 2 * Double.pi * 5 * Double(index) / 64
            transform.input[index] = SIMD2(Float(cos(phase)), Float(sin(phase)))
        }
        transform.run()
        #expect(transform.output.count == 64)
        for (bin, value) in transform.output.enumerated() {
            #expect(abs(value[0] - (bin == 5 ? 64 : 0)) < 1e-4)
            #expect(abs(value[1]) < 1e-4)
        }
    }

    /// By whoever wrote `FourierWisdom`; a library of another release or build is not told.
    @Test(arguments: [128, 256, 320, 384, 512, 640, 768]) func isToldTheWay(count: Int) throws {
        _ = FourierTransform(count: count)
        let isTold: Bool? = FourierPlan.withPlanner {
            guard let wisdom = fftwf_export_wisdom_to_string() else { return nil }
            defer { free(wisdom) }
            // The release, and what stands for its loops.
            func header(_ text: String) -> [Substring] {
                Array(text.split { $0.isWhitespace }.prefix(6))
            }
            guard header(String(cString: wisdom)) == header(FourierWisdom.text) else { return nil }
            let (samples, bins) = (fftwf_alloc_complex(count), fftwf_alloc_complex(count + 1))
            defer {
                fftwf_free(samples)
                fftwf_free(bins)
            }
            let flags = UInt32(FFTW_ESTIMATE) | UInt32(FFTW_PRESERVE_INPUT) | FFTW_WISDOM_ONLY
            return fftwf_plan_dft_1d(Int32(count), samples, bins, FFTW_FORWARD, flags) != nil
        }
        #expect(isTold != false)
    }

    @Test func leavesItsInputAlone() {
        let transform = FourierTransform(count: 60)
        let samples = (0..<60).map { SIMD2(Float($0 * $0 % 17), Float($0 % 7)) }
        for index in 0..<60 { transform.input[index] = samples[index] }
        transform.run()
        #expect(Array(transform.input) == samples)
    }

    @Test func givesTheSameBitsOnManyThreads() async {
        let results = await withTaskGroup(of: [SIMD2<Float>].self) { group in
            for _ in 0..<16 {
                group.addTask {
                    let transform = FourierTransform(count: 360)
                    for index in 0..<360 { transform.input[index] = SIMD2(Float(index % 13), 0) }
                    transform.run()
                    return Array(transform.output)
                }
            }
            return await group.reduce(into: Set<[SIMD2<Float>]>()) { $0.insert($1) }
        }
        #expect(results.count == 1)
    }

    @Test func hannWindowKeepsAnOffsetInTheTwoLowestBins() {
        let spectrum = TwinSpectrum(window: Window.hann(512), scale: 1)
        let offset = [Float](repeating: 1, count: 512)
        spectrum.measure(offset, offset, channels: 1)
        #expect(abs(spectrum.powers[0][0] - 256 * 256) < 1)
        #expect(spectrum.powers[2...].allSatisfy { $0[0] < 1e-5 })
    }
}

@Suite struct TwinSpectrumTests {
    private func tone(bin: Int, amplitude: Float = 1, count: Int = 64) -> [Float] {
        (0..<count).map {
            amplitude * Float(sin(2 * Double.pi * Double(bin * $0) / Double(count) + 0.3))
        }
    }

    /// A window that leaves all as it is, so that a tone stays in its bin.
    private func spectrum(count: Int = 64) -> TwinSpectrum {
        TwinSpectrum(window: Array(repeating: 1, count: count), scale: 4 / Float(count * count))
    }

    @Test(arguments: [64, 60, 30, 2])
    func keepsTwoSignalsApart(count: Int) {
        let spectrum = spectrum(count: count)
        let (one, other) = (min(5, count / 2 - 1), min(9, count / 2 - 1))
        spectrum.measure(
            tone(bin: one, count: count), tone(bin: other, amplitude: 0.01, count: count),
            channels: 1)
        guard count > 2 else { return #expect(spectrum.powers.count == 1) }
        for (bin, powers) in spectrum.powers.enumerated() {
            #expect(abs(powers[0] - (bin == one ? 1 : 0)) < 1e-5)
            #expect(abs(powers[1] - (bin == other ? 0.0001 : 0)) < 1e-7, "bin \(bin)")
        }
    }

    /// Whole frames of so many channels: a tone in each, one bin and one step of amplitude above
    /// that of the channel before.
    private func frames(channels: Int, firstBin: Int) -> [Float] {
        let tones = (0..<channels).map { tone(bin: firstBin + $0, amplitude: Float($0 + 1)) }
        return (0..<64).flatMap { frame in tones.map { $0[frame] } }
    }

    @Test(arguments: 1...5)
    func addsUpThePowerOfAllChannelsOfEitherStretch(channels: Int) {
        let spectrum = spectrum()
        // What was there before goes.
        for _ in 0..<2 {
            spectrum.measure(
                frames(channels: channels, firstBin: 3), frames(channels: channels, firstBin: 20),
                channels: channels)
        }
        for (bin, powers) in spectrum.powers.enumerated() {
            for (lane, first) in [3, 20].enumerated() {
                let channel = bin - first
                let amplitude = (0..<channels).contains(channel) ? Float(channel + 1) : 0
                #expect(abs(powers[lane] - amplitude * amplitude) < 1e-4)
            }
        }
    }

    @Test(arguments: 1...3)
    func knowsOneStretchTwice(channels: Int) {
        let (once, twice) = (spectrum(), spectrum())
        let (one, other) = (
            frames(channels: channels, firstBin: 3), [Float](repeating: 0, count: 192)
        )
        one.withUnsafeBufferPointer {
            guard let one = $0.baseAddress else { return }
            once.measure(one, one, channels: channels)
            twice.measure(one, other, channels: channels)
        }
        for (own, alone) in zip(once.powers, twice.powers) {
            #expect(abs(own[0] - own[1]) < 1e-4 && abs(own[0] - alone[0]) < 1e-4)
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
            sampleRateHertz: sampleRateHertz, channels: count, lead: 5, mostFrames: 1000)
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
        (0..<2000).map { Float(sin(2 * Double.pi * hertz * Double($0) / rate)) }
    }

    /// The amplitude that is left of a tone after decimation, from 48 kHz to 16 kHz as a rule.
    private func amplitude(ofHertz hertz: Double, rate: Int = 48_000) -> Float {
        outputs([tone(hertz: hertz, rate: Double(rate))], sampleRateHertz: rate)[0]
            .dropFirst(20).reduce(0) { max($0, abs($1)) }
    }

    @Test func passesSpeechAndStopsWhatWouldFoldBack() {
        #expect(abs(amplitude(ofHertz: 1000) - 1) < 0.01)
        #expect(amplitude(ofHertz: 6700) > 0.9)
        #expect(amplitude(ofHertz: 9300) < 0.001)
        #expect(amplitude(ofHertz: 20_000) < 0.001)
    }

    /// By 58 dB, as far as speech is looked for on either side of each multiple of the lower rate.
    @Test(arguments: [32_000, 44_100, 48_000, 88_200, 96_000, 192_000])
    func stopsWhatWouldFoldBackAtEveryRate(rate: Int) {
        let lower = Double(rate) / Double(Decimator.factor(sampleRateHertz: rate))
        for multiple in stride(from: lower, through: Double(rate) / 2, by: lower) {
            for hertz in [multiple - 6900, multiple + 6900] where hertz < Double(rate) / 2 {
                #expect(amplitude(ofHertz: hertz, rate: rate) < 0.00126)
            }
        }
        #expect(abs(amplitude(ofHertz: 6900, rate: rate) - 1) < 0.05)
    }

    @Test(arguments: [44_100, 48_000, 96_000])
    func shiftsNothingInTime(rate: Int) {
        let factor = Decimator.factor(sampleRateHertz: rate)
        let output = outputs([tone(hertz: 1000, rate: Double(rate))], sampleRateHertz: rate)[0]
        for place in 30..<60 {
            let seconds = Double((place - 5) * factor) / Double(rate)
            #expect(abs(output[place] - Float(sin(2 * Double.pi * 1000 * seconds))) < 0.01)
        }
    }

    @Test(arguments: [1, 2, 7, 441, 1000])
    func givesTheSameBitsForPiecesOfEverySize(piece: Int) {
        for rate in [16_000, 44_100, 48_000] {
            let channels = [tone(hertz: 900), tone(hertz: 1900), tone(hertz: 70)]
            for count in 1...3 {
                let some = Array(channels.prefix(count))
                let whole = outputs(some, sampleRateHertz: rate)
                #expect(outputs(some, sampleRateHertz: rate, piece: piece) == whole)
                // Each channel comes out as it would by itself.
                #expect(whole[0] == outputs([channels[0]], sampleRateHertz: rate)[0])
            }
        }
    }

    @Test func takesTheFirstFrameForAllBeforeIt() {
        let output = outputs([[Float](repeating: 0.5, count: 300)])[0]
        #expect(output.allSatisfy { abs($0 - 0.5) < 1e-5 })
    }

    @Test(arguments: [(8000, 1), (22_050, 1), (44_100, 2), (48_000, 3), (192_000, 12)])
    func leavesAtLeastSixteenKilohertz(rate: Int, factor: Int) {
        #expect(Decimator.factor(sampleRateHertz: rate) == factor)
    }
}
