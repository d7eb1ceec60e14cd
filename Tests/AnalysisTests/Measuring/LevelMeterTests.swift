import Analysis
import Recordings
import TestSupport
import Testing

@Suite struct LevelMeterTests {
    private func levels(_ channels: [[Float]], blockFrames: Int = 4096) -> Levels {
        var meter = LevelMeter(channels: channels.count)
        for block in BlockSequence(channels, blockFrames: blockFrames) { meter.consume(block) }
        return meter.finish()
    }

    @Test func fullScaleSineHasRMSOfMinusThreeDecibels() {
        let sine = Signal.tone(hertz: 100, levelDBFS: -3.0103, seconds: 1)
        let levels = levels([sine.samples])
        #expect(levels.rmsDBFS == [-3.01])
        #expect(levels.peakDBFS == [0])
        #expect(levels.dcOffset == [0])
    }

    @Test func channelsAreMeasuredSeparately() {
        let loud = Signal.tone(hertz: 100, levelDBFS: -20, seconds: 1)
        let levels = levels([
            loud.samples, loud.amplified(byDecibels: -10).samples, loud.samples.map { _ in 0 },
        ])
        #expect(levels.rmsDBFS == [-20, -30, nil])
        #expect(levels.peakDBFS == [-16.99, -26.99, nil])
    }

    @Test(arguments: [1, 2, 3, 4, 5, 8])
    func everyChannelIsMeasuredForAnyChannelCount(channels: Int) {
        let expected = (0..<channels).map { -10 - Double($0) }
        let tones = expected.map {
            Signal.tone(hertz: 200, levelDBFS: $0, seconds: 0.505).samples
        }
        #expect(levels(tones).rmsDBFS == expected)
    }

    @Test func nonFiniteSamplesAreCountedPerChannel() {
        var block = AudioBlock(channels: 2, capacityFrames: 700)
        block.frames = 700
        var whole = LevelMeter(channels: 2)
        whole.consume(block)
        #expect(whole.finish().nonFiniteSamples == nil)
        block.nonFiniteSamples = [3, 0]
        whole.consume(block)
        whole.consume(block)
        block.nonFiniteSamples = [0, 9]
        whole.consume(block)
        #expect(whole.finish().nonFiniteSamples == [6, 9])
    }

    @Test func digitalSilenceHasNoPeakOrRMS() {
        let levels = levels([[Float](repeating: 0, count: 1000)])
        #expect(levels.peakDBFS == [nil])
        #expect(levels.rmsDBFS == [nil])
        #expect(LevelMeter(channels: 1).finish().rmsDBFS == [nil])
    }

    @Test func measuresDCOffset() {
        let tone = Signal.tone(hertz: 100, levelDBFS: -20, seconds: 2)
            .adding(.constant(-0.012345, seconds: 2))
        #expect(levels([tone.samples]).dcOffset == [-0.012345])
    }

    /// Eight bits and the curves of G.711 end below what 16 bits hold.
    @Test(arguments: [SampleEncoding.pcmU8, .pcmS8, .aLaw, .muLaw, .pcm16, .float32])
    func samplesAtEncodingFullScaleCountAsClipped(encoding: SampleEncoding) {
        let top = encoding.fullScale
        let below = top - 0x1p-7
        var meter = LevelMeter(channels: 1, encoding: encoding)
        let samples = [top, top, top, 0, -top, -top, -top, -top, 0, below, below, below]
        for block in BlockSequence([samples], blockFrames: 5) { meter.consume(block) }
        #expect(meter.finish().clippedSamples == [7])
    }

    @Test func runsOfThreeFullScaleSamplesCountAsClipped() {
        let top: Float = 32767.0 / 32768.0
        // A run of two, one of three, one of two and two of either sign, and one of four.
        let samples: [Float] = [
            top, top, 0, top, 1, top, 0.5, -1, -1, top, top, 0, -1, -1, -1, -1, 0.99,
        ]
        #expect(levels([samples]).clippedSamples == [7])
        #expect(levels([samples]).samplesBeyondFullScale == [0])
    }

    @Test(arguments: [1, 2, 3, 5, 512, 600])
    func clippedRunsContinueAcrossBlocks(blockFrames: Int) {
        var samples = [Float](repeating: 0.1, count: 2000)
        for index in 510..<515 { samples[index] = 1 }
        for index in 1023..<1026 { samples[index] = -1 }
        samples[1998] = 1
        samples[1999] = 1
        let stereo = [samples, samples.map { $0 * 0.5 }]
        #expect(levels(stereo, blockFrames: blockFrames).clippedSamples == [8, 0])
    }

    @Test func countsSamplesBeyondFullScale() {
        let levels = levels([[1, -1, 1.5, 0, -2, 1.0001]])
        #expect(levels.samplesBeyondFullScale == [3])
        #expect(levels.peakDBFS == [6.02])
    }

    @Test(arguments: [1, 7, 4096]) func levelsAreIndependentOfBlockSize(blockFrames: Int) {
        let noise = Signal.noise(levelDBFS: -6, seconds: 0.7, sampleRateHertz: 11_025)
        let other = Signal.fan(levelDBFS: -30, seconds: 0.7, sampleRateHertz: 11_025)
        let expected = levels([noise.samples, other.samples], blockFrames: 100_000)
        #expect(levels([noise.samples, other.samples], blockFrames: blockFrames) == expected)
    }
}
