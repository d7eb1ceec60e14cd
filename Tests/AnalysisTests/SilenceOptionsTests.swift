import Analysis
import Recordings
import TestSupport
import Testing

/// What the settings of a recipe do to the silences found.
@Suite struct SilenceOptionsTests {
    private let stretches: [ClosedRange<Double>] = [2...3.2, 5...5.5, 8...11, 13...14]
    private let ground = Signal.noise(levelDBFS: -50, seconds: 20)

    private func map(_ signal: Signal, _ change: (inout SilenceRecipe) -> Void) -> SilenceMap {
        silenceMap([signal], change)
    }

    @Test func higherSensitivityKeepsMoreSound() {
        // Quiet words among others, far in the noise.
        let quiet = words([16...16.6, 18...18.7], on: ground, levelDBFS: -47)
        let signal = words(stretches, on: quiet)
        let kept = [-6.0, 0, 6].map { sensitivity in
            20 - map(signal) { $0.sensitivityDecibels = sensitivity }.totalSeconds
        }
        #expect(kept[0] <= kept[1])
        #expect(kept[1] < kept[2])
        let careful = map(signal) { $0.sensitivityDecibels = 6 }
        #expect(careful.silentSeconds(within: 16...16.6) == 0)
        for word in stretches { #expect(careful.silentSeconds(within: word) == 0) }
    }

    @Test func longerMinimumSoundOnlyAddsSilence() {
        // A word to either side of the limit, and two that are not one, as they lie apart.
        let signal = words([2...3.2, 5...5.5, 6.1...6.6, 9...9.9], on: ground, inSyllables: true)
        func map(_ seconds: Double) -> SilenceMap {
            silenceMap([signal]) {
                $0.minimumSoundSeconds = seconds
                $0.detector = .learned
            }
        }
        let plain = map(0.2)
        #expect(plain.intervalsSeconds.count == 5)
        for seconds in [0.4, 0.7, 1.05, 2] {
            let longer = map(seconds)
            // All that was silent is, and what is besides was a sound as a whole.
            #expect(
                plain.intervalsSeconds.allSatisfy { silence in
                    longer.intervalsSeconds.contains {
                        $0[0] <= silence[0] && silence[1] <= $0[1]
                    }
                })
            let edges = Set(plain.intervalsSeconds.joined())
            #expect(longer.intervalsSeconds.joined().allSatisfy(edges.contains))
        }
        #expect(map(0.8).intervalsSeconds.count == 3)
        #expect(map(2).silent)
    }

    @Test(arguments: SilenceRecipe.Detector.allCases)
    func soundsAcrossShortPausesCountAsOne(detector: SilenceRecipe.Detector) {
        // Four words with breaths between them, one alone, and one that lasts by itself.
        let spoken = [3...3.6, 4.2...4.8, 5.4...6, 6.6...7.2]
        let signal = words(spoken + [11...11.6, 15...17], on: ground, inSyllables: true)
        func map(shortestPause seconds: Double) -> SilenceMap {
            silenceMap([signal]) {
                $0.minimumSeconds = seconds
                $0.minimumSoundSeconds = 1.5
                $0.detector = detector
            }
        }
        let joined = map(shortestPause: 0.8)
        #expect(joined.silentSeconds(within: 3...7.2) == 0)
        #expect(joined.silentSeconds(within: 11...11.6) > 0.59)
        #expect(map(shortestPause: 0.3).silentSeconds(within: 3...7.2) > 4.19)
    }

    @Test func minimumSoundAppliesToWordInDigitalSilence() {
        let word = words([3...3.54], on: .constant(seconds: 6.54), inSyllables: true)
        func map(_ signal: Signal, shortestSound seconds: Double) -> SilenceMap {
            silenceMap([signal]) {
                $0.minimumSoundSeconds = seconds
                $0.detector = .learned
            }
        }
        #expect(map(word, shortestSound: 0.2).silentSeconds(within: 3...3.54) == 0)
        #expect(map(word, shortestSound: 2).silent)
    }

    @Test func soundsBelowMinimumDurationAreSilence() {
        let signal = words(stretches, on: ground)
        let long = map(signal) { $0.minimumSoundSeconds = 0.8 }
        #expect(long.silentSeconds(within: 5...5.5) > 0.49)
        #expect(long.silentSeconds(within: 8...11) == 0)
        #expect(map(signal) { $0.minimumSoundSeconds = 0.2 }.silentSeconds(within: 5...5.5) == 0)
    }

    @Test func fixedThresholdComparesLevelOnly() {
        let quiet = words([16...17], on: ground, levelDBFS: -40)
        let signal = words(stretches, on: quiet)
        let high = map(signal) { $0.thresholdDBFS = -30 }
        #expect(high.separable && !high.silent && high.confidence == nil)
        #expect(high.thresholdDecibels == nil)
        #expect(high.silentSeconds(within: 16...17) > 0.99)
        for word in stretches { #expect(high.silentSeconds(within: word) == 0) }
        let low = map(signal) { $0.thresholdDBFS = -45 }
        #expect(low.silentSeconds(within: 16...17) == 0)
        #expect(low.totalSeconds > 11)
        let careful = map(signal) {
            $0.thresholdDBFS = -30
            $0.sensitivityDecibels = 15
        }
        #expect(careful.intervalsSeconds == low.intervalsSeconds)
    }

    @Test func recordingBelowFixedThresholdIsSilent() {
        let map = map(words(stretches, on: ground)) { $0.thresholdDBFS = -3 }
        #expect(map.silent && map.intervalsSeconds == [[0, 20]])
    }

    @Test func machineNoiseIsKeptOnlyForAnyActivity() {
        // A machine that runs for a while as steadily as no voice can.
        let machine = Signal.noise(levelDBFS: -35, seconds: 3, seed: 4)
        let signal = words(stretches, on: ground).adding(machine, atSeconds: 15.5)
        let any = map(signal) { $0.activity = .any }
        #expect(any.silentSeconds(within: 15.5...18.5) == 0)
        for word in stretches { #expect(any.silentSeconds(within: word) == 0) }
        #expect(any.totalSeconds > 8)
        let speech = map(signal) { $0.activity = .speech }
        #expect(speech.silentSeconds(within: 16.2...17.8) > 1)
    }

    @Test func thresholdInDecibelsIsReported() throws {
        let plain = map(words(stretches, on: ground)) { _ in }
        let threshold = try #require(plain.thresholdDecibels)
        #expect((1.5...10).contains(threshold))
        let careful = map(words(stretches, on: ground)) { $0.sensitivityDecibels = 1 }
        #expect(careful.thresholdDecibels.map { abs($0 + 1 - threshold) < 0.11 } == true)
    }

    @Test func confidenceFallsAsNoiseApproachesSpeech() {
        let confidences = [-70.0, -50, -36, -30].map { level in
            let noise = Signal.noise(levelDBFS: level, seconds: 20)
            return map(words(stretches, on: noise, levelDBFS: -30)) { _ in }.confidence ?? -1
        }
        #expect(confidences == confidences.sorted(by: >))
        #expect(confidences[0] > 0.9)
    }
}
