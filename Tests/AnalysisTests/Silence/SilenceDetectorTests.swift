import Analysis
import Recordings
import TestSupport
import Testing

@Suite struct SilenceDetectorTests {
    private let stretches: [ClosedRange<Double>] = [2...3.2, 5...5.5, 8...11, 13...14, 16.4...17.1]

    /// Every word is whole, and no more than `slack` seconds are kept on either side of it.
    private func expectWords(
        _ map: SilenceMap, slack: Double = 0.15, sourceLocation: SourceLocation = #_sourceLocation
    ) {
        #expect(map.separable && !map.silent, sourceLocation: sourceLocation)
        let sounds = map.soundsBetween
        #expect(sounds.count == stretches.count, sourceLocation: sourceLocation)
        for (sound, word) in zip(sounds, stretches) {
            #expect(sound.lowerBound <= word.lowerBound, sourceLocation: sourceLocation)
            #expect(sound.upperBound >= word.upperBound, sourceLocation: sourceLocation)
            #expect(sound.lowerBound >= word.lowerBound - slack, sourceLocation: sourceLocation)
            #expect(sound.upperBound <= word.upperBound + slack, sourceLocation: sourceLocation)
        }
    }

    @Test(arguments: [4000, 8000, 11_025])
    func wordsOverNoiseAreKeptWhole(rate: Int) {
        let ground = Signal.noise(levelDBFS: -60, seconds: 20.01, sampleRateHertz: rate)
        let map = silenceMap(words(stretches, on: ground))
        expectWords(map)
        #expect(map.confidence ?? 0 > 0.7)
        #expect(map.intervalsSeconds.first?[0] == 0)
        #expect(map.intervalsSeconds.last?[1] == ground.seconds.rounded(toDecimals: 6))
    }

    @Test(arguments: [22_050, 44_100, 48_000, 192_000])
    func wordsAreKeptAtHighSampleRates(rate: Int) {
        let ground = Signal.noise(levelDBFS: -60, seconds: 2.5, sampleRateHertz: rate)
        let map = silenceMap(words([1...1.5], on: ground))
        #expect(map.silentSeconds(within: 1...1.5) == 0)
        #expect(map.totalSeconds > 1.75)
    }

    @Test func noiseFloorAndSNRAreReported() throws {
        let ground = Signal.noise(levelDBFS: -60, seconds: 20)
        let map = silenceMap(words(stretches, on: ground))
        let floor = try #require(map.noiseFloorDBFS)
        let distance = try #require(map.signalToNoiseDecibels)
        #expect(abs(floor + 60) < 1)
        #expect(abs(distance - 40) < 2)
    }

    @Test func noiseBurstsKeepTheirEdges() {
        let ground = Signal.noise(levelDBFS: -60, seconds: 20)
        let sound = stretches.reduce(ground) { sum, stretch in
            let seconds = stretch.upperBound - stretch.lowerBound
            return sum.adding(
                .noise(levelDBFS: -30, seconds: seconds, seed: 9), atSeconds: stretch.lowerBound)
        }
        expectWords(silenceMap(sound), slack: 0.12)
    }

    @Test func fanNoiseBetweenWordsIsSilence() {
        let fan = Signal.fan(levelDBFS: -45, seconds: 20)
        expectWords(silenceMap(words(stretches, on: fan)))
    }

    @Test func humBetweenWordsIsSilence() {
        let hum = Signal.hum(hertz: 50, levelDBFS: -40, seconds: 20)
            .adding(.noise(levelDBFS: -70, seconds: 20))
        expectWords(silenceMap(words(stretches, on: hum)), slack: 0.2)
    }

