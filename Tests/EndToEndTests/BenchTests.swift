import Foundation
import Recordings
import TestSupport
import Testing

/// Measuring speed with the built binary: what it says, and that it leaves nothing.
@Suite struct BenchTests {
    private let library = Library()

    /// Where it writes meanwhile.
    private var scratch: Pathname { library.folder.path("scratch") }

    init() {
        library.makeFolder("scratch")
    }

    private func bench(_ options: String...) -> Tool.Outcome { bench(options) }

    private func bench(_ options: [String]) -> Tool.Outcome {
        Tool.run(
            ["bench", "--repeat", "1"] + options, in: library.root,
            environment: ["TMPDIR": scratch.text])
    }

    private func object(_ outcome: Tool.Outcome) throws -> [String: Any] {
        #expect(outcome.outputLines.count == 1)
        return try #require(
            try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any])
    }

    @Test func benchMeasuresFolderAndLeavesNoFiles() throws {
        library.addRecording("A/b.wav", seconds: 2)
        library.addRecording("c.wav")
        library.add("A/memo.m4a", [1, 2, 3])
        let before = library.snapshot(comparingFolderTimes: false)
        let outcome = bench(".", "--jobs", "2,1")
        #expect(outcome.status == 0 && outcome.errors == "")
        let lines = outcome.outputLines
        #expect(lines.contains("2 recordings in .: 7.0 s of sound, 0.11 MB"))
        #expect(lines.contains("not counted: 1 recording that failed"))
        #expect(lines.contains { $0.hasPrefix("2 workers, ") && $0.hasSuffix(" MB of memory") })
        #expect(lines.count { $0.hasPrefix("  hours of sound a minute ") } == 2)
        #expect(library.snapshot(comparingFolderTimes: false).differences(from: before) == [])
    }

    @Test func jsonOutputMatchesSchema() throws {
        library.addRecording("b.wav")
        let outcome = bench("b.wav", "--jobs", "1", "--json")
        #expect(outcome.status == 0 && outcome.errors == "")
        let check = SchemaCheck.run(part: "benchmark", outcome.output)
        #expect(check.status == 0, "\(check.errors)")
        let object = try object(outcome)
        let runs = try #require(object["runs"] as? [[String: Any]])
        #expect(runs.map { $0["jobs"] as? Int } == [1])
        #expect(Snapshot(scratch).names == [.empty])
    }

    @Test(arguments: [
        (["x"], 1, "x does not exist"),
        (["."], 1, "there are no recordings in ."),
        ([], 64, "Missing expected argument '<path>'"),
        ([".", "--jobs", "0"], 64, "--jobs takes 1 to 1024, not 0"),
        ([".", "--jobs", "1,,2"], 64, "'1,,2'"),
        ([".", "--jobs", "2,2"], 64, "--jobs names a number twice"),
        ([".", "--repeat", "0"], 64, "--repeat takes 1 to 1000, not 0"),
        ([""], 64, "a path cannot be empty"),
    ])
    func invalidArgumentsAreRefused(
        options: [String], status: Int32, sentence: String
    ) {
        let outcome = Tool.run(
            ["bench"] + options, in: library.root, environment: ["TMPDIR": scratch.text])
        #expect(outcome.status == status)
        #expect(outcome.errors.contains(sentence), "\(outcome.errors)")
        #expect(outcome.output == "")
    }

    @Test func benchFailsWhenEveryRecordingFails() {
        library.add("memo.m4a", [1, 2, 3])
        let outcome = bench("memo.m4a")
        #expect(outcome.status == 1 && outcome.output == "")
        #expect(outcome.errors.hasPrefix("tapedeck: memo.m4a: "), "\(outcome.errors)")
    }

    @Test func missingTemporaryFolderIsReported() {
        library.addRecording("b.wav")
        let outcome = Tool.run(
            ["bench", "b.wav"], in: library.root, environment: ["TMPDIR": "/nowhere"])
        #expect(outcome.status == 1)
        #expect(
            outcome.errorLines == [
                "tapedeck: nothing can be written in /nowhere, where what is made meanwhile would"
                    + " go: No such file or directory; name another folder with TMPDIR"
            ])
    }

    @Test(arguments: [(SIGINT, Int32(130)), (SIGTERM, Int32(143)), (SIGHUP, Int32(129))])
    func stoppedBenchLeavesNoFiles(signal: Int32, status: Int32) {
        library.addRecording("b.wav")
        let before = library.snapshot(comparingFolderTimes: false)
        let tool = RunningTool(
            ["bench", "b.wav", "--repeat", "1000"], in: library.root,
            environment: ["TMPDIR": scratch.text])
        // Once there is something that could be left.
        while Snapshot(scratch).names == [.empty], tool.isRunning {
            sched_yield()
        }
        tool.send(signal: signal)
        let outcome = tool.wait()
        #expect(outcome.status == status)
        #expect(
            outcome.errorLines == ["tapedeck: stopped before anything was measured to the end"])
        #expect(outcome.output == "")
        #expect(library.snapshot(comparingFolderTimes: false).differences(from: before) == [])
    }
}
