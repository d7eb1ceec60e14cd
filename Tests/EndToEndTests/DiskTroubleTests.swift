import Foundation
import Recordings
import TestSupport
import Testing

/// Disks that do not take what they are given: the run says so once, loses nothing, and the next
/// one does the rest.
@Suite struct DiskTroubleTests {
    private let library = Library()

    private func stopped(_ why: String) -> String {
        "tapedeck: the run was stopped: \(why); finished work is kept; run the same command"
            + " again\n"
    }

    private var isFull: String { stopped("no space left for the results") }
    private var isReadOnly: String { stopped("the output folder is read-only") }

    /// Short ones, most with something to cut.
    private func addRecordings(_ count: Int, to folder: Pathname = .empty) {
        for number in 0..<count {
            library.addRecording(
                folder.appending(Pathname("\(number).wav")), seconds: 0.1 + 0.01 * Double(number))
        }
    }

    /// Runs with a limit that the shell sets.
    private func run(limitedBy limit: String, _ options: String = "") -> Tool.Outcome {
        // The threads of tests block all signals, and whoever started them may ignore this one; a
        // terminal does neither.
        Tool.shell(
            "ulimit \(limit); exec env --default-signal=XFSZ \"$TAPEDECK\" run --json"
                + " '\(library.root.text)' \(options)")
    }

    /// What a run told of that was stopped with a sentence.
    private func recordings(
        toldBy outcome: Tool.Outcome, stoppedWith sentence: String
    ) -> Set<String> {
        #expect(outcome.status == 1)
        #expect(outcome.errors == sentence)
        let told = outcome.outputLines.compactMap { ToldRecording($0) }.filter(\.isRecording)
        #expect(told.allSatisfy { $0.status == "done" })
        return Set(told.map(\.path))
    }

    /// Expects of the next run that it does the rest, and no more.
    private func expectTheRest(
        behind told: Set<String>, in output: Pathname? = nil,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let output = output ?? library.output
        let next = library.run("--json", "--output", output.text)
        #expect(next.status == 0 && next.errors == "", sourceLocation: sourceLocation)
        let done = next.outputLines.compactMap { ToldRecording($0) }.filter(\.isDone)
        #expect(told.isDisjoint(with: done.map(\.path)), sourceLocation: sourceLocation)
        let undisturbed = library.folder.path("undisturbed")
        #expect(library.run("--output", undisturbed.text).status == 0)
        let expected = Snapshot.ofResults(in: undisturbed).wherever
        let outputs = Snapshot.ofResults(in: output)
        #expect(outputs.wherever.differences(from: expected) == [], sourceLocation: sourceLocation)
        #expect(outputs.names.filter(\.lastComponent.isHidden) == [])
    }

    // MARK: A limit on the size of files, as file systems have it too

    private let tooLarge = "the file would exceed the size limit"

    @Test func tooLargeOutputFailsOnlyItsRecording() {
        addRecordings(3)
        library.addRecording("long.wav", seconds: 70)
        // 1 MiB: less than its copy, and more than the record.
        let outcome = run(limitedBy: "-f 2048", "--jobs 1")
        #expect(outcome.status == 3)
        #expect(outcome.errors.contains("long.wav: the trimmed copy could not be written: "))
        #expect(outcome.errors.contains(tooLarge))
        let told = outcome.outputLines.compactMap { ToldRecording($0) }
            .filter { $0.isDone && $0.status == "done" }
        #expect(told.count == 3)
        // Without the limit it is tried again, unasked.
        expectTheRest(behind: Set(told.map(\.path)))
    }

    @Test func tooLargeRecordStopsRun() {
        addRecordings(30)
        let sentence = stopped("the results could not be written to disk: \(tooLarge)")
        // 80 KiB: more than any output takes, and less than the record.
        let told = recordings(toldBy: run(limitedBy: "-f 160"), stoppedWith: sentence)
        #expect(told.count < 30)
        expectTheRest(behind: told)
    }

    @Test func runIsRefusedWhenMarkerCannotBeWritten() {
        addRecordings(1)
        let outcome = run(limitedBy: "-f 0", "2>&1")
        #expect(outcome.status == 1)
        #expect(
            outcome.output == "tapedeck: the output folder \(library.output.text) cannot be"
                + " created or written: File too large\n")
        #expect(!library.snapshot().names.contains("library/tapedeck"))
        expectTheRest(behind: [])
    }
}

// MARK: - Where mounting is allowed

extension DiskTroubleTests {
    @Test(.enabled(if: Mount.isPossible, Mount.reason))
    func fullDiskStopsRun() {
        addRecordings(5)
        // While these are listened to, the first ones come onto the disk; of them there is no copy.
        library.addLongRecordings(["5.wav", "6.wav", "7.wav"], silence: 0)
        addRecordings(40, to: "more")
        let output = library.folder.path("small")
        library.makeFolder("small")
        let isMounted: Void? = Mount.tmpfs(at: output, bytes: 1 << 19) {
            let told = recordings(
                toldBy: library.run("--json", "--jobs", "1", "--output", output.text),
                stoppedWith: isFull)
            #expect((1..<40).contains(told.count))
            Mount.resize(output, bytes: 1 << 24)
            expectTheRest(behind: told, in: output)
        }
        #expect(isMounted != nil)
    }

    @Test(.enabled(if: Mount.isPossible, Mount.reason))
    func readOnlyOutputSubfolderStopsRun() {
        addRecordings(3, to: "A")
        addRecordings(3, to: "B")
        library.makeFolder("library/tapedeck/B")
        let told = Mount.readOnly(library.output.appending("B")) {
            recordings(toldBy: library.run("--json", "--jobs", "1"), stoppedWith: isReadOnly)
        }
        #expect(told?.isSuperset(of: ["A/0.wav"]) == true)
        expectTheRest(behind: told ?? [])
    }

    @Test(.enabled(if: Mount.isPossible, Mount.reason))
    func outputTurningReadOnlyStopsRun() throws {
        addRecordings(40)
        let tool = RunningTool(["run", library.root.text, "--json", "--jobs", "2"])
        let first = try #require(tool.nextLine())
        tool.hold()
        let outcome = Mount.readOnly(library.output) {
            tool.send(signal: SIGCONT)
            return tool.wait()
        }
        var whole = try #require(outcome)
        whole.output = first + "\n" + whole.output
        let told = recordings(toldBy: whole, stoppedWith: isReadOnly)
        #expect((1..<40).contains(told.count))
        expectTheRest(behind: told)
    }
}

// MARK: - Other limits

extension DiskTroubleTests {
    @Test func runIsRefusedUnderLowOpenFileLimit() {
        addRecordings(2)
        for files in [4, 8, 12, 20] {
            let outcome = run(limitedBy: "-n \(files)", "--jobs 32")
            #expect(outcome.status == 1 && outcome.output == "")
            #expect(outcome.errorLines.count == 1, "\(files): \(outcome.errors)")
            #expect(outcome.errors.contains("and a run needs 27"))
        }
        #expect(!library.snapshot().names.contains("library/tapedeck"))
        expectTheRest(behind: [])
    }

    @Test func manyJobsSucceedUnderLowOpenFileLimit() {
        addRecordings(20)
        let outcome = run(limitedBy: "-n 36", "--jobs 32")
        #expect(outcome.status == 0 && outcome.errors == "")
        #expect(outcome.outputLines.count == 21)
    }
}
