import Glibc
import Recordings
import TestSupport
import Testing

@testable import Analysis

@Suite struct SegmentTests {
    /// Two tones over floors that differ by 20 dB.
    private let recording: Signal = {
        let quiet = Signal.noise(levelDBFS: -70, seconds: 4)
        let loud = Signal.noise(levelDBFS: -50, seconds: 4, seed: 2)
        return Signal(sampleRateHertz: 8000, samples: quiet.samples + loud.samples)
            .adding(.tone(hertz: 440, levelDBFS: -30, seconds: 1), atSeconds: 1)
            .adding(.tone(hertz: 440, levelDBFS: -20, seconds: 1), atSeconds: 6)
    }()

    @Test func segmentHasItsLevelAndItsRatioToTheSilencesBesideIt() throws {
        let map = silenceMap([recording]) { $0.thresholdDBFS = -40 }
        let segments = try #require(map.segments)
        #expect(segments.count == 2)
        let found = segments.map { [$0.startSeconds, $0.endSeconds, $0.levelDBFS ?? 0] }
        for (segment, expected) in zip(found, [[1.0, 2, -30], [6, 7, -20]]) {
            // Its margins count, too.
            for (value, wanted) in zip(segment, expected) { #expect(abs(value - wanted) < 0.6) }
        }
        // Beside the first are three seconds of the quiet floor and two of the loud one.
        let floors = [(3e-7 + 2e-5) / 5, (2e-7 + 3e-5) / 5].map { 10 * log10($0) }
        let ratios = segments.compactMap(\.signalToNoiseDecibels)
        #expect(abs(ratios[0] - (-30 - floors[0])) < 1 && abs(ratios[1] - (-20 - floors[1])) < 1)
        #expect(segments.allSatisfy { $0.confidence == nil })
    }

    @Test func segmentsAndSilencesFillTheRecording() throws {
        for detector in SilenceRecipe.Detector.allCases {
            let map = silenceMap([recording], detector: detector)
            let all =
                (map.intervalsSeconds
                + (map.segments ?? []).map {
                    [$0.startSeconds, $0.endSeconds]
                }).sorted { $0[0] < $1[0] }
            #expect(all.first?[0] == 0 && all.last?[1] == 8)
            #expect(zip(all, all.dropFirst()).allSatisfy { $0[1] == $1[0] })
        }
    }

    /// By the confidence of the recording, or what the network makes of each.
    @Test func segmentHasAConfidence() throws {
        let words = words(
            [1...2.2, 3.5...5], on: .noise(levelDBFS: -60, seconds: 6), inSyllables: true)
        let classical = silenceMap([words], detector: .classical)
        #expect(
            classical.segments?.map(\.confidence) == [classical.confidence, classical.confidence])
        let learned = try #require(silenceMap([words], detector: .learned).segments)
        #expect(learned.count == 2)
        #expect(learned.allSatisfy { (0.5...1).contains($0.confidence ?? 0) })
    }

    @Test func undecidedRecordingIsOneSegmentOfUnknownConfidence() throws {
        let map = silenceMap([.tone(hertz: 440, levelDBFS: -20, seconds: 3)])
        #expect(!map.separable && !map.silent)
        let segment = try #require(map.segments?.first)
        #expect(map.segments?.count == 1)
        #expect(segment.startSeconds == 0 && segment.endSeconds == 3)
        #expect(abs((segment.levelDBFS ?? 0) - -20) < 0.3)
        #expect(segment.confidence == nil && segment.signalToNoiseDecibels == nil)
    }

    @Test func silentRecordingHasNoSegments() {
        #expect(silenceMap([.constant(seconds: 3)]).segments == [])
    }

    @Test func digitalSilenceIsNoFloor() throws {
        let tone = Signal.constant(seconds: 4)
            .adding(.tone(hertz: 440, levelDBFS: -30, seconds: 1), atSeconds: 1)
        let map = silenceMap([tone]) { $0.thresholdDBFS = -60 }
        let segment = try #require(map.segments?.first)
        #expect(abs((segment.levelDBFS ?? 0) - -30) < 0.3)
        #expect(segment.signalToNoiseDecibels == nil)
    }
}
