import Glibc
import TestSupport
import Testing

@testable import Analysis

@Suite struct FourierTransformTests {
    private static let lanes = FourierTransform.lanes

    /// So many numbers for each lane, a lane's one behind the other, all of them different.
    private func signals(count: Int, seed: UInt64) -> [Float] {
        var random = SeededGenerator(seed: seed)
        return (0..<count * Self.lanes).map { _ in Float.random(in: -1...1, using: &random) }
    }

    /// The numbers of one lane, in the order that the plan says.
    private func bins(_ transform: FourierTransform, lane: Int) -> [SIMD2<Float>] {
        transform.plan.places.dropLast().map {
            let number = transform.numbers + 2 * Self.lanes * Int($0) + lane
            return SIMD2(number[0], number[Self.lanes])
        }
    }

    private func transformed(
        _ one: [Float], _ other: [Float], _ plan: FourierPlan
    ) -> FourierTransform {
        let transform = FourierTransform(plan: plan)
        let places = (0..<Self.lanes).map { $0 * plan.count }
        transform.lay(
            one + other, firsts: places, seconds: places.map { $0 + one.count }, stride: 1,
            window: Array(repeating: 1, count: plan.count))
        transform.run()
        return transform
    }

    /// By its definition, in double precision.
    private func defined(_ one: ArraySlice<Float>, _ other: ArraySlice<Float>, bin: Int)
        -> SIMD2<Double>
    {
        var sum = SIMD2<Double>.zero
        for (index, (re, im)) in zip(one, other).enumerated() {
            let angle = -2 * Double.pi * Double(bin * index % one.count) / Double(one.count)
            let (re, im) = (Double(re), Double(im))
            sum += SIMD2(re * cos(angle) - im * sin(angle), re * sin(angle) + im * cos(angle))
        }
        return sum
    }

    /// Sizes of every first and last step, and those that usual sample rates have.
    @Test(arguments: [
        2, 3, 4, 5, 6, 8, 9, 10, 12, 15, 16, 18, 25, 30, 32, 36, 40, 64, 72, 90, 128, 160, 256, 288,
        320, 384, 512, 576, 640, 768, 1024,
    ])
    func comesToWhatItsDefinitionSays(count: Int) {
        let (one, other) = (signals(count: count, seed: 1), signals(count: count, seed: 2))
        let transform = transformed(one, other, FourierPlan(count: count))
        for lane in [0, 7, 8, Self.lanes - 1] {
            let own = lane * count..<(lane + 1) * count
            for (bin, number) in bins(transform, lane: lane).enumerated()
            where count <= 64 || bin % 7 == 3 || bin > count - 3 {
                let expected = defined(one[own], other[own], bin: bin)
                let error = SIMD2<Double>(number) - expected
                #expect((error * error).sum().squareRoot() < 4e-7 * Double(count).squareRoot() * 4)
            }
        }
    }

    @Test func comesToTheSameWhateverTheOtherLanesHold() {
        let plan = FourierPlan(count: 640)
        let (one, other) = (signals(count: 640, seed: 3), signals(count: 640, seed: 4))
        let together = transformed(one, other, plan)
        for lane in 0..<Self.lanes {
            let own = lane * 640..<(lane + 1) * 640
            func everywhere(_ signal: [Float]) -> [Float] {
                (0..<Self.lanes).flatMap { _ in signal[own] }
            }
            let alone = transformed(everywhere(one), everywhere(other), plan)
            #expect(bins(alone, lane: 3) == bins(together, lane: lane))
        }
    }

    @Test func givesTheSameBitsOnManyThreads() async {
        let plan = FourierPlan(count: 360)
        let (one, other) = (signals(count: 360, seed: 5), signals(count: 360, seed: 6))
        let results = await withTaskGroup(of: [SIMD2<Float>].self) { group in
            for _ in 0..<16 {
                group.addTask { bins(transformed(one, other, plan), lane: 5) }
            }
            return await group.reduce(into: Set<[SIMD2<Float>]>()) { $0.insert($1) }
        }
        #expect(results.count == 1)
    }

