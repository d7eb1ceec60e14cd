import Jobs
import Recordings
import TestSupport
import Testing

@testable import Reports

@Suite struct StatusViewTests {
    private var summary = ResultSummary()

    private mutating func addDone(
        _ count: Int, seconds: Double = 60, trimmed: Double? = nil, silent: Bool = false,
        isStale: Bool = false
    ) {
        var outcome = SettledEntry(name: "a.wav", status: .done)
        outcome.format = Example.format(seconds: seconds)
        outcome.copySeconds = trimmed
        outcome.isSilent = silent
        for _ in 0..<count { summary.count(outcome, in: .empty, isStale: isStale) }
    }

    private mutating func addFailed(
        _ count: Int, _ name: Pathname, _ reason: RecordingFailure.Reason, detail: String? = nil
    ) {
        var outcome = SettledEntry(name: name, status: .failed)
        outcome.failure = RecordingFailure(
            stage: .decode, reason: reason, detail: detail, frame: 5, expected: 7)
        for _ in 0..<count { summary.count(outcome, in: "A", isStale: false) }
    }

    private mutating func addGone(_ count: Int) {
        var outcome = SettledEntry(name: "a.wav", status: .sourceMissing)
        outcome.format = Example.format(seconds: 60)
        for _ in 0..<count { summary.count(outcome, in: .empty, isStale: false) }
    }

    private func lines() -> [String] { StatusView.lines(summary) }

    @Test func emptyResultsShowZeroRecordings() {
        #expect(lines() == ["0 recordings in 0 folders"])
    }

    @Test mutating func linesShowCountsAudioAndFailures() {
        summary.countFolder()
        addDone(1_198)
        addDone(1, trimmed: 20)
        addDone(1, silent: true, isStale: true)
        addFailed(12, "b\n.wav", .truncated)
        addFailed(1, "c.m4a", .unrecognisedFormat)
        #expect(
            lines() == [
                "1,213 recordings in 1 folder: 1,200 done, 13 failed",
                "1 made with older settings",
                "1 silent, a.wav",
                "20 h 00 min of audio in, 19 h 59 min out: 40 s of silence cut from 1 recording",
                "  12 failed, such as A/b\\n.wav: the file is cut off",
                "   1 failed, A/c.m4a: not a sound file that Tapedeck can read",
            ])
    }

    @Test mutating func silentCountNamesOneExample() {
        addDone(1_200, silent: true)
        #expect(lines()[1] == "1,200 silent, such as a.wav")
    }

    @Test mutating func missingRecordingsAreCounted() {
        summary.countFolder()
        addGone(1_002)
        #expect(lines() == ["1,002 recordings in 1 folder: 1,002 gone"])
        addDone(5)
        addFailed(1, "b.wav", .truncated)
        #expect(
            lines() == [
                "1,008 recordings in 1 folder: 5 done, 1 failed, 1,002 gone",
                "5 min 00 s of audio", "  1 failed, A/b.wav: the file is cut off",
            ])
    }

    @Test mutating func unknownFailureShowsSystemMessage() {
        addFailed(1, "a.wav", .other, detail: "Stale file handle")
        #expect(lines().last == "  1 failed, A/a.wav: Stale file handle")
    }

    @Test mutating func trimmedCopiesAreOmittedWhenThereAreNone() {
        summary.countFolder()
        addDone(2)
        #expect(lines() == ["2 recordings in 1 folder: 2 done", "2 min 00 s of audio"])
    }

    @Test(arguments: [
        (0, "0 bytes"), (1, "1 byte"), (999, "999 bytes"), (1_000, "1,000 bytes"),
        (1_234_567, "1,234,567 bytes"), (-1_000, "-1,000 bytes"),
    ])
    func countsAreGroupedByThousands(count: Int, words: String) {
        #expect(CountText.words(count, "byte") == words)
    }

    @Test(arguments: [
        (
            ResultTrouble.unreadable(detail: "Input/output error"),
            "could not be read: Input/output error"
        ),
        (.damaged, "is damaged; the next run rebuilds it"),
        (.ofLaterVersion, "was written by a later version of tapedeck"),
    ])
    func unreadableManifestIsExplained(trouble: ResultTrouble, words: String) {
        #expect(FailureText.line(for: trouble, with: "a\n") == "a\\n \(words)")
    }
}
