import Jobs
import Recordings
import TestSupport
import Testing

@testable import Reports

@Suite struct BenchViewTests {
    private let report = Example.benchReport()

    @Test func showsEachFigureWithItsBounds() {
        #expect(
            BenchView(report).lines == [
                "2 recordings in memos: 10 min 00 s of sound",
                "all were read once before; then each figure was taken 3 times",
                "",
                "hours of sound a minute               median  lowest  highest  of decoding",
                "wav pcm16: 2 recordings, 10 min 00 s",
                "  decoding alone                        80.0    70.0     90.0         1.00",
                "  these three at once                   10.0    9.50     10.5         8.00",
                "",
                "whole runs   median  lowest  highest  against 1  memory",
                "  1 worker     2.08    2.00     2.27       1.00   23 MB",
                "  2 workers    4.00    3.70     4.17       1.83   23 MB",
                "",
                "Each stage with the decoding it needs, by one worker; of decoding: CPU time.",
                "A whole run is a process of its own, and ends with all results on the disk.",
                "Its memory is the most that it had in any repeat.",
            ])
    }

    @Test func saysWhatWasLeftOut() {
        var report = report
        report.sound.found = 1_234
        report.sound.undecodable = 1
        report.repeats = 1
        #expect(
            BenchView(report).lines[0...3] == [
                "2 of 1,234 recordings in memos: 10 min 00 s of sound",
                "chosen evenly from the list of all, the same ones each time",
                "1 that could not be decoded is left out",
                "all were read once before; then each figure was taken once",
            ])
    }

    @Test func saysOnHowManySomethingWasCut() {
        var report = report
        report.stages[1].stage = .trim
        report.stages[1].recordings = 1
        #expect(
            BenchView(report).lines.contains { $0.hasPrefix("  trimmed copy of 1  ") })
    }

    @Test(arguments: [
        (0.004, "0.00"), (1, "1.00"), (9.994, "9.99"), (9.996, "10.0"), (99.94, "99.9"),
        (99.96, "100"), (1234.5, "1,235"),
    ])
    func writesThreeDigits(number: Double, text: String) {
        #expect(BenchView.number(number) == text)
    }

    private static let failure = RecordingFailure(stage: .decode, reason: .emptyFile)
    private static let sentences: [(BenchRefusal, String)] = [
        (.path(.pathMissing("x")), "x does not exist"),
        (.noRecordings("x"), "there are no recordings in x"),
        (
            .noneDecodable("A/b.wav", count: 1, example: "/A/b.wav", failure),
            "A/b.wav: the file is empty"
        ),
        (
            .noneDecodable("A", count: 2, example: "A/b.wav", failure),
            "of 2 recordings in A none can be decoded, such as A/b.wav: the file is empty"
        ),
        (
            .noScratch("/x", detail: "Read-only file system"),
            "nothing can be written in /x, where what is made meanwhile would go: Read-only file"
                + " system; name another folder with TMPDIR"
        ),
        (.failed("b.wav", failure), "b.wav: the file is empty"),
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
    func saysWhyNothingWasMeasured(index: Int) {
        #expect(FailureText.sentence(for: Self.sentences[index].0) == Self.sentences[index].1)
    }
}
