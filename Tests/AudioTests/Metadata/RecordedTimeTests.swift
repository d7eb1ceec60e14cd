import Testing

@testable import Audio

/// Times as recorders and tags write them.
@Suite struct RecordedTimeTests {
    @Test(arguments: [
        ("2026", "2026"), ("2026-05", "2026-05"), ("2026-05-01", "2026-05-01"),
        ("2026-05-01T05:30", "2026-05-01T05:30:00"), ("2026-05-01 05:30:15", "2026-05-01T05:30:15"),
        ("2026-05-01T05:30:15.250Z", "2026-05-01T05:30:15.250Z"),
        ("2026-05-01T04:30:00.000000Z", "2026-05-01T04:30:00Z"),
        ("2026-05-01T05:30:15+0100", "2026-05-01T05:30:15+01:00"),
        ("2026-05-01 05:30:15-04:00", "2026-05-01T05:30:15-04:00"),
        ("2026-05-01T05:30:15+01", "2026-05-01T05:30:15+01:00"),
    ])
    func timesAreTakenAsExactAsTheyAre(text: String, time: String) {
        #expect(RecordedTime.parse(text) == time)
    }

    @Test(arguments: [
        "", "0000-00-00", "0000", "2026-13-01", "2026-05-32", "2026-05-01T24:00", "yesterday",
        "2026-05-01T05:30:15+25:00", "2026-5-1", "２０２６", "2026-05-01T05:30:15+01:00 or so",
        "2026/05/01", "26-05-01",
    ])
    func whatIsNoDateIsNone(text: String) {
        #expect(RecordedTime.parse(text) == nil)
    }

    @Test(arguments: [
        (
            "Recorded at 05:30:00 01/05/2026 (UTC) by AudioMoth 24F319055FDF2F1A at gain setting 2"
                + " while battery state was 4.1V.",
            "2026-05-01T05:30:00Z", "AudioMoth 24F319055FDF2F1A"
        ),
        (
            "Recorded at 19:15:00 31/12/2025 (UTC+5.30) by AudioMoth 24F319055FDF2F1A at medium"
                + " gain while battery was 4.0V and temperature was 12.3C.",
            "2025-12-31T19:15:00+05:30", "AudioMoth 24F319055FDF2F1A"
        ),
        (
            "Recorded at 05:30:00 01/05/2026 (UTC-3) during deployment 1A2B at low gain.",
            "2026-05-01T05:30:00-03:00", nil
        ),
    ])
    func commentsOfAudioMothsAreRead(comment: String, time: String, recorder: String?) {
        let found = RecordedTime.ofAudioMoth(comment)
        #expect(found?.time == time)
        #expect(found?.recorder == recorder)
        #expect(RecordedTime.ofAudioMoth("Recorded at home") == nil)
    }
}
