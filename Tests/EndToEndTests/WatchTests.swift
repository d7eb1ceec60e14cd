import Foundation
import Recordings
import TestSupport
import Testing

/// A watch under way, as a user would start it.
private final class WatchProcess {
    let tool: RunningTool
    /// Lines that were read so far.
    private(set) var lines: [String] = []

    init(_ library: Library, _ options: [String] = [], environment: [String: String] = [:]) {
        tool = RunningTool(
            ["watch", library.root.text, "--json"] + options, environment: environment)
    }

    /// Reads on until a line holds all of that; a watch that never tells of it is killed.
    func awaitLine(with parts: String...) throws {
        let watchdog = DispatchWorkItem { [pid = tool.processIdentifier] in kill(pid, SIGKILL) }
        DispatchQueue.global().asyncAfter(
            deadline: .now() + Tool.timeoutSeconds, execute: watchdog)
        defer { watchdog.cancel() }
        while let line = tool.nextLine() {
            lines.append(line)
            if parts.allSatisfy(line.contains) { return }
        }
        Issue.record("ended without a line with \(parts): \(lines)")
        throw CancellationError()
    }

    /// Waits until what is there is known.
    func begin() throws {
        try awaitLine(with: #""event":"watching""#)
    }

    /// Waits until a recording is done.
    func awaitRecording(_ name: String) throws {
        try awaitLine(
            with: #""event":"recording""#, #""name":"\#(name)""#, #""status":"done""#)
    }

    func stop(by number: Int32 = SIGTERM) -> Tool.Outcome {
        tool.send(signal: number)
        return tool.wait()
    }
}

@Suite struct WatchTests {
    private let library = Library()

    /// Copies a recording into the folder, as a user would.
    private func land(_ name: String, seconds: Double = 0.3) {
        let file = library.folder.write(
            SmallWAV.bytes(SmallWAV.voice(seconds: seconds)), to: "landing")
        let path = library.root.appending(Pathname(name))
        library.makeFolder(Pathname("library").appending(Pathname(name).parent))
        #expect(Tool.shell("cp '\(file.text)' '\(path.text)'").status == 0)
    }

    @Test func watchOutputsMatchRunOutputs() throws {
        library.addRecording("a.wav", seconds: 0.5)
        library.addRecording("B/c.wav", seconds: 0.5)
        library.add("B/letter.wav", Array("Dear all,\n".utf8))
        library.add("cut.wav", SmallWAV.bytes(SmallWAV.voice(seconds: 1)).dropLast(4000))
        let outcome = Tool.run([
            "watch", library.root.text, "--once-idle", "--settle-seconds", "0.1",
            "--give-up-seconds", "1",
        ]).timeless
        let run = Tool.run([
            "run", library.root.text, "--output", library.folder.path("undisturbed").text,
        ])
        #expect(outcome.status == 3 && run.status == 3)
        #expect(outcome.errorLines.sorted() == run.errorLines.sorted())
        #expect(outcome.outputLines.contains("4 recordings: 3 done, 1 failed"))
        let expected = Snapshot(library.folder.path("undisturbed"), comparingFolderTimes: false)
        #expect(library.outputs().wherever.differences(from: expected.wherever) == [])
        #expect(library.outputs().names.contains("B/c.wav"))
    }

    @Test func movedFileIsRecognisedByChecksumAfterRestart() throws {
        library.addRecording("a.wav", seconds: 0.5)
        library.addRecording("B/b.wav", seconds: 0.5)
        library.addRecording("B/c.wav", seconds: 0.5, hertz: 190)
        let options = ["watch", library.root.text, "--once-idle", "--checksums", "--json"]
        #expect(Tool.run(options).status == 0)
        // Another file, of another time, in a folder that is looked at before the old one.
        let move = "cd '\(library.root.text)' && mkdir A && cp B/c.wav A/d.wav && rm B/c.wav"
        #expect(Tool.shell(move).status == 0)
        let outcome = Tool.run(options)
        #expect(outcome.status == 0)
        #expect(outcome.outputLines.count { $0.contains(#""event":"moved""#) } == 1)
        let run = Tool.run([
            "run", library.root.text, "--checksums", "--output",
            library.folder.path("undisturbed").text,
        ])
        #expect(run.status == 0)
        let expected = Snapshot(library.folder.path("undisturbed"), comparingFolderTimes: false)
        #expect(library.outputs().wherever.differences(from: expected.wherever) == [])
    }

    @Test func onceIdleWatchEndsWhenUpToDate() {
        library.addRecording("a.wav", seconds: 0.1)
        #expect(library.run().status == 0)
        let before = library.outputs()
        let outcome = Tool.run(["watch", library.root.text, "--once-idle"], in: library.root)
            .timeless
        #expect(outcome.status == 0)
        #expect(
            outcome.outputLines.prefix(2) == ["watching 1 folder", "1 recording: 1 up to date"])
        #expect(library.outputs().differences(from: before) == [])
    }

    @Test(arguments: [[], ["--poll", "0.2", "--settle-seconds", "0.3"]])
    func newFilesAndFoldersAreProcessed(options: [String]) throws {
        library.addRecording("a.wav", seconds: 0.1)
        #expect(library.run().status == 0)
        let watch = WatchProcess(library, options)
        try watch.begin()
        land("b.wav")
        try watch.awaitRecording("b.wav")
        // In a folder that was not there before.
        land("C/D/e.wav")
        try watch.awaitRecording("e.wav")
        let outcome = watch.stop()
        #expect(outcome.status == 143)
        #expect(outcome.errors == "")
        #expect(try library.manifest().recordings.map(\.name) == ["a.wav", "b.wav"])
        #expect(try library.manifest("C/D").recordings.map(\.name) == ["e.wav"])
        #expect(SchemaCheck.run(library.output).status == 0)
    }

    @Test(arguments: [(SIGINT, 130), (SIGTERM, 143), (SIGHUP, 129)] as [(Int32, Int32)])
    func finishedRecordingsAreInManifestAfterSignal(number: Int32, status: Int32) throws {
        let watch = WatchProcess(library)
        try watch.begin()
        land("0.wav", seconds: 0.1)
        try watch.awaitRecording("0.wav")
        // Long enough to be under way when the signal comes, or not even begun.
        for name in ["1.wav", "2.wav", "3.wav"] { land(name, seconds: 90) }
        let outcome = watch.stop(by: number)
        #expect(outcome.status == status)
        #expect(outcome.errors == "")
        #expect(try library.manifest()["0.wav"]?.status == .done)
        let names = library.outputs().names
        #expect(!names.contains { $0.text.hasSuffix(".partial") }, "\(names)")
        let summary = try #require(outcome.outputLines.last)
        #expect(summary.contains(#""event":"summary""#))
        #expect(summary.contains(#""exitStatus":\#(status)"#))
        // And the next one does the rest.
        #expect(library.run().status == 0)
        #expect(try library.manifest().recordings.count == 4)
    }

    /// From the first moment on, and not from when a clock began to count.
    @Test func truncatedFileIsProcessedOnceComplete() throws {
        library.add("cut.wav", SmallWAV.bytes(SmallWAV.voice(seconds: 1)).dropLast(4000))
        let watch = WatchProcess(library, ["--settle-seconds", "0.1"])
        try watch.awaitLine(
            with: #""event":"waiting""#, #""name":"cut.wav""#, #""reason":"truncated""#)
        land("b.wav")
        try watch.awaitRecording("b.wav")
        #expect(!watch.lines.contains { $0.contains(#""status":"failed""#) })
        // The rest arrives.
        land("cut.wav", seconds: 1)
        try watch.awaitRecording("cut.wav")
        let outcome = watch.stop()
        #expect(outcome.status == 143)
        #expect(outcome.outputLines.last?.contains(#""failed":0"#) == true)
        #expect(try library.manifest().recordings.map(\.status) == [.done, .done])
    }

    @Test func serviceManagerIsNotifiedOfReadyAndStopping() throws {
        library.addRecording("a.wav", seconds: 0.1)
        let manager = ServiceManager(at: library.folder.path("notify"))
        let watch = WatchProcess(library, environment: ["NOTIFY_SOCKET": manager.path.text])
        try watch.awaitRecording("a.wav")
        let outcome = watch.stop()
        #expect(outcome.status == 143)
        let told = manager.told()
        #expect(told.contains("READY=1"))
        #expect(told.contains { $0.hasPrefix("STATUS=") })
        #expect(told.count { $0 == "READY=1" } == 1)
        let ready = try #require(told.firstIndex(of: "READY=1"))
        let stopping = try #require(told.firstIndex(of: "STOPPING=1"))
        #expect(ready < stopping)
    }

    @Test func idleWatchNotifiesServiceManagerOfStopping() throws {
        let manager = ServiceManager(at: library.folder.path("notify"))
        let watch = WatchProcess(library, environment: ["NOTIFY_SOCKET": manager.path.text])
        try watch.begin()
        #expect(watch.stop().status == 143)
        #expect(manager.told().contains("STOPPING=1"))
    }

    /// By polling there is something to do all the time, and nothing to tell.
    @Test func unchangedServiceStatusIsNotRepeated() throws {
        library.addRecording("a.wav", seconds: 0.1)
        let manager = ServiceManager(at: library.folder.path("notify"))
        let watch = WatchProcess(
            library, ["--poll", "0.1"], environment: ["NOTIFY_SOCKET": manager.path.text])
        var told: [String] = []
        func awaitIdle(done: Int) {
            let last = "STATUS=idle, 1 folder watched · \(done) done"
            let deadline = DispatchTime.now() + Tool.timeoutSeconds
            while !told.contains(last), DispatchTime.now() < deadline {
                usleep(10_000)
                told += manager.told()
            }
            #expect(told.contains(last))
        }
        try watch.awaitRecording("a.wav")
        awaitIdle(done: 1)
        library.addRecording("b.wav", seconds: 0.1)
        try watch.awaitRecording("b.wav")
        awaitIdle(done: 2)
        #expect(watch.stop().status == 143)
        told += manager.told()
        let standings = told.filter { $0.hasPrefix("STATUS=") }
        #expect(zip(standings, standings.dropFirst()).allSatisfy { $0 != $1 })
    }

    @Test func watchPrintsEventsAndFailures() throws {
        library.addRecording("a.wav", seconds: 0.1)
        let gone = library.addRecording("b.wav", seconds: 0.1)
        #expect(library.run().status == 0)
        unlink(gone.text)
        library.add("c.wav", [])
        let outcome = Tool.run(
            ["watch", ".", "--once-idle", "--give-up-seconds", "1"], in: library.root
        ).timeless
        #expect(outcome.status == 3)
        #expect(outcome.outputLines.contains("gone b.wav"))
        #expect(outcome.outputLines.contains("watching 1 folder"))
        #expect(outcome.errors == "tapedeck: c.wav: the file is empty\n")
        library.addRecording("d.wav", seconds: 0.1)
        let quiet = Tool.run(["watch", ".", "--once-idle", "--quiet"], in: library.root).timeless
        #expect(quiet.output == "")
        #expect(quiet.errors == "tapedeck: c.wav: still failed: the file is empty\n")
    }

    @Test(arguments: [["--settle-seconds", "0"], ["--poll", "-1"], ["--force"], ["--dry-run"]])
    func invalidOptionsAreRefused(options: [String]) {
        let outcome = Tool.run(["watch", library.root.text] + options)
        #expect(outcome.status == 64)
        #expect(outcome.output == "")
        #expect(library.outputs().names.isEmpty)
    }

    // MARK: As a service

    /// As the unit in examples/ has it: nothing can be written but the output.
    @Test(.enabled(if: Mount.isPossible, Mount.reason))
    func readOnlySourceFolderIsProcessed() throws {
        library.addRecording("a.wav", seconds: 0.3)
        library.addRecording("B/c.wav", seconds: 0.3)
        let before = Snapshot(library.root)
        let output = library.folder.path("results")
        let outcome = try #require(
            Mount.readOnly(library.root) {
                #expect(Tool.shell("touch '\(library.root.appending("no").text)'").status != 0)
                return Tool.run([
                    "watch", library.root.text, "--output", output.text, "--once-idle",
                ])
            })
        #expect(outcome.status == 0)
        #expect(outcome.errors == "")
        #expect(Snapshot(library.root).differences(from: before) == [])
        #expect(try Manifest.read(output.appending("B")).recordings.map(\.name) == ["c.wav"])
    }
}
