import Foundation
import Recordings
import TestSupport
import Testing

@Suite struct InterruptionTests {
    private let library = Library()

    /// More of them than are done by the time that a signal has come.
    private static let longOnes = 8

    /// A short recording, which is done soon, and long ones, which are not.
    private func addRecordings() {
        library.addRecording("0.wav", seconds: 0.1)
        library.addLongRecordings((1...InterruptionTests.longOnes).map { Pathname("\($0).wav") })
    }

    /// Runs until the first recording is done, and sends a signal then.
    private func interrupt(with number: Int32) throws -> Tool.Outcome {
        let tool = RunningTool(["run", library.root.text, "--json", "--jobs", "1"])
        let line = try #require(tool.nextLine())
        #expect(line.contains(#""name":"0.wav""#))
        tool.send(signal: number)
        return tool.wait()
    }

    @Test(arguments: [(SIGINT, 130), (SIGTERM, 143), (SIGHUP, 129)] as [(Int32, Int32)])
    func interruptedRunKeepsOnlyFinishedOutputs(number: Int32, status: Int32) throws {
        addRecordings()
        let outcome = try interrupt(with: number)
        #expect(outcome.status == status)
        #expect(outcome.errors == "")
        let names = library.outputs().names
        #expect(!names.contains { $0.text.hasSuffix(".partial") }, "\(names)")
        let recordings = try library.manifest().recordings
        #expect(recordings.first?.name == "0.wav")
        #expect(recordings.count <= InterruptionTests.longOnes)
        let check = SchemaCheck.run(library.output)
        #expect(check.status == 0, "\(check.errors)")
        let summary = try #require(outcome.outputLines.last)
        #expect(summary.contains(#""event":"summary""#))
        #expect(summary.contains(#""exitStatus":\#(status)"#))
    }

    /// All but the record and what SQLite keeps beside it.
    private var results: Snapshot {
        library.outputs().without(".tapedeck-wal").without(".tapedeck-shm")
    }

    /// Not even a farewell: what a run has told of, the next one finds in the record.
    @Test func killedRunResumesFromRecord() throws {
        addRecordings()
        #expect(try interrupt(with: SIGKILL).status == 128 + SIGKILL)
        #expect(!library.outputs().names.contains("manifest.json"))
        let left = results
        let plan = library.run("--dry-run", "--json").outputLines
        #expect(results.differences(from: left) == [])
        let planned = plan.count { $0.contains(#""event":"planned""#) }
        #expect((1...InterruptionTests.longOnes).contains(planned))
        let next = library.run()
        let all = 1 + InterruptionTests.longOnes
        #expect(next.status == 0 && next.errors == "")
        #expect(
            next.outputLines.first
                == "\(all) recordings: \(planned) done, \(all - planned) up to date")
        let undisturbed = library.folder.path("undisturbed")
        #expect(library.run("--output", undisturbed.text).status == 0)
        let expected = Snapshot(undisturbed, comparingFolderTimes: false)
        #expect(library.outputs().wherever.differences(from: expected.wherever) == [])
    }

    /// As the shell of a script has those it runs in the background, and `nohup` all.
    @Test(arguments: [("INT", SIGINT), ("HUP", SIGHUP)])
    func ignoredSignalDoesNotStopRun(name: String, number: Int32) throws {
        for number in 0..<4 { library.addRecording(Pathname("\(number).wav"), seconds: 3) }
        let script = #"trap '' \#(name); exec "$0" run "$1" --json --jobs 1"#
        let tool = RunningTool(
            program: "/bin/sh", ["-c", script, Tool.path, library.root.text])
        _ = try #require(tool.nextLine())
        tool.send(signal: number)
        let outcome = tool.wait()
        #expect(outcome.status == 0)
        #expect(try library.manifest().recordings.count == 4)
    }

    /// A pipe that nobody empties, such as that to a pager, keeps neither from working nor from
    /// ending.
    @Test func signalEndsRunBlockedOnFullPipe() throws {
        for number in 0..<200 { library.addRecording(Pathname("\(number).wav"), seconds: 0.02) }
        let outcome = Tool.shell(
            #"""
            mkfifo pipe && exec 9<>pipe
            "$TAPEDECK" run library --output results --json >pipe &
            until [ -e results/manifest.json ]; do
                kill -0 $! || exit
                sleep 0.01
            done
            while kill -TERM $!; do sleep 0.1; done 2>/dev/null
            wait $!
            """#, in: library.folder.path)
        #expect(outcome.status == 143)
        #expect(try Manifest.read(library.folder.path("results")).recordings.count == 200)
    }

    @Test func nextRunCompletesInterruptedRun() throws {
        addRecordings()
        #expect(try interrupt(with: SIGINT).status == 130)
        let next = library.run()
        #expect(next.status == 0)
        #expect(next.outputLines.first?.contains("up to date") == true)
        let undisturbed = library.folder.path("undisturbed")
        #expect(library.run("--output", undisturbed.text).status == 0)
        let expected = Snapshot(undisturbed, comparingFolderTimes: false)
        #expect(library.outputs().wherever.differences(from: expected.wherever) == [])
    }
}
