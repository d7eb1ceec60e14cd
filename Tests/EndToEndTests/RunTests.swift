import Foundation
import Recordings
import TestSupport
import Testing

@Suite struct RunTests {
    private let library = Library()

    private func json(_ line: String) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    }

    // MARK: Options

    @Test func dryRunPrintsPlanAndWritesNothing() {
        library.addRecording("A/b.wav", seconds: 0.1)
        library.addRecording("c.wav", seconds: 0.1)
        let before = library.snapshot()
        let outcome = library.run("--dry-run")
        #expect(outcome.status == 0)
        #expect(outcome.errors == "")
        #expect(
            outcome.outputLines == [
                "c.wav: waveform, levels, silence, trim",
                "A/b.wav: waveform, levels, silence, trim",
                "2 recordings: 2 to be done", "nothing was written",
            ])
        #expect(library.snapshot().differences(from: before) == [])
    }

    @Test func dryRunPlansOnlyStaleStages() {
        library.addRecording("a.wav", seconds: 0.1)
        library.addRecording("b.wav", seconds: 0.1)
        #expect(library.run().status == 0)
        library.addRecording("b.wav", seconds: 0.2)
        let before = library.snapshot()
        let outcome = library.run("--dry-run", "--waveform-bits", "16")
        #expect(
            outcome.outputLines.dropFirst().prefix(3) == [
                "a.wav: waveform", "b.wav: waveform, levels, silence, trim",
                "2 recordings: 2 to be done",
            ])
        #expect(library.snapshot().differences(from: before) == [])
    }

    @Test func forceReprocessesUpToDateRecordings() throws {
        library.addRecording("b.wav")
        #expect(library.run().outputLines.first == "1 recording: 1 done")
        #expect(library.run().outputLines.first == "1 recording: 1 up to date")
        let before = library.outputs()
        #expect(library.run("--force").outputLines.first == "1 recording: 1 done")
        #expect(library.outputs().differences(from: before) == [])
    }

    @Test func damagedOutputsAreRegenerated() {
        library.addRecording("b.wav")
        #expect(library.run().status == 0)
        let before = library.outputs()
        let waveform = library.output.appending("b.wav.dat")
        library.add("tapedeck/b.wav.dat", TestFolder.bytes(of: waveform) + [1, 2, 3])
        library.add("tapedeck/b.wav", [])
        #expect(library.run().outputLines.first == "1 recording: 1 done")
        #expect(library.outputs().differences(from: before) == [])
    }

    @Test func outputFilesFollowFormatOptions() throws {
        library.addRecording("b.wav")
        let outcome = library.run(
            "--trim-format", "flac", "--samples-per-pixel", "64,512", "--waveform-format", "json")
        #expect(outcome.status == 0)
        #expect(
            library.outputs().files == [
                "b.wav.512.json", "b.wav.flac", "b.wav.json", "manifest.json",
            ])
        #expect(library.run("--defaults", "--trim", "off").status == 0)
        #expect(library.outputs().files == ["b.wav.dat", "manifest.json"])
        #expect(try library.manifest()["b.wav"]?.notTrimmed == .off)
    }

    @Test func quietRunPrintsNothingOnSuccess() {
        library.addRecording("b.wav", seconds: 0.1)
        let outcome = library.run("--quiet")
        #expect(outcome.status == 0)
        #expect(outcome.output == "")
        #expect(outcome.errors == "")
    }

    @Test func quietRunStillReportsFailures() {
        library.add("b.wav", [])
        let outcome = library.run("--quiet")
        #expect(outcome.status == 3)
        #expect(outcome.output == "")
        #expect(outcome.errors == "tapedeck: b.wav: the file is empty\n")
    }

    @Test func dryRunPrintsPlanAndSummaryAsJSON() throws {
        library.addRecording("b.wav", seconds: 0.1)
        let lines = library.run("--dry-run", "--json").timeless.outputLines
        #expect(
            lines.first
                == #"{"event":"planned","folder":".","name":"b.wav","#
                + #""stages":["waveform","levels","silence","trim"]}"#)
        #expect(lines.count == 2)
        #expect(try json(lines[1])["planned"] as? Int == 1)
    }

    @Test func runContinuesAfterOutputPipeCloses() throws {
        for number in 1...20 { library.addRecording(Pathname("\(number).wav"), seconds: 0.1) }
        let tool = RunningTool(["run", library.root.text, "--json", "--jobs", "1"])
        #expect(tool.nextLine() != nil)
        tool.closeOutput()
        #expect(tool.wait(readingOutput: false).status == 0)
        #expect(try library.manifest().recordings.count == 20)
    }

    @Test func relativePathsResolveAgainstWorkingDirectory() throws {
        library.addRecording("A/b.wav", seconds: 0.1)
        let outcome = Tool.run(["run", ".", "--output", "../out"], in: library.root)
        #expect(outcome.status == 0)
        #expect(
            try Manifest.read(library.folder.path("out/A")).recordings.map(\.name) == ["b.wav"])
    }

    // MARK: What is asked for

    @Test func folderNamedRepeatedlyIsProcessedOnce() throws {
        library.addRecording("A/b.wav", seconds: 0.1)
        library.addRecording("A/x/c.wav", seconds: 0.1)
        let folder = library.root.appending("A").text
        let outcome = Tool.run([
            "run", folder, folder + "/", folder + "/x", folder + "/b.wav", folder + "/x/../x",
        ])
        #expect(outcome.outputLines.first == "2 recordings: 2 done")
        #expect(try library.manifestBelow("A/tapedeck").recordings.count == 1)
        #expect(try library.manifestBelow("A/tapedeck/x").recordings.count == 1)
    }

    @Test func outputsAreNotProcessedAsRecordings() {
        library.addRecording("b.wav")
        #expect(library.run().outputLines.first == "1 recording: 1 done")
        #expect(library.outputs().files.contains("b.wav"))
        #expect(library.run().outputLines.first == "1 recording: 1 up to date")
        // Nor those of another run, whatever its output is called.
        let other = library.root.appending("results").text
        #expect(library.run("--output", other).outputLines.first == "1 recording: 1 done")
        #expect(library.run().outputLines.first == "1 recording: 1 up to date")
    }

    @Test func singleFileRunKeepsOtherManifestEntries() throws {
        for name in ["a.wav", "b.wav", "c.wav"] as [Pathname] {
            library.addRecording(name, seconds: 0.1)
        }
        #expect(library.run().status == 0)
        let before = try library.manifest()
        library.addRecording("b.wav", seconds: 0.3)
        let outcome = Tool.run(["run", library.root.appending("b.wav").text])
        #expect(outcome.outputLines.first == "1 recording: 1 done")
        let after = try library.manifest()
        #expect(after.recordings.map(\.name) == ["a.wav", "b.wav", "c.wav"])
        #expect(after["a.wav"] == before["a.wav"])
        #expect(after["c.wav"] == before["c.wav"])
        #expect(after["b.wav"] != before["b.wav"])
    }

    @Test func missingRecordingIsReportedAndPruned() throws {
        library.addRecording("a.wav", seconds: 0.1)
        let gone = library.addRecording("b.wav", seconds: 0.1)
        #expect(library.run().status == 0)
        unlink(gone.text)
        #expect(library.run().outputLines.first == "1 recording: 1 up to date")
        let recordings = try library.manifest().recordings
        #expect(recordings.map(\.status) == [.done, .sourceMissing])
        let before = try library.manifest()
        let planned = library.run("--prune", "--dry-run")
        let fate = "gone; what was made of it would be removed"
        #expect(planned.outputLines.first == "b.wav: \(fate)")
        #expect(planned.outputLines.suffix(2) == ["1 recording is \(fate)", "nothing was written"])
        #expect(try library.manifest() == before)
        let pruned = library.run("--prune")
        #expect(pruned.status == 0)
        #expect(
            pruned.outputLines.contains("1 recording is gone; what was made of it is removed"))
        #expect(try library.manifest().recordings.map(\.name) == ["a.wav"])
        #expect(TestFolder.bytes(of: library.output.appending("b.wav.dat")).isEmpty)
    }

    @Test(arguments: [false, true])
    func pruneKeepsAndReportsModifiedCopy(isJSON: Bool) throws {
        let gone = library.addRecording("A/b.wav", seconds: 0.5)
        library.addRecording("A/c.wav", seconds: 0.5)
        #expect(library.run().status == 0)
        unlink(gone.text)
        library.add("tapedeck/A/b.wav", Array("edited".utf8))
        let pruned = isJSON ? library.run("--prune", "--json") : library.run("--prune")
        #expect(pruned.status == 0)
        #expect(
            pruned.errors
                == "tapedeck: in the output, A/b.wav is kept although no recording has it: it was"
                + " modified, or is another file; rename or delete it\n")
        let line = #"{"event":"spared","folder":"A","name":"b.wav"}"#
        #expect(pruned.timeless.outputLines.contains(line) == isJSON)
        #expect(library.outputs().names.contains("A/b.wav"))
        #expect(!library.outputs().names.contains("A/b.wav.dat"))
    }

    @Test(arguments: ["run . --json", "run . --dry-run", "status .", "inspect a.wav", "verify ."])
    func unwritableStandardOutputIsReported(command: String) {
        let recording = library.addRecording("a.wav", seconds: 1.2)
        #expect(library.run().status == 0)
        let outcome = Tool.shell("\"$TAPEDECK\" \(command) > /dev/full", in: recording.parent)
        #expect(outcome.status == 1)
        #expect(
            outcome.errors
                == "tapedeck: standard output cannot be written: No space left on device\n")
    }

    /// A file that is opened gets the number of one that is closed.
    @Test(
        arguments: [
            (">&-", 1), ("2>&-", 3), ("<&-", 3), (">&- 2>&- <&-", 1),
        ] as [(String, Int32)])
    func closedStandardStreamsDoNotCorruptOutputs(closed: String, status: Int32) throws {
        library.addRecording("a.wav", seconds: 1.2)
        library.add("b.wav", [])
        let outcome = Tool.shell(#""$TAPEDECK" run . --json "# + closed, in: library.root)
        #expect(outcome.status == status)
        let verification = Tool.run(["verify", library.output.text])
        #expect(verification.status == 0, "\(verification.output)\(verification.errors)")
    }

    /// Somebody keeps an edited copy where ours is to go.
    @Test func modifiedOutputIsNeverOverwritten() throws {
        library.addRecording("a.wav")
        library.addRecording("b.wav")
        #expect(library.run().status == 0)
        let before = library.outputs()
        library.add("tapedeck/b.wav", [1, 2, 3])
        let outcome = library.run()
        #expect(outcome.status == 3)
        #expect(
            outcome.errors
                == "tapedeck: b.wav: the trimmed copy could not be written: b.wav in the output"
                + " is not one of its results, or was modified: rename or delete it\n")
        #expect(TestFolder.bytes(of: library.root.appending("tapedeck/b.wav")) == [1, 2, 3])
        // Nothing but another name is asked for.
        #expect(unlink(library.root.appending("tapedeck/b.wav").text) == 0)
        #expect(library.run().status == 0)
        #expect(library.outputs().differences(from: before) == ["manifest.json"])
    }

    @Test func deletedAndEditedManifestsArePrintedAgain() {
        library.addRecording("a.wav", seconds: 0.1)
        #expect(library.run().status == 0)
        let manifest = library.output.appending("manifest.json")
        let text = TestFolder.bytes(of: manifest)
        #expect(unlink(manifest.text) == 0)
        #expect(library.run().outputLines.first == "1 recording: 1 up to date")
        #expect(TestFolder.bytes(of: manifest) == text)
        library.add("tapedeck/manifest.json", text + [10])
        #expect(library.run().outputLines.first == "1 recording: 1 up to date")
        #expect(TestFolder.bytes(of: manifest) == text)
    }

    @Test func symlinkInOutputNeverOverwritesRecordings() {
        library.addRecording("A/a.wav", seconds: 1.2)
        library.addRecording("b.wav", seconds: 1.2)
        let elsewhere = TestFolder()
        let results = elsewhere.path("results")
        #expect(mkdir(results.text, 0o777) == 0)
        #expect(symlink(library.root.appending("A").text, results.appending("A").text) == 0)
        let before = library.snapshot()
        let outcome = library.run("--output", results.text)
        #expect(outcome.status == 3)
        #expect(
            outcome.errors
                == "tapedeck: A: its folder in the output is, or links to, a folder with other"
                + " files: nothing is written there\n")
        #expect(outcome.outputLines.first == "1 recording: 1 done")
        #expect(library.snapshot().differences(from: before) == [])
    }
}

extension Library {
    /// The manifest in any folder below the root.
    func manifestBelow(_ folder: Pathname) throws -> Manifest {
        try Manifest.read(root.appending(folder))
    }
}
