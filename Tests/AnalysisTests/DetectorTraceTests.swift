import Analysis
import Recordings
import TestSupport
import Testing

@Suite struct DetectorTraceTests {
    /// Two words over a fan.
    private static let signal = words(
        [1.5...2.5, 4...5], on: .fan(levelDBFS: -45, seconds: 7, sampleRateHertz: 16_000))

    private func trace(
        _ signal: Signal, blockFrames: Int = 4096, by detector: SilenceRecipe.Detector = .classical
    ) -> DetectorTrace {
        var recipe = SilenceRecipe()
        recipe.detector = detector
        return trace(signal, recipe, blockFrames: blockFrames)
    }

    private func trace(
        _ signal: Signal, _ recipe: SilenceRecipe, blockFrames: Int = 4096
    ) -> DetectorTrace {
        var meter = SpectrumMeter(
            sampleRateHertz: signal.sampleRateHertz, channels: 1, keepsBands: recipe.goesByNetwork)
        for block in BlockSequence(signal, blockFrames: blockFrames) { meter.consume(block) }
        let format = AudioFormat(
            container: .wav, encoding: .pcm16, sampleRateHertz: signal.sampleRateHertz,
            channels: 1, frames: Int64(signal.samples.count))
        let track = meter.finish()
        let (map, trace) = SilenceDetector.detectAndTrace(track, recipe: recipe, format: format)
        #expect(map == SilenceDetector.detect(track, recipe: recipe, format: format))
        return trace
    }

    private func mean(_ values: [Float], _ seconds: Range<Double>) -> Float {
        let some = values[Int(seconds.lowerBound * 100)..<Int(seconds.upperBound * 100)]
        return some.reduce(0, +) / Float(some.count)
    }

    @Test func traceHasOneValuePerTenMilliseconds() {
        let trace = trace(Self.signal)
        #expect(trace.frames == 700 && trace.framesPerSecond == 100)
        for values in [trace.floorsDBFS, trace.scores, trace.thresholds] {
            #expect(values.count == 700)
        }
    }

    @Test func levelsAndNoiseFloorAreReportedInDBFS() {
        let trace = trace(Self.signal)
        #expect(abs(mean(trace.levelsDBFS, 1.7..<2.3) + 20) < 1)
        // The dullest part of the fan lies below what levels count.
        #expect((-49 ... -44).contains(mean(trace.levelsDBFS, 0.2..<1.2)))
        for stretch in [0.2..<1.2, 1.7..<2.3, 5.5..<6.8] {
            #expect((-52 ... -44).contains(mean(trace.floorsDBFS, stretch)), "\(stretch)")
        }
    }

    @Test(arguments: SilenceRecipe.Detector.allCases)
    func surroundingDigitalSilenceHasNoNoiseFloor(detector: SilenceRecipe.Detector) {
        var recipe = SilenceRecipe()
        recipe.detector = detector
        let more = Signal.constant(seconds: 0.55, sampleRateHertz: 16_000)
        let trace = trace(more.followed(by: Self.signal).followed(by: more), recipe)
        #expect(trace.frames == 810)
        for frame in 0..<810 {
            #expect(trace.floorsDBFS[frame].isFinite == (55..<755).contains(frame), "\(frame)")
        }
    }

    @Test func scoresExceedThresholdInWordsOnly() {
        let trace = trace(Self.signal)
        for stretch in [1.7..<2.3, 4.2..<4.8] {
            #expect(mean(trace.scores, stretch) > mean(trace.thresholds, stretch))
        }
        for stretch in [0.2..<1.2, 3..<3.6, 5.5..<6.8] {
            #expect(mean(trace.scores, stretch) < mean(trace.thresholds, stretch))
        }
    }

    @Test func learnedDetectorScoresAreLogOdds() {
        let heard = trace(Self.signal, by: .learned)
        #expect(heard.scale == .logOdds && heard.frames == 700)
        #expect(heard.thresholds.allSatisfy { $0 == 0 })
        #expect(heard.levelsDBFS == trace(Self.signal).levelsDBFS)
        #expect(mean(heard.scores, 0.2..<1.2) < 0)
        // Too short for the network, which leaves it open.
        let short = Signal.constant(seconds: 0.5, sampleRateHertz: 16_000)
        #expect(trace(short, by: .learned).scores == Array(repeating: 0, count: 50))
    }

    @Test func thresholdsFollowSensitivityAndFixedThreshold() {
        var recipe = SilenceRecipe()
        recipe.sensitivityDecibels = 10
        #expect(trace(Self.signal, recipe).thresholds.allSatisfy { abs($0 + 2.3026) < 0.001 })
        recipe.thresholdDBFS = -40
        let byLevel = trace(Self.signal, recipe)
        #expect(byLevel.scale == .dBFS && byLevel.scores == byLevel.levelsDBFS)
        #expect(byLevel.thresholds.allSatisfy { $0 == -50 })
    }

    @Test func digitalSilenceHasNoLevel() {
        let signal = Signal.constant(seconds: 2, sampleRateHertz: 16_000)
        #expect(trace(signal).levelsDBFS.allSatisfy { $0 == -.infinity })
    }

    @Test(arguments: [1, 777, 100_000])
    func traceIsIndependentOfBlockSize(blockFrames: Int) {
        #expect(trace(Self.signal, blockFrames: blockFrames) == trace(Self.signal))
    }
}
