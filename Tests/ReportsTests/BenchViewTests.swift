import Jobs
import Recordings
import TestSupport
import Testing

@testable import Reports

@Suite struct BenchViewTests {
    private let report = Example.benchReport()

    @Test func showsEachFigureWithItsBounds() {
        #expect(
            BenchView(report, asked: 3).lines == [
                "tapedeck 0.1.0 on Abacus 3000, 2 cores, Linux x86_64",
                "2 recordings in memos: 10 min 00 s of sound",
                "all were read once before; then each figure was taken 3 times",
                "",
                "hours of sound a minute               median  lowest  highest  of decoding",
                "wav pcm16: 2 recordings, 10 min 00 s",
                "  decoding alone                        80.0    70.0     90.0         1.00",
                "  these three at once                   10.0    9.50     10.5         8.00",
                "",
                "whole runs   median  lowest  highest  against 1  memory",
                "  1 worker     2.10    2.00     2.30       1.00   23 MB",
                "  2 workers    3.78    3.60     4.00       1.80   23 MB",
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
        report.machine.isOptimized = false
        #expect(
            BenchView(report, asked: 5).lines[1...5] == [
                "this command was built for debugging and is many times slower than for release",
                "2 of 1,234 recordings in memos: 10 min 00 s of sound",
                "chosen evenly from the list of all, the same ones each time",
                "1 that could not be decoded is left out",
                "all were read once before; then each figure was taken once, and not 5: the time was"
                    + " up",
            ])
    }

    @Test func saysThatTheRecordingsWereMadeForIt() {
        var report = report
        report.sound.path = nil
        #expect(
            BenchView(report, asked: 3).lines[1]
                == "2 recordings made for it, like a voice with pauses: 10 min 00 s of sound")
    }

    @Test func saysOnHowManySomethingWasCut() {
        var report = report
        report.stages[1].stage = .trim
        report.stages[1].recordings = 1
        #expect(
            BenchView(report, asked: 3).lines.contains { $0.hasPrefix("  trimmed copy of 1  ") })
    }

    @Test func putsTheFiguresBesideThoseBefore() {
        var now = report
        now.stages[1].hoursPerMinute = Example.spread(20)
        now.stages[0].encoding = .pcm24
        let comparison = BenchComparison(of: now, with: report)
        let lines = BenchView(now, asked: 3, comparison: comparison, with: "base.json").lines
        #expect(lines.contains("compared with base.json"))
        #expect(lines.contains { $0.hasSuffix("highest  of decoding  before  change") })
        #expect(lines.contains { $0.hasSuffix("1.00       -       -") })
        #expect(lines.contains { $0.hasSuffix("8.00    10.0  ×2.00*") })
        #expect(lines.contains { $0.hasSuffix("23 MB    3.78   ×1.00") })
        #expect(
            lines.last
                == "Change: now over before, more is faster; * where all repeats lie beyond those"
                + " before.")
    }

    @Test func saysWhyHoursDoNotCompare() {
        var now = report
        now.machine.processor = "Abacus 4000"
        now.version = "0.2.0"
        let comparison = BenchComparison(of: now, with: report)
        let lines = BenchView(now, asked: 3, comparison: comparison, with: "base.json").lines
        #expect(
            lines[3...4] == [
                "compared with base.json, which is of another machine, another version",
                "so hours of sound do not compare: what was before is said of decoding, and of the"
                    + " factor",
            ])
        #expect(lines.contains { $0.hasSuffix("8.00    8.00   ×1.00") })
        #expect(
            lines.last
                == "Change: now over before, less is faster (of whole runs, more); * where all"
                + " repeats lie beyond those before.")
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
        (
            .foreignBaseline("x"),
            "x is there already and is no baseline of tapedeck bench; name another with"
                + " --baseline"
        ),
        (
            .otherFormat("x", 2),
            "the baseline x is of another kind (2) than this version writes; take a new one"
        ),
        (.baselineNotRead("x", detail: "no"), "the baseline x cannot be read: no"),
        (.baselineNotWritten("x", detail: "no"), "the baseline x cannot be written: no"),
    ]

    @Test(arguments: sentences.indices)
    func saysWhyNothingWasMeasured(index: Int) {
        #expect(FailureText.sentence(for: Self.sentences[index].0) == Self.sentences[index].1)
    }
}
