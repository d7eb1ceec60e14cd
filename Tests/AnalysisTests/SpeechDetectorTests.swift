import Recordings
import TestSupport
import Testing

@testable import Analysis

/// The learned detector on whole recordings.
@Suite struct SpeechDetectorTests {
    private let spoken = words(
        [1...1.8, 2.1...2.9, 4...5.2, 7...8.5], on: .noise(levelDBFS: -60, seconds: 10),
        inSyllables: true)

    private func map(_ signal: Signal, blockFrames: Int = 4096) -> SilenceMap {
        silenceMap([signal], minimumSeconds: 0.3, blockFrames: blockFrames, detector: .learned)
    }

    private func isNear(_ map: SilenceMap, _ other: SilenceMap) -> Bool {
        map.intervalsSeconds.count > 2 && map.intervalsSeconds.count == other.intervalsSeconds.count
            && zip(map.intervalsSeconds.joined(), other.intervalsSeconds.joined())
                .allSatisfy { abs($0 - $1) <= 0.021 }
    }

    @Test func spokenWordsAreKeptAndShortPausesFilled() {
        let map = map(spoken)
        #expect(map.separable && !map.silent)
        #expect(map.confidence ?? 0 > 0.5)
        for word in [1.05...2.85, 4.05...5.15, 7.05...8.45] {
            #expect(map.silentSeconds(within: word) == 0)
        }
        #expect(map.silentSeconds(within: 5.4...6.8) > 1.3)
        #expect(map.silentSeconds(within: 8.8...10) > 1.1)
    }

    @Test(arguments: [-60.0, -20, 20]) func silencesAreIndependentOfGain(decibels: Double) {
        // Beside noise, and as clean as no recorder is.
        for level in [-40.0, -110] {
            let ground = Signal.noise(levelDBFS: level, seconds: 10)
            let spoken = words([1...1.8, 4...5.2, 7...8.5], on: ground, inSyllables: true)
            #expect(isNear(map(spoken.amplified(byDecibels: decibels)), map(spoken)))
        }
    }

    @Test(arguments: [-20.0, -6, 6, 20]) func sensitivityDoesNotChangeConfidence(decibels: Double) {
        func cautious(_ decibels: Double) -> SilenceMap {
            silenceMap([spoken]) {
                $0.detector = .learned
                $0.sensitivityDecibels = decibels
            }
        }
        let (map, plain) = (cautious(decibels), cautious(0))
        #expect(map.separable && map.confidence == plain.confidence)
        #expect((map.totalSeconds <= plain.totalSeconds) == (decibels > 0))
    }

    @Test(arguments: [0.0, 3, 7, 20], SilenceRecipe.Detector.allCases)
    func highSensitivityFindsNoSpeechInNoise(decibels: Double, detector: SilenceRecipe.Detector) {
        for level in [-70.0, -45, -20] {
            for seed in 1...3 {
                let map = silenceMap([.noise(levelDBFS: level, seconds: 12, seed: UInt64(seed))]) {
                    $0.detector = detector
                    $0.sensitivityDecibels = decibels
                }
                #expect(map.silent)
            }
        }
    }

    @Test(arguments: [1, 4, 7, 10, 13])
    func digitalSilenceBeforeClickIsSilentOrUndecided(frames: Int) {
        for quiet in [100, 109] {
            let silence = Signal.constant(seconds: Double(quiet) / 100)
            let click = Signal.noise(levelDBFS: -30, seconds: Double(frames) / 100, seed: 3)
            let map = map(silence.followed(by: click))
            #expect(map.silentSeconds(within: 0...0.9) > 0.85 || !map.separable)
        }
    }

    @Test func wordCutOffAtEndIsKept() {
        let cut = words(
            [1...2.2, 4...5.2, 8.86...9], on: .noise(levelDBFS: -60, seconds: 9), inSyllables: true)
        #expect(map(cut).silentSeconds(within: 8.9...9) == 0)
    }

