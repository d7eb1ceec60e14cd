import Jobs
import Recordings
import Reports
import Testing

@Suite struct MapViewTests {
    @Test func lineShowsMappedTimeOrCut() {
        func line(_ moment: TimeMap.Moment, _ direction: TimeMap.Direction) -> String {
            MapView.line(moment, direction, seconds: 754.5, sampleRateHertz: 8_000)
        }
        let kept = TimeMap.Moment(sourceFrame: 29_000_001, trimmedFrame: 6_036_000)
        #expect(
            line(kept, .toSource) == "12:34.5 in the copy is 1:00:25.000125 in the recording")
        #expect(line(kept, .toTrimmed) == "12:34.5 in the recording is 12:34.5 in the copy")
        let cut = TimeMap.Moment(
            sourceFrame: 6_036_000, trimmedFrame: 4_000, cut: 6_000_000..<6_040_000)
        #expect(
            line(cut, .toTrimmed)
                == "12:34.5 in the recording was cut, with all from 12:30 to 12:35; the cut is at"
                + " 0:00.5 in the copy")
    }

    @Test func invalidAndOutOfRangeTimesAreReported() {
        #expect(
            MapView.beyondEnd(.toSource, seconds: 61, endSeconds: 60.25)
                == "1:01 is beyond the end of the copy, at 1:00.25")
        #expect(
            MapView.beyondEnd(.toTrimmed, seconds: 61, endSeconds: 60)
                == "1:01 is beyond the end of the recording, at 1:00")
        #expect(
            MapView.noTime(line: 3, text: "so\u{1B}[2J")
                == "line 3 is not a time: \"so\\u{1b}[2J\"; write seconds, m:ss or h:mm:ss")
    }

    @Test(arguments: [
        (0, "0:00"), (0.5, "0:00.5"), (59.9999996, "1:00"), (754.5, "12:34.5"),
        (0.000125, "0:00.000125"), (3723.01, "1:02:03.01"), (363_600, "101:00:00"),
    ])
    func exactTimesUseMicrosecondsWithoutTrailingZeros(seconds: Double, text: String) {
        #expect(DurationText.exact(seconds) == text)
    }

    private static let sentences: [(MapRefusal, String)] = [
        (
            .manifestMissing("a/manifest.json"),
            "a/manifest.json does not exist; pass a manifest.json, or its folder and the"
                + " recording's way from there"
        ),
        (
            .manifestUnreadable("a.wav", .damaged),
            "a.wav is not a manifest, or is damaged"
        ),
        (
            .manifestUnreadable("m.json", .unreadable(detail: "Permission denied")),
            "m.json could not be read: Permission denied"
        ),
        (
            .manifestUnreadable("m.json", .ofLaterVersion),
            "m.json was written by a later version of tapedeck"
        ),
        (
            .recordingUnknown("x", manifest: "m.json", some: [], count: 0),
            "m.json has no recording x, nor any other"
        ),
        (
            .recordingUnknown("x", manifest: "m.json", some: ["a", "b"], count: 2),
            "m.json has no recording x; it has a, b"
        ),
        (
            .recordingUnknown("x\n", manifest: "m.json", some: ["a", "b", "c"], count: 5),
            "m.json has no recording x\\n; it has a, b, c and 2 others"
        ),
        (
            .notTrimmed("a.wav", .nothingToCut),
            "a.wav has no trimmed copy: there was nothing to cut, so its times are the same"
        ),
        (.notTrimmed("a.wav", .off), "a.wav has no trimmed copy: trimming was off"),
        (
            .notTrimmed("a.wav", .silent),
            "a.wav has no trimmed copy: all of it is taken for silence"
        ),
        (
            .notTrimmed("a.wav", .notSeparable),
            "a.wav has no trimmed copy: its sound and noise could not be separated"
        ),
        (
            .failed("a.m4a", RecordingFailure(stage: .decode, reason: .emptyFile)),
            "a.m4a has no trimmed copy, as it failed: the file is empty"
        ),
        (
            .editsDamaged("a.wav", manifest: "m.json"),
            "m.json: its entry for the copy of a.wav is invalid; delete the manifest, and the"
                + " next run rebuilds it"
        ),
    ]

    @Test(arguments: sentences.indices)
    func eachMapRefusalHasExpectedMessage(index: Int) {
        let (refusal, sentence) = Self.sentences[index]
        #expect(FailureText.sentence(for: refusal) == sentence)
    }
}