    @Test func hannWindowKeepsAnOffsetInTheTwoLowestBins() {
        let spectra = StretchSpectra(
            window: Window.hann(512), plan: FourierPlan(count: 512), channels: 1, scale: 1)
        spectra.measure([Float](repeating: 1, count: 512), starts: [0, 0])
        for lane in [0, 16] {
            let powers = (0..<256).map { spectra.powers[$0 * spectra.stretches + lane] }
            #expect(abs(powers[0] - 256 * 256) < 1)
            #expect(powers[2...].allSatisfy { $0 < 1e-5 })
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
    private func spectra(channels: Int, count: Int = 64) -> StretchSpectra {
        StretchSpectra(
            window: Array(repeating: 1, count: count), plan: FourierPlan(count: count),
            channels: channels, scale: 4 / Float(count * count))
    }

    /// By bin, of a stretch.
    private func powers(_ spectra: StretchSpectra, of stretch: Int) -> [Float] {
        (0..<spectra.count / 2).map {
            spectra.powers[$0 * spectra.stretches + spectra.lane(of: stretch)]
        }
    }

    @Test(arguments: [64, 60, 30, 2])
    func keepsTwoSignalsApart(count: Int) {
        let spectra = spectra(channels: 1, count: count)
        let (one, other) = (min(5, count / 2 - 1), min(9, count / 2 - 1))
        let both = tone(bin: one, count: count) + tone(bin: other, amplitude: 0.01, count: count)
        spectra.measure(both, starts: [0, count])
        guard count > 2 else { return #expect(spectra.stretches == 32) }
        for (bin, power) in powers(spectra, of: 0).enumerated() {
            #expect(abs(power - (bin == one ? 1 : 0)) < 1e-5)
        }
        for (bin, power) in powers(spectra, of: 1).enumerated() {
            #expect(abs(power - (bin == other ? 0.0001 : 0)) < 1e-7, "bin \(bin)")
        }
    }

    /// Whole frames of so many channels: a tone in each, one bin and one step of amplitude above
    /// that of the channel before.
    private func frames(channels: Int, firstBin: Int) -> [Float] {
        let tones = (0..<channels).map { tone(bin: firstBin + $0, amplitude: Float($0 + 1)) }
        return (0..<64).flatMap { frame in tones.map { $0[frame] } }
    }

    @Test(arguments: 1...5)
    func addsUpThePowerOfAllChannelsOfEveryStretch(channels: Int) {
        let spectra = spectra(channels: channels)
        let stretches = (0..<spectra.stretches).map { $0 % 25 + 1 }
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
    func comesToTheSameHoweverManyThereAre(channels: Int, count: Int) {
        let (few, many) = (spectra(channels: channels), spectra(channels: channels))
        let frames = frames(channels: channels, firstBin: 3)
        let sound = frames + frames.map { $0 * $0 } + frames
        let starts = (0..<many.stretches).map { 3 * $0 }
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

    /// Also such as hold just what outputs share with those before, or one frame more or less.
    @Test(arguments: [1, 7, 19, 20, 21, 83, 84, 85, 441, 2000])
    func givesTheSameBitsForPiecesOfEverySize(piece: Int) {
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
    @Test(arguments: [1, 2, 3]) func readsNoFurtherThanItsRoom(channels: Int) {
        for frames in Array(800...1000) + Array(2020...2120) {
            var decimator = Decimator(
                sampleRateHertz: 44_100, channels: channels, lead: 5)
            decimator.consume([Float](repeating: 0.5, count: frames * channels)[...])
            #expect(decimator.output.end > frames / 2 - 6)
        }
    }

    /// Where as many are made at once as share little with those before.
    @Test(arguments: [17, 64]) func readsNoFurtherWhereChannelsAreMany(channels: Int) {
        for frames in 300...460 {
            var decimator = Decimator(sampleRateHertz: 48_000, channels: channels, lead: 5)
            decimator.consume([Float](repeating: 0.5, count: frames * channels)[...])
            #expect(decimator.output.end > frames / 3 - 15)
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
