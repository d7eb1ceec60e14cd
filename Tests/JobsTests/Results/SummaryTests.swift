import Jobs
import Recordings
import ReducerKit
import TestSupport
import Testing

@Suite struct SummaryTests {
    private func count(_ status: ManifestEntry.Status, upToDate: Bool) -> Summary {
        var entry = Example.doneEntry("a.wav")
        entry.status = status
        entry.silence = Example.silence([[0, 1]], silent: true)
        entry.trimmed = TrimmedFile(
            path: "a.wav", durationSeconds: 0.25, bytes: 9, sha256: "ab", edits: [])
        var summary = Summary()
        summary.count(SettledEntry(entry), upToDate: upToDate)
        return summary
    }

    @Test(arguments: [false, true])
    func missingRecordingCountsOnlyAsMissing(upToDate: Bool) {
        var expected = Summary()
        expected.missing = 1
        #expect(count(.sourceMissing, upToDate: upToDate) == expected)
        #expect(expected.settled == 0)
    }

    @Test(arguments: [false, true])
    func failedRecordingAddsNoAudioSeconds(upToDate: Bool) {
        var expected = Summary()
        if upToDate { expected.stillFailed = 1 } else { expected.failed = 1 }
        #expect(count(.failed, upToDate: upToDate) == expected)
        #expect(expected.settled == 1)
    }

    @Test(arguments: [false, true])
    func doneRecordingAddsAudioSeconds(upToDate: Bool) {
        let summary = count(.done, upToDate: upToDate)
        #expect(summary.settled == 1 && summary.missing == 0)
        #expect(summary.silent == 1 && summary.trimmed == 1)
        #expect(summary.audioSeconds > 0.25)
        #expect(summary.removedSeconds == summary.audioSeconds - 0.25)
        #expect(summary.decodedSeconds == (upToDate ? 0 : summary.audioSeconds))
    }
}
