import Recordings
import TestSupport
import Testing

@Suite struct SoundSegmentTests {
    @Test(
        arguments: [
            ([], [[0.0, 5]]),
            ([[0, 5]], []),
            ([[0, 1], [2, 5]], [[1, 2]]),
            ([[1, 2]], [[0, 1], [2, 5]]),
            ([[0, 1], [1, 2]], [[2, 5]]),
        ] as [([[Double]], [[Double]])])
    func soundIsWhatSilencesLeave(silences: [[Double]], sounds: [[Double]]) {
        let map = SilenceMap(
            noiseFloorDBFS: nil, signalToNoiseDecibels: nil, confidence: nil, separable: true,
            silent: false, intervalsSeconds: silences)
        let found = map.sounds(durationSeconds: 5).map { [$0.startSeconds, $0.endSeconds] }
        #expect(found == sounds)
    }

    @Test func segmentsAreAddedOnce() throws {
        var entry = Example.doneEntry("a.wav")
        entry.silence?.segments = nil
        let wereMissing = entry.addSegments()
        #expect(wereMissing)
        let silence = try #require(entry.silence)
        let seconds = try #require(entry.format?.durationSeconds)
        #expect(silence.segments == silence.sounds(durationSeconds: seconds))
        let areMissing = entry.addSegments()
        entry.silence = nil
        let canBeAdded = entry.addSegments()
        #expect(!areMissing && !canBeAdded)
    }
}