    @Test(arguments: [16_000, 44_100, 48_000]) func speechIsFoundAtEverySampleRate(rate: Int) {
        let ground = Signal.noise(levelDBFS: -60, seconds: 8, sampleRateHertz: rate)
        let dead = Signal.constant(seconds: 8, sampleRateHertz: rate)
        let sound = words([1...1.8, 4...5.2], on: ground, inSyllables: true)
        for channels in [[sound], [sound, dead]] {
            let map = silenceMap(channels, detector: .learned)
            #expect(map.separable && map.silentSeconds(within: 1.1...1.7) == 0)
            #expect(map.silentSeconds(within: 2.2...3.7) > 1.3)
        }
    }

    @Test func lowSampleRateFallsBackToClassicalDetector() {
        let ground = Signal.noise(levelDBFS: -60, seconds: 8, sampleRateHertz: 4000)
        let sound = words([1...1.8, 4...5.2], on: ground, inSyllables: true)
        #expect(silenceMap([sound], detector: .learned) == silenceMap([sound]))
        #expect(silenceMap([sound], detector: .learned).thresholdDecibels != nil)
    }

    @Test func uninterruptedSpeechHasNoiseFloor() {
        let voice = words(
            [0...3], on: .noise(levelDBFS: -60, seconds: 3), inSyllables: true)
        let map = map(voice)
        #expect(map.silent || map.noiseFloorDBFS != nil)
    }

    @Test func dcOffsetDoesNotChangeSilences() {
        let rate = spoken.sampleRateHertz
        let offset = Signal.constant(0.1, seconds: 10, sampleRateHertz: rate)
        #expect(isNear(map(spoken.adding(offset)), map(spoken)))
    }

    @Test(arguments: [1, 777, 100_000]) func silencesAreIndependentOfBlockSize(blockFrames: Int) {
        #expect(map(spoken, blockFrames: blockFrames) == map(spoken))
    }

    @Test func noiseWithoutSpeechIsSilent() {
        for noise in [
            Signal.fan(levelDBFS: -45, seconds: 20), .noise(levelDBFS: -30, seconds: 20),
            .hum(levelDBFS: -30, seconds: 20),
        ] {
            let map = map(noise)
            #expect(map.silent && !map.separable)
            #expect(map.intervalsSeconds == [[0, 20]])
        }
    }

    @Test func digitalSilenceAndVeryShortSoundUseClassicalDetector() {
        let zeros = map(.constant(0, seconds: 5))
        #expect(zeros == silenceMap(.constant(0, seconds: 5), minimumSeconds: 0.3))
        #expect(zeros.silent)
        let short = Signal.noise(levelDBFS: -30, seconds: 0.18)
        #expect(map(short) == silenceMap(short, minimumSeconds: 0.3))
        #expect(map(.constant(0, seconds: 0)).intervalsSeconds.isEmpty)
    }

    @Test func speechWithoutPausesIsNotCut() {
        let map = map(
            words([0...12], on: .noise(levelDBFS: -70, seconds: 12), inSyllables: true))
        #expect(map.intervalsSeconds.isEmpty && !map.silent)
    }

    @Test(arguments: [4.0, 6, 12]) func heldNotesAloneAreNeverCut(seconds: Double) {
        let notes = stride(from: 2, to: 38 - seconds, by: seconds + 1).map { $0...$0 + seconds }
        let map = map(words(notes, on: .noise(levelDBFS: -50, seconds: 40)))
        // Without any speech there is nothing to cut around.
        #expect(!map.separable)
    }

