import Foundation
import Recordings
import TestSupport
import Testing

/// A run over the sample recordings that was recorded, once for all tests that look at it.
private struct RecordedRun {
    let library = Library()
    let outcome: Tool.Outcome
    let trace: [UInt8]

    /// Proof: nothing in it changes once it is made.
    nonisolated(unsafe) static let shared = RecordedRun()

    private init() {
        Corpus.copy(into: library)
        let path = library.folder.path("run.trace")
        outcome = library.run("--jobs", "2", "--json", "--trace", path.text)
        trace = TestFolder.bytes(of: path)
    }
}

@Suite struct TraceTests {
    private let folder = TestFolder()
    private var path: Pathname { folder.path("run.trace") }

    private func replay(_ trace: [UInt8], _ options: String...) -> Tool.Outcome {
        folder.write(trace, to: "run.trace")
        return Tool.run(["replay", path.text] + options)
    }

    private func json(_ line: String?) throws -> [String: Any] {
        try #require(
            try JSONSerialization.jsonObject(with: Data((line ?? "").utf8)) as? [String: Any])
    }

    private func lines(_ trace: [UInt8]) -> [String] {
        String(decoding: trace, as: UTF8.self).split(separator: "\n").map(String.init)
    }

    private func bytes(_ lines: [String]) -> [UInt8] {
        Array((lines.joined(separator: "\n") + "\n").utf8)
    }

    @Test func replayReachesSameDecisionsAndCounts() throws {
        let run = RecordedRun.shared
        #expect(run.outcome.status == 3)
        let summary = try json(run.outcome.outputLines.last)
        let before = run.library.snapshot()
        let outcome = replay(run.trace, "--json")
        #expect(outcome.status == 0)
        #expect(outcome.errors == "")
        let replayed = try json(outcome.output)
        let facts = try #require(replayed["facts"] as? [String: Any])
        for key in ["recordings", "done", "failed", "upToDate", "planned", "foldersFailed"] {
            let count = try #require(summary[key] as? Int)
            #expect(facts[key] as? Int == count, "\(key)")
        }
        #expect(facts["recordings"] as? Int == 45)
        #expect(facts["running"] as? Int == 0 && facts["waiting"] as? Int == 0)
        #expect(replayed["actions"] as? Int == (lines(run.trace).count - 1) / 2)
        #expect(replayed["difference"] == nil && replayed["violation"] == nil)
        #expect(run.library.snapshot().differences(from: before) == [])
    }

    @Test func tracingDoesNotChangeResults() {
        let library = Library()
        library.addRecording("b.wav", seconds: 0.1)
        let plain = library.run()
        let before = library.outputs()
        let traced = library.run("--force", "--trace", path.text)
        #expect(traced.output == plain.output)
        #expect(traced.errors == "")
        #expect(library.outputs().differences(from: before) == [])
        // A second one takes the first one's place.
        #expect(library.run("--trace", path.text).outputLines.first == "1 recording: 1 up to date")
        #expect(
            Tool.run(["replay", path.text]).outputLines.contains {
                $0.hasPrefix("1 recording: 0 done, 0 failed, 1 up to date")
            })
    }

    @Test func replayReportsFirstDifferingAction() throws {
        var lines = lines(RecordedRun.shared.trace)
        let index = try #require(lines.firstIndex { $0.contains(#""stages":7"#) })
        lines[index].replace(#""stages":7"#, with: #""stages":3"#, maxReplacements: 1)
        let action = index / 2
        let outcome = replay(bytes(lines))
        #expect(outcome.status == 3)
        #expect(
            outcome.errorLines.first
                == "tapedeck: action \(action) leads to other commands than were recorded")
        let shown = outcome.errorLines.filter { $0.contains(#"{"job":"#) }
        #expect(shown.first?.contains(#""stages":3"#) == true, "\(outcome.errors)")
        #expect(shown.last?.contains(#""stages":7"#) == true, "\(outcome.errors)")
        #expect(outcome.outputLines.first == "\(action) actions replayed")
        let difference = try #require(
            try json(replay(bytes(lines), "--json").output)["difference"] as? [String: Any])
        #expect(difference.keys.sorted() == ["recorded", "replayed"])
        // What comes after the place asked for is not looked at.
        #expect(replay(bytes(lines), "--until", "\(action - 1)").status == 0)
    }

    @Test func replayStopsAtRequestedAction() throws {
        let run = RecordedRun.shared
        let outcome = replay(run.trace, "--until", "3")
        #expect(outcome.status == 0)
        #expect(outcome.errors == "")
        #expect(outcome.outputLines.prefix(2) == ["3 actions replayed", "the run is running"])
        #expect(outcome.outputLines[4].hasPrefix("action 3, "))
        #expect(replay(run.trace, "--until", "0").outputLines.first == "0 actions replayed")
        let count = (lines(run.trace).count - 1) / 2
        let beyond = replay(run.trace, "--until", "1000")
        #expect(beyond.status == 0)
        #expect(
            beyond.errors
                == "tapedeck: there is no action 1000; the trace has \(count) actions\n")
        #expect(beyond.output == replay(run.trace).output)
    }

    @Test func truncatedTraceIsReplayedAndReported() throws {
        let lines = lines(RecordedRun.shared.trace)
        let torn = replay(Array(bytes(lines).dropLast(3)))
        #expect(torn.status == 0)
        #expect(torn.errorLines.contains("tapedeck: the last line is cut off, and was left out"))
        #expect(torn.output == replay(bytes(lines)).output)
        let stopped = replay(bytes(Array(lines[..<10])))
        #expect(stopped.status == 0)
        #expect(
            stopped.errors
                == "tapedeck: the trace ends within action 5: what it led to was not recorded\n")
        #expect(stopped.outputLines.first == "5 actions replayed")
    }

    @Test func damagedOrForeignTraceIsRefused() {
        var lines = lines(RecordedRun.shared.trace)
        lines[4] = "{"
        let damaged = replay(bytes(lines))
        #expect(damaged.status == 1)
        #expect(damaged.output == "")
        #expect(
            damaged.errors == "tapedeck: line 5 of \(path.text) is damaged, or from another version"
                + " of tapedeck\n")
        let foreign = replay(Corpus.bytes("README.md"))
        #expect(foreign.status == 1)
        #expect(
            foreign.errors
                == "tapedeck: \(path.text) is no trace; tapedeck run --trace writes one\n")
    }

    // MARK: Runs that cannot be recorded

    @Test func traceNeverOverwritesForeignFile() {
        let library = Library()
        let recording = library.addRecording("b.wav", seconds: 0.1)
        let before = library.snapshot()
        let outcome = library.run("--trace", recording.text)
        #expect(outcome.status == 64)
        #expect(
            outcome.errorLines.first == "Error: \(recording.text) is there already and is no trace;"
                + " name a new file with --trace")
        #expect(library.snapshot().differences(from: before) == [])
    }

    @Test func runIsRefusedWhenTraceCannotBeWritten() {
        let library = Library()
        library.addRecording("b.wav", seconds: 0.1)
        let before = library.snapshot()
        for (path, reason) in [
            (library.root, "Is a directory"),
            (folder.path("no/run.trace"), "No such file or directory"),
        ] {
            let outcome = library.run("--trace", path.text)
            #expect(outcome.status == 1)
            #expect(outcome.errors == "tapedeck: the trace \(path) cannot be written: \(reason)\n")
        }
        #expect(library.snapshot().differences(from: before) == [])
    }

    @Test func refusedRunLeavesNoTraceFile() {
        let library = Library()
        #expect(library.run("missing", "--trace", path.text).status == 1)
        #expect(access(path.text, F_OK) != 0)
    }

    @Test func runContinuesWhenTraceDiskIsFull() {
        let library = Library()
        library.addRecording("b.wav", seconds: 0.1)
        let outcome = library.run("--trace", "/dev/full")
        #expect(outcome.status == 0)
        #expect(
            outcome.errors
                == "tapedeck: the trace /dev/full cannot be written: No space left on device\n")
        #expect(outcome.outputLines.first == "1 recording: 1 done")
    }
}
