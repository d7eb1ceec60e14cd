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

    @Test func measuresAFolderAndWritesNothingBesideIt() throws {
        library.addRecording("A/b.wav", seconds: 2)
        library.addRecording("c.wav")
        library.add("A/memo.m4a", [1, 2, 3])
        let before = library.snapshot(comparingFolderTimes: false)
        let outcome = bench(".", "--jobs", "2,1")
        #expect(outcome.status == 0 && outcome.errors == "")
        let lines = outcome.outputLines
        #expect(lines.contains("2 of 3 recordings in .: 7.0 s of sound"))
        #expect(lines.contains("1 that could not be decoded is left out"))
        #expect(lines.contains("wav pcm16: 2 recordings, 7.0 s"))
        #expect(lines.count { $0.hasPrefix("  trimmed copy ") } == 1)
        #expect(lines.contains { $0.hasPrefix("  2 workers ") && $0.hasSuffix(" MB") })
        #expect(lines.contains { $0.hasPrefix("whole runs") && $0.contains("against 2") })
        #expect(library.snapshot(comparingFolderTimes: false).differences(from: before) == [])
    }

    @Test func itsJSONIsAsTheSchemaSaysAlsoOfRecordingsThatItMade() throws {
        let baseline = library.folder.path("base.json").text
        let options = ["--minutes", "0.3", "--jobs", "1", "--json", "--baseline", baseline]
        let outcomes = (0..<2).map { _ in bench(options) }
        for outcome in outcomes {
            #expect(outcome.status == 0 && outcome.errors == "")
            let check = SchemaCheck.run(part: "benchmark", outcome.output)
            #expect(check.status == 0, "\(check.errors)")
        }
        let kept = String(decoding: TestFolder.bytes(of: Pathname(baseline)), as: UTF8.self)
        #expect(SchemaCheck.run(part: "benchmark", kept).status == 0)
        let (first, last) = (try object(outcomes[0]), try object(outcomes[1]))
        let environment = ProcessInfo.processInfo.environment
        if environment["HOLDS_ASSERTS"] != nil, environment["TAPEDECK"] == nil {
            let machine = try #require(first["machine"] as? [String: Any])
            #expect(machine["isOptimized"] as? Bool == false)
        }
        #expect(first["comparison"] == nil)
        let comparison = try #require(last["comparison"] as? [String: Any])
        #expect(comparison["differences"] as? [String] == [])
        #expect((comparison["stages"] as? [Any])?.count == (last["stages"] as? [Any])?.count)
        let stages = try #require(last["stages"] as? [[String: Any]])
        #expect(stages.count { $0["stage"] as? String == "decode" } == 5)
        #expect(Snapshot(scratch).names == [.empty])
    }

    @Test func saysWhatElseWasMeasuredThen() {
        library.addRecording("b.wav")
        #expect(bench("b.wav", "--baseline", "base.json").status == 0)
        library.addRecording("b.wav", seconds: 2)
        let outcome = bench("b.wav", "--baseline", "base.json")
        #expect(outcome.status == 0)
        #expect(
            outcome.outputLines.contains("compared with base.json, which is of other recordings"))
    }

    @Test(arguments: [
        (["x"], 1, "x does not exist"),
        (["."], 1, "there are no recordings in ."),
        (["--jobs", "0"], 64, "--jobs takes 1 to 1024, not 0"),
        (["--jobs", "1,,2"], 64, "'1,,2'"),
        (["--jobs", "2,2"], 64, "'2,2'"),
        (["--repeat", "0"], 64, "--repeat takes 1 to 1000, not 0"),
        (["--minutes", "0"], 64, "--minutes takes 0.1 to 10000 minutes, not 0"),
        ([""], 64, "a path cannot be empty"),
        (["--baseline", "nowhere/base.json"], 1, "No such file or directory"),
        (["--baseline", "../notes"], 1, "../notes is there already and is no baseline"),
    ])
    func refusesWhatMakesNoSenseBeforeItBegins(
        options: [String], status: Int32, sentence: String
    ) {
        library.folder.write(Array("hello".utf8), to: "notes")
        let outcome = Tool.run(
            ["bench"] + options, in: library.root, environment: ["TMPDIR": scratch.text])
        #expect(outcome.status == status)
        #expect(outcome.errors.contains(sentence), "\(outcome.errors)")
        #expect(outcome.output == "")
        #expect(TestFolder.bytes(of: library.folder.path("notes")) == Array("hello".utf8))
    }

    @Test func saysThatThereIsNowhereToWrite() {
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
    func leavesNothingWhenItIsStopped(signal: Int32, status: Int32) {
        library.addRecording("b.wav")
        let before = library.snapshot(comparingFolderTimes: false)
        let tool = RunningTool(
            ["bench", "--repeat", "1000"], in: library.root,
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