    @Test(arguments: [-26.0, -14, -8]) func loudSoundDoesNotVoidTheRest(levelDBFS: Double) {
        let stretches = [1...2.4, 4...5.1, 7...9.0, 12...13.5]
        let talk = words(
            stretches, on: .noise(levelDBFS: -60, seconds: 15), inSyllables: true)
        let whine = Signal.tone(hertz: 3100, levelDBFS: levelDBFS, seconds: 8)
        let map = map(talk.followed(by: whine).followed(by: talk))
        #expect(map.separable && !map.silent)
        for stretch in stretches { #expect(map.silentSeconds(within: stretch) == 0) }
        for pause in [2.7...3.8, 5.4...6.8, 9.3...11.8, 25.7...26.8, 32.3...34.8] {
            #expect(map.silentSeconds(within: pause) > 0.7 * (pause.upperBound - pause.lowerBound))
        }
    }

    @Test func shortPausesAreFoundIfRequested() {
        let stretches = [1...1.8, 2...2.7, 3...3.9, 4.3...5.2, 6.5...7.3]
        let talk = words(stretches, on: .noise(levelDBFS: -60, seconds: 9), inSyllables: true)
        func pauses(_ minimum: Double) -> [ClosedRange<Double>] {
            silenceMap([talk], minimumSeconds: minimum, detector: .learned).intervalsSeconds
                .map { $0[0]...$0[1] }
        }
        #expect(pauses(0.15).count > pauses(0.5).count)
        #expect(pauses(0.5).allSatisfy(pauses(0.15).contains))
        #expect(pauses(0.15).contains { $0.lowerBound > 3.85 && $0.upperBound < 4.35 })
    }

    @Test(arguments: [0.25, 0.4, 0.7, 0.95]) func shortRecordingIsAnalysed(seconds: Double) {
        // A word, and a moment before and behind it.
        let word = words(
            [0.05...seconds - 0.05], on: .noise(levelDBFS: -80, seconds: seconds),
            inSyllables: true)
        let map = map(word)
        #expect(map.separable && !map.silent && map.confidence ?? 0 > 0.5)
        #expect(map.silentSeconds(within: 0.05...seconds - 0.05) == 0)
        let prompt = self.map(word.followed(by: .noise(levelDBFS: -80, seconds: 0.6, seed: 2)))
        #expect(prompt.silentSeconds(within: seconds + 0.1...seconds + 0.6) > 0.35)
    }

    @Test(arguments: [-12.0, -10, -6]) func speechBelowHumOfAnotherChannelIsFound(
        levelDBFS: Double
    ) {
        let stretches = [2...3.2, 5...5.9, 8...10.5, 13...14, 16...17.5, 20...23]
        let voice = words(
            stretches, on: .noise(levelDBFS: -50, seconds: 25), inSyllables: true)
        let hum = Signal.hum(levelDBFS: levelDBFS, seconds: 25)
        let map = silenceMap([voice, hum], detector: .learned)
        #expect(map.separable)
        for stretch in stretches { #expect(map.silentSeconds(within: stretch) == 0) }
        #expect(map.silentSeconds(within: 10.8...12.8) > 1.8)
    }

    @Test func wordsWithLostPacketsAreKept() {
        let stretches = [1...9.0, 11...19]
        var broken = words(stretches, on: .constant(0, seconds: 20), inSyllables: true)
        var frame = 0
        let rate = broken.sampleRateHertz
        broken.transform { sample in
            frame += 1
            // Packets of 20 ms are lost, four times a second.
            return frame % (rate / 4) < rate * 2 / 100 ? 0 : sample
        }
        let map = map(broken)
        #expect(map.separable)
        for word in stretches { #expect(map.silentSeconds(within: word) < 0.1) }
        #expect(map.silentSeconds(within: 9.2...10.8) > 1.5)
    }

    @Test func voiceActivityKeepsWhatSpeechKeeps() {
        let voice = silenceMap([spoken]) {
            ($0.detector, $0.activity, $0.minimumSeconds) = (.learned, .voice, 0.3)
        }
        let speech = map(spoken)
        #expect(voice.separable && voice.confidence ?? 0 > 0.5)
        #expect(voice.totalSeconds <= speech.totalSeconds + 0.05)
        for word in [1.05...2.85, 4.05...5.15, 7.05...8.45] {
            #expect(voice.silentSeconds(within: word) == 0)
        }
        #expect(voice.silentSeconds(within: 5.4...6.8) > 1)
    }

    @Test func wordInShortNoisyRecordingIsKept() {
        for level in stride(from: -40.0, through: -24, by: 2) {
            let word = words(
                [0.2...0.8], on: .noise(levelDBFS: level, seconds: 1.3), inSyllables: true)
            #expect(map(word).silentSeconds(within: 0.25...0.75) == 0)
            // Digital silence around it makes nothing surer.
            let silence = Signal.constant(seconds: 2)
            let among = map(silence.followed(by: word).followed(by: silence))
            #expect(among.silentSeconds(within: 2.25...2.75) == 0)
        }
        let clear = words(
            [0.3...0.9], on: .noise(levelDBFS: -60, seconds: 2), inSyllables: true)
        #expect(map(clear).separable)
    }
}