    @Test(arguments: [0.3, -0.05]) func dcOffsetDoesNotChangeSilences(offset: Double) {
        let ground = Signal.noise(levelDBFS: -60, seconds: 20)
        let plain = words(stretches, on: ground)
        let shifted = plain.adding(.constant(offset, seconds: 20))
        expectWords(silenceMap(shifted))
        #expect(
            silenceMap(shifted).intervalsSeconds.count == silenceMap(plain).intervalsSeconds.count)
    }

    @Test func wordsAndPausesAreFoundAcrossNoiseFloorStep() {
        let ground = Signal.noise(levelDBFS: -65, seconds: 30)
            .followed(by: .noise(levelDBFS: -45, seconds: 30, seed: 5))
        let stretches: [ClosedRange<Double>] = [
            3...4.5, 8...9, 14...16, 22...24, 27...28, 33...35, 41...43, 48...49, 54...56,
        ]
        let map = silenceMap(words(stretches, on: ground))
        #expect(map.separable)
        for stretch in stretches { #expect(map.silentSeconds(within: stretch) == 0) }
        #expect(map.silentSeconds(within: 9.2...13.8) > 4.4)
        #expect(map.silentSeconds(within: 36...40.8) > 4.4)
        #expect(map.silentSeconds(within: 49.2...53.8) > 4.4)
    }

    @Test func weakOnsetIsKept() {
        let ground = Signal.noise(levelDBFS: -60, seconds: 20)
        let onsets = stretches.reduce(words(stretches, on: ground)) { sum, word in
            sum.adding(
                .vowel(hertz: 130, levelDBFS: -54, seconds: 0.2),
                atSeconds: word.lowerBound - 0.2)
        }
        let map = silenceMap(onsets)
        for word in stretches {
            #expect(map.silentSeconds(within: (word.lowerBound - 0.2)...word.upperBound) == 0)
        }
    }

    @Test(arguments: [8000, 16_000, 44_100]) func finalFricativeIsKept(rate: Int) {
        let stretches: [ClosedRange<Double>] = [1...2, 3...3.5, 5...6.3]
        let ground = Signal.noise(levelDBFS: -60, seconds: 8, sampleRateHertz: rate)
        let endings = stretches.reduce(words(stretches, on: ground)) { sum, word in
            sum.adding(
                .hiss(levelDBFS: -50, seconds: 0.18, sampleRateHertz: rate),
                atSeconds: word.upperBound)
        }
        let map = silenceMap(endings)
        for word in stretches {
            #expect(map.silentSeconds(within: word.lowerBound...(word.upperBound + 0.18)) == 0)
        }
        #expect(map.totalSeconds > 3.7)
    }

    @Test func silencesShorterThanMinimumAreOmitted() {
        let ground = Signal.noise(levelDBFS: -60, seconds: 20)
        let map = silenceMap(words(stretches, on: ground), minimumSeconds: 2)
        #expect(map.intervalsSeconds.allSatisfy { $0[1] - $0[0] >= 2 })
        #expect(map.intervalsSeconds.count == 3)
    }

    @Test func oppositePhaseChannelsDoNotCancel() {
        let ground = Signal.noise(levelDBFS: -60, seconds: 20)
        let left = words(stretches, on: ground)
        let right = Signal(
            sampleRateHertz: left.sampleRateHertz, samples: left.samples.map { -$0 })
        expectWords(silenceMap([left, right]))
    }

    @Test func intervalWithOneActiveChannelIsKept() {
        let quiet = Signal.noise(levelDBFS: -60, seconds: 20, seed: 8)
        let left = words(stretches, on: .noise(levelDBFS: -60, seconds: 20))
        expectWords(silenceMap([quiet, left]))
    }

    @Test func birdSongAboveMelBandsIsKept() {
        let ground = Signal.noise(levelDBFS: -65, seconds: 6, sampleRateHertz: 48_000)
        let song = Signal.tone(
            hertz: 14_000, levelDBFS: -30, seconds: 1, sampleRateHertz: 48_000)
        let map = silenceMap([ground.adding(song, atSeconds: 2)]) { $0.activity = .any }
        #expect(map.silentSeconds(within: 2...3) == 0)
        #expect(map.totalSeconds > 4.7)
    }

    @Test(arguments: [1, 7, 4096, 100_000])
    func activityTracksAreIndependentOfBlockSize(blockFrames: Int) {
        let left = words([0.5...1], on: .noise(levelDBFS: -50, seconds: 2))
        let right = Signal.fan(levelDBFS: -40, seconds: 2)
        let wide = Signal.noise(levelDBFS: -40, seconds: 0.5, sampleRateHertz: 44_100)
        func tracks(_ blockFrames: Int) -> [ActivityTrack] {
            var pair = SpectrumMeter(sampleRateHertz: 8000, channels: 2)
            for block in BlockSequence([left.samples, right.samples], blockFrames: blockFrames) {
                pair.consume(block)
            }
            var single = SpectrumMeter(sampleRateHertz: 44_100, channels: 1)
            for block in BlockSequence(wide, blockFrames: blockFrames) { single.consume(block) }
            return [pair.finish(), single.finish()]
        }
        let found = tracks(blockFrames)
        #expect(found == tracks(1000))
        #expect(found.map(\.frames) == [200, 50])
    }
}
