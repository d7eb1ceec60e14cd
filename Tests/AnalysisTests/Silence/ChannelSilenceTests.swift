import Analysis
import Recordings
import TestSupport
import Testing

/// A recording's silences by those of its channels.
@Suite struct ChannelSilenceTests {
    private let format = AudioFormat(
        container: .wav, encoding: .pcm16, sampleRateHertz: 8000, channels: 2, frames: 80_000)

    private func map(
        _ silences: [[Double]], isSeparable: Bool = true, isSilent: Bool = false,
        floor: Double? = -60, levels: [Double?] = []
    ) -> SilenceMap {
        var map = SilenceMap(
            noiseFloorDBFS: floor, signalToNoiseDecibels: 20, confidence: 0.9,
            separable: isSeparable, silent: isSilent, intervalsSeconds: silences)
        map.segments = map.sounds(durationSeconds: 10)
        for (index, level) in levels.enumerated() { map.segments?[index].levelDBFS = level }
        return map
    }

    private func whole(_ maps: SilenceMap...) -> SilenceMap? {
        SilenceMap(whereAllAreSilent: maps, format, SilenceRecipe())
    }

    @Test func oneChannelIsTheRecording() {
        let only = map([[1, 2]])
        #expect(whole(only) == only && whole() == nil)
    }

    @Test(
        arguments: [
            ([[0, 4], [6, 10]], [[2, 8]], [[2, 4], [6, 8]]),
            ([[0, 10]], [[1, 2], [3, 4]], [[1, 2], [3, 4]]),
            ([[0, 2]], [[2, 4]], []),
            ([[0, 2]], [[1.6, 4]], []),
            ([[0, 2]], [[1.5, 4]], [[1.5, 2]]),
            ([], [[0, 10]], []),
        ] as [([[Double]], [[Double]], [[Double]])])
    func recordingIsSilentWhereAllChannelsAre(
        one: [[Double]], other: [[Double]], both: [[Double]]
    ) throws {
        for (a, b) in [(one, other), (other, one)] {
            let found = try #require(whole(map(a), map(b)))
            #expect(found.intervalsSeconds == both)
            #expect(found.channels == [map(a), map(b)])
            #expect(found.segments?.map(\.startSeconds) == map(both).segments?.map(\.startSeconds))
        }
    }

    @Test func channelThatCannotBeToldApartLeavesNothingToCut() throws {
        let unknown = map([], isSeparable: false)
        let silent = map([[0, 10]], isSilent: true, floor: nil)
        let known = map([[0, 4]])
        let mixed = try #require(whole(known, unknown))
        #expect(!mixed.separable && mixed.intervalsSeconds == [])
        // An agent who hears nobody.
        let alone = try #require(whole(known, silent))
        #expect(alone.separable && !alone.silent && alone.intervalsSeconds == [[0, 4]])
        let nobody = try #require(whole(silent, silent))
        #expect(nobody.silent && nobody.intervalsSeconds == [[0, 10]] && nobody.segments == [])
    }

    @Test func segmentHasTheFiguresOfTheLoudest() throws {
        // The agent is heard from 1 to 3 and from 5 to 6, the customer from 2 to 4 and from 8 to 9.
        let agent = map([[0, 1], [3, 5], [6, 10]], levels: [-20, -40])
        let customer = map([[0, 2], [4, 8], [9, 10]], floor: -50, levels: [-10, -30])
        let found = try #require(whole(agent, customer))
        let segments = try #require(found.segments)
        #expect(segments.map(\.startSeconds) == [1, 5, 8])
        #expect(segments.map(\.endSeconds) == [4, 6, 9])
        #expect(segments.map(\.levelDBFS) == [-10, -40, -30])
        // Of powers.
        #expect(found.noiseFloorDBFS == -52.6)
    }
}
