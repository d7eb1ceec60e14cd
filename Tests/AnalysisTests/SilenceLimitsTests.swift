import Analysis
import Recordings
import TestSupport
import Testing

/// Recordings that are all one thing, and ones of digital silence.
@Suite struct SilenceLimitsTests {
    private func expectUndecided(
        _ map: SilenceMap, sourceLocation: SourceLocation = #_sourceLocation
    ) {
        #expect(!map.separable && !map.silent, sourceLocation: sourceLocation)
        #expect(map.intervalsSeconds.isEmpty, sourceLocation: sourceLocation)
        #expect(map.confidence == 0, sourceLocation: sourceLocation)
    }

    @Test(arguments: [0, 0.1]) func zerosAndConstantsAreSilent(value: Double) {
        let map = silenceMap(.constant(value, seconds: 12.345))
        #expect(map.silent && !map.separable)
        #expect(map.intervalsSeconds == [[0, 12.345]])
        #expect(map.noiseFloorDBFS == nil)
        #expect(map.signalToNoiseDecibels == nil)
        #expect(map.confidence == 1)
    }

    @Test func steadyFanAloneIsSilent() {
        let map = silenceMap(.fan(levelDBFS: -45, seconds: 30))
        #expect(map.silent && !map.separable)
        #expect(map.intervalsSeconds == [[0, 30]])
        #expect(map.noiseFloorDBFS.map { abs($0 + 45) < 2 } == true)
    }

    @Test func quietRoomAloneIsSilent() {
        #expect(silenceMap(.noise(levelDBFS: -70, seconds: 30)).silent)
        #expect(silenceMap(.hum(levelDBFS: -50, seconds: 30)).silent)
    }

    @Test func loudToneAloneIsNeitherSilentNorCut() {
        expectUndecided(silenceMap(.tone(hertz: 440, levelDBFS: -12, seconds: 30)))
        expectUndecided(
            silenceMap(
                .tone(hertz: 1000, levelDBFS: -25, seconds: 30)
                    .adding(.noise(levelDBFS: -70, seconds: 30))))
    }

    @Test func musicWithoutPausesIsNotCut() {
        var music = Signal.noise(levelDBFS: -75, seconds: 15)
        for beat in 0..<30 {
            let hertz = 220 * [1, 1.125, 1.25, 1.5, 1.75][beat * 7 % 5]
            var note = Signal.vowel(hertz: hertz, levelDBFS: -18, seconds: 0.5)
            for index in note.samples.indices {
                note.samples[index] *= 1 - 0.8 * Float(index) / Float(note.samples.count)
            }
            music = music.adding(note, atSeconds: Double(beat) / 2)
        }
        let map = silenceMap(music)
        #expect(map.intervalsSeconds.isEmpty && !map.silent)
    }

    @Test func clippedHissAloneIsNeitherSilentNorCut() {
        expectUndecided(silenceMap(.noise(levelDBFS: -8, seconds: 20)))
    }

    @Test func veryShortRecordingsAreNeitherSilentNorCut() {
        for seconds in [0.001, 0.02, 0.3, 0.9] {
            expectUndecided(silenceMap(.vowel(levelDBFS: -20, seconds: seconds)))
            expectUndecided(silenceMap(.noise(levelDBFS: -60, seconds: seconds)))
        }
    }

    @Test func emptyRecordingIsNeitherSilentNorCut() {
        expectUndecided(silenceMap(Signal(sampleRateHertz: 44_100, samples: [])))
    }

    @Test func silentRecordingBelowMinimumHasNoIntervals() {
        let map = silenceMap(.constant(seconds: 0.4))
        #expect(map.silent)
        #expect(map.intervalsSeconds.isEmpty)
    }

    @Test func digitalSilenceAroundCleanSpeechIsFound() {
        let stretches: [ClosedRange<Double>] = [1...3, 4...6.5, 8...9, 10...13]
        let map = silenceMap(words(stretches, on: .constant(seconds: 15)))
        #expect(map.separable)
        #expect(map.noiseFloorDBFS == nil)
        for stretch in stretches { #expect(map.silentSeconds(within: stretch) == 0) }
        #expect(map.totalSeconds > 5.8)
    }

    @Test func digitalSilenceDoesNotLowerNoiseFloor() {
        let stretches: [ClosedRange<Double>] = [3...4, 6...8, 11...12, 15...17]
        let speech = words(stretches, on: .noise(levelDBFS: -50, seconds: 20))
        let map = silenceMap(speech.followed(by: .constant(seconds: 20)))
        #expect(map.separable)
        for stretch in stretches { #expect(map.silentSeconds(within: stretch) == 0) }
        #expect(map.silentSeconds(within: 20.1...40) > 19.85)
        #expect(map.silentSeconds(within: 8.2...10.8) > 2.4)
        #expect(map.silentSeconds(within: 17.2...20) > 2.5)
        #expect(map.noiseFloorDBFS.map { abs($0 + 50) < 2 } == true)
        #expect(map.intervalsSeconds.last?[1] == 40)
    }

    @Test func wordsInGatedRecordingAreKept() {
        // A gate that closes between the words leaves the room's noise around them.
        var signal = Signal.constant(seconds: 0)
        for turn in 0..<5 {
            let open = Signal.noise(levelDBFS: -50, seconds: 3, seed: UInt64(turn))
            signal = signal.followed(by: words([1...2], on: open))
                .followed(by: .constant(seconds: 1))
        }
        let map = silenceMap(signal)
        for turn in 0..<5 {
            let start = 4 * Double(turn)
            #expect(map.silentSeconds(within: (start + 1)...(start + 2)) == 0)
            #expect(map.silentSeconds(within: (start + 3)...(start + 4)) > 0.8)
        }
    }

    @Test func toneBeforeDigitalSilenceIsKept() {
        let tone = Signal.tone(hertz: 440, levelDBFS: -12, seconds: 5)
        let map = silenceMap(tone.followed(by: .constant(seconds: 5)))
        #expect(map.separable && !map.silent)
        #expect(map.intervalsSeconds.count == 1)
        // Of the tone nothing is known.
        #expect(map.confidence == 0.5)
        #expect(map.silentSeconds(within: 0...5) == 0)
        #expect(map.silentSeconds(within: 5...10) > 4.9)
    }
}
