import Dispatch
import Recordings
import TestSupport
import Testing

@testable import Analysis

/// Work that is shared comes to what one alone makes of it.
@Suite struct CrewTests {
    /// Who does the last piece first, and those who do them at once.
    static let crews = [
        Crew(workers: 3) { count, piece in for number in (0..<count).reversed() { piece(number) } },
        Crew(workers: 4) { DispatchQueue.concurrentPerform(iterations: $0, execute: $1) },
    ]

    /// Words on a ground, by chance, for a little longer than what inputs are made of in one piece.
    static let track = {
        var random = SeededGenerator(seed: 7)
        var builder = TrackBuilder(bands: 20, high: 14..<20, keepsBands: true)
        for frame in 0..<31_000 {
            let level: Float = frame % 430 < 180 ? -30 : -62
            let tilt = Float.random(in: -0.5...0.5, using: &random)
            builder.add(
                BandRow { level + Float($0) * tilt }, periodicity: frame % 430 < 180 ? 0.8 : 0.1,
                isDigitalSilence: (29_900..<30_050).contains(frame))
        }
        builder.finish()
        return builder.track
    }()

    @Test(arguments: crews.indices) func resultsAreInTheirOrder(index: Int) {
        for count in 0...9 {
            #expect(CrewTests.crews[index].map(count) { "\($0)" } == (0..<count).map { "\($0)" })
        }
    }

    @Test func stretchesFollowEachOther() {
        #expect((3..<10).cut(every: 3) == [3..<6, 6..<9, 9..<10])
        #expect((3..<9).cut(every: 3) == [3..<6, 6..<9] && (4..<4).cut(every: 3).isEmpty)
    }

    @Test(arguments: crews.indices) func theNetworkIsShownTheSame(index: Int) {
        /// All inputs of the track as this crew makes them.
        func inputs(_ crew: Crew) -> [Int16] {
            let frames = 0..<CrewTests.track.frames
            let count = frames.count * SpeechInputs.count
            return [Int16](unsafeUninitializedCapacity: count) {
                SpeechInputs(CrewTests.track, frames, crew).fill(frames, into: $0)
                $1 = count
            }
        }
        let isSame = inputs(CrewTests.crews[index]) == inputs(.alone)
        #expect(isSame)
    }

    @Test(arguments: crews.indices) func theSilencesAreTheSame(index: Int) {
        func map(_ crew: Crew) -> SilenceMap {
            let format = AudioFormat(
                container: .wav, encoding: .pcm16, sampleRateHertz: 16_000, channels: 1,
                frames: Int64(CrewTests.track.frames) * 160)
            return SilenceDetector.detect(
                CrewTests.track, recipe: SilenceRecipe(), format: format, crew: crew)
        }
        let alone = map(.alone)
        #expect(alone.intervalsSeconds.count > 20)
        #expect(map(CrewTests.crews[index]) == alone)
    }
}
