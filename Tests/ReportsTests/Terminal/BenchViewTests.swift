import Jobs
import Recordings
import TestSupport
import Testing

@testable import Reports

@Suite struct BenchViewTests {
    private let report = Example.benchReport()

    @Test func reportShowsMedianLowestAndHighest() {
        #expect(
            BenchView(report).lines == [
                "2 recordings in memos: 10 min 00 s of sound, 100 MB",
                "all was done once before; then each figure was taken 3 times",
                "",
                "whole runs                  median  lowest  highest",
                "1 worker, 23 MB of memory",
                "  seconds                     4.80    4.40     5.00",
                "  hours of sound a minute     2.08    2.00     2.27",
                "  MB a second                 20.8    20.0     22.7",
                "2 workers, 23 MB of memory",
                "  seconds                     2.50    2.40     2.70",
                "  hours of sound a minute     4.00    3.70     4.17",
                "  MB a second                 40.0    37.0     41.7",
                "",
                "A whole run is a process of its own, and ends with all results on the disk.",
                "Its memory is the most that it had in any repeat.",
            ])
    }

    @Test func failedRecordingsAreReportedAsNotCounted() {
        var report = report
        report.sound.failed = 1_234
        report.repeats = 1
        #expect(
            BenchView(report).lines[1...2] == [
                "not counted: 1,234 recordings that failed",
                "all was done once before; then each figure was taken once",
            ])
    }

    @Test(arguments: [
        (0.004, "0.00"), (1, "1.00"), (9.994, "9.99"), (9.996, "10.0"), (99.94, "99.9"),
        (99.96, "100"), (1234.5, "1,235"),
    ])
    func numbersLoseDecimalsAsTheyGrow(number: Double, text: String) {
        #expect(BenchView.number(number) == text)
    }

    private static let failure = RecordingFailure(stage: .decode, reason: .emptyFile)
    private static let sentences: [(BenchRefusal, String)] = [
        (.path(.pathMissing("x")), "x does not exist"),
        (.noRecordings("x"), "there are no recordings in x"),
        (
            .allFailed("A/b.wav", count: 1, example: "/A/b.wav", failure),
            "A/b.wav: the file is empty"
        ),
        (
            .allFailed("A", count: 2, example: "A/b.wav", failure),
            "of 2 recordings in A none went well, such as A/b.wav: the file is empty"
        ),
        (
            .noScratch("/x", detail: "Read-only file system"),
            "nothing can be written in /x, where what is made meanwhile would go: Read-only file"
                + " system; name another folder with TMPDIR"
        ),
        (
            .runFailed(status: 1, detail: "tapedeck: no\u{7}"),
            "a run that was to be measured ended with status 1: tapedeck: no\\u{7}"
        ),
        (
            .runFailed(status: 137, detail: ""),
            "a run that was to be measured ended with status 137"
        ),
    ]

    @Test(arguments: sentences.indices)
    func eachBenchRefusalHasExpectedMessage(index: Int) {
        #expect(FailureText.sentence(for: Self.sentences[index].0) == Self.sentences[index].1)
    }
}
