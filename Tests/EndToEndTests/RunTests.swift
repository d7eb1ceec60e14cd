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

    @Test func saysInADryRunWhatWouldBeDoneAndWritesNothing() {
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

    @Test func plansInADryRunOnlyWhatIsStale() {
        library.addRecording("a.wav", seconds: 0.1)
        library.addRecording("b.wav", seconds: 0.1)
        #expect(library.run().status == 0)
        library.addRecording("b.wav", seconds: 0.2)
        let before = library.snapshot()
        let outcome = library.run("--dry-run", "--waveform-bits", "16")
        #expect(
            outcome.outputLines.prefix(3) == [
                "a.wav: waveform", "b.wav: waveform, levels, silence, trim",
                "2 recordings: 2 to be done",
            ])
        #expect(library.snapshot().differences(from: before) == [])
    }

    @Test func redoesAllWhenForced() throws {
        library.addRecording("b.wav")
        #expect(library.run().outputLines.first == "1 recording: 1 done")
        #expect(library.run().outputLines.first == "1 recording: 1 up to date")
        let before = library.outputs()
        #expect(library.run("--force").outputLines.first == "1 recording: 1 done")
        #expect(library.outputs().differences(from: before) == [])
    }

    @Test func redoesWhatWasDamaged() {
        library.addRecording("b.wav")
        #expect(library.run().status == 0)
        let before = library.outputs()
        library.add("tapedeck/b.wav", [1, 2, 3])
        #expect(library.run().outputLines.first == "1 recording: 1 done")
        #expect(library.outputs().differences(from: before) == [])
    }

    @Test func makesWhatTheOptionsSay() throws {
        library.addRecording("b.wav")
        let outcome = library.run(
            "--trim-format", "flac", "--samples-per-pixel", "64,512", "--waveform-format", "json")
        #expect(outcome.status == 0)
        #expect(
            library.outputs().files == [
                "b.wav.512.json", "b.wav.flac", "b.wav.json", "manifest.json",
            ])
        #expect(library.run("--trim", "off").status == 0)
        #expect(library.outputs().files == ["b.wav.dat", "manifest.json"])
        #expect(try library.manifest()["b.wav"]?.notTrimmed == .off)
    }

    @Test func isQuietWhereAllIsWell() {
        library.addRecording("b.wav", seconds: 0.1)
        let outcome = library.run("--quiet")
        #expect(outcome.status == 0)
        #expect(outcome.output == "")
        #expect(outcome.errors == "")
    }

    @Test func tellsOfFailuresEvenWhenQuiet() {
        library.add("b.wav", [])
        let outcome = library.run("--quiet")
        #expect(outcome.status == 3)
        #expect(outcome.output == "")
        #expect(outcome.errors == "tapedeck: b.wav: the file is empty\n")
    }

    @Test func spellsPlansAndSummaryInJSON() throws {
        library.addRecording("b.wav", seconds: 0.1)
        let lines = library.run("--dry-run", "--json").outputLines
        #expect(
            lines.first
                == #"{"event":"planned","folder":".","name":"b.wav","#
                + #""stages":["waveform","levels","silence","trim"]}"#)
        #expect(lines.count == 2)
        #expect(try json(lines[1])["planned"] as? Int == 1)
    }

    @Test func goesOnWhenNobodyReadsItsOutputAnyMore() throws {
        for number in 1...20 { library.addRecording(Pathname("\(number).wav"), seconds: 0.1) }
        let tool = RunningTool(["run", library.root.text, "--json", "--jobs", "1"])
        #expect(tool.nextLine() != nil)
        tool.closeOutput()
        #expect(tool.wait(readingOutput: false).status == 0)
        #expect(try library.manifest().recordings.count == 20)
    }

    @Test func worksWhereItStandsAndIsToldItsPathsFromThere() throws {
        library.addRecording("A/b.wav", seconds: 0.1)
        let outcome = Tool.run(["run", ".", "--output", "../out"], in: library.root)
        #expect(outcome.status == 0)
        #expect(
            try Manifest.read(library.folder.path("out/A")).recordings.map(\.name) == ["b.wav"])
    }

    // MARK: What is asked for

    @Test func takesAFolderOnceHoweverOftenItIsNamed() throws {
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

    @Test func doesNotTakeItsOwnResultsForRecordings() {
        library.addRecording("b.wav")
        #expect(library.run().outputLines.first == "1 recording: 1 done")
        #expect(library.outputs().files.contains("b.wav"))
        #expect(library.run().outputLines.first == "1 recording: 1 up to date")
        // Nor those of another run, whatever its output is called.
        let other = library.root.appending("results").text
        #expect(library.run("--output", other).outputLines.first == "1 recording: 1 done")
        #expect(library.run().outputLines.first == "1 recording: 1 up to date")
    }

    @Test func keepsTheOtherEntriesWhenOneRecordingIsAskedFor() throws {
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

    @Test func forgetsRecordingsThatAreGone() throws {
        library.addRecording("a.wav", seconds: 0.1)
        let gone = library.addRecording("b.wav", seconds: 0.1)
        #expect(library.run().status == 0)
        unlink(gone.text)
        #expect(library.run().outputLines.first == "1 recording: 1 up to date")
        #expect(try library.manifest().recordings.map(\.name) == ["a.wav"])
    }
}

extension Library {
    /// The manifest in any folder below the root.
    func manifestBelow(_ folder: Pathname) throws -> Manifest {
        try Manifest.read(root.appending(folder))
    }
}

// MARK: - Names

@Suite struct OddNameTests {
    private let library = Library()

    private static let names: [Pathname] = [
        "new\nline.wav", "\"Mum's\" $HOME `id`; *.wav", "🎙️.wav", "caf\u{E9}.wav",
        "cafe\u{301}.wav", "-rf.wav", " .wav", "back\\slash.wav", "\u{202E}vaw.wav",
        Pathname(bytes: [0x61, 0xFF] + Array(".wav".utf8)),
        Pathname(bytes: [0x61, 0xFE] + Array(".wav".utf8)), "manifest.json.wav",
    ]

    @Test func areAllDoneWithAnEntryEach() throws {
        for name in Self.names { library.addRecording(name) }
        let outcome = library.run()
        #expect(outcome.status == 0, "\(outcome.errors)")
        let recordings = try library.manifest().recordings
        #expect(recordings.map(\.name) == Self.names.sorted())
        #expect(recordings.allSatisfy { $0.trimmed?.path == $0.name })
        let files = library.outputs().files
        #expect(files.count == 2 * Self.names.count + 1)
        #expect(SchemaCheck.run(library.output).status == 0)
        #expect(
            library.run().outputLines.first == "\(Self.names.count) recordings:"
                + " \(Self.names.count) up to date")
    }

    @Test func nameFoldersJustAsWell() throws {
        for name in Self.names { library.addRecording(name.appending("b.wav"), seconds: 0.1) }
        #expect(library.run().status == 0)
        for name in Self.names {
            #expect(try library.manifest(name).folder == name)
        }
    }

    @Test func stayOneLineWhenTheyFail() throws {
        for name in Self.names { library.add(name, []) }
        let outcome = library.run()
        #expect(outcome.status == 3)
        #expect(outcome.errorLines.count == Self.names.count)
        // By bytes: as text, two of them are canonically equivalent.
        #expect(Set(outcome.errorLines.map { Array($0.utf8) }).count == Self.names.count)
        #expect(outcome.errorLines.allSatisfy { $0.hasSuffix(": the file is empty") })
        #expect(outcome.errorLines.contains("tapedeck: new\\nline.wav: the file is empty"))
        #expect(outcome.errorLines.contains("tapedeck: a\\xff.wav: the file is empty"))
        #expect(library.run("--json").outputLines.count == Self.names.count + 1)
    }

    /// Two names that are not UTF-8 and look alike, and an output that is neither.
    @Test func canBeTypedWhateverTheirBytes() throws {
        for name in Self.names { library.addRecording(name, seconds: 0.1) }
        let outcome = Tool.shell(
            #"""
            "$TAPEDECK" run --output="$(printf 'o\377')" "$(printf 'a\377.wav')" \
                "$(printf 'a\376.wav')" -- -rf.wav
            """#, in: library.root)
        #expect(outcome.outputLines.first == "3 recordings: 3 done")
        let output = library.root.appending(Pathname(bytes: [0x6F, 0xFF]))
        let names = try Manifest.read(output).recordings.map(\.name)
        #expect(names.map(\.hexadecimal) == ["2d72662e776176", "61fe2e776176", "61ff2e776176"])
    }

    @Test func neverClaimOneOutputTogether() throws {
        library.add("b.mp3", Corpus.bytes("memos/memo_mono_mp3_16000hz.mp3"))
        library.add(
            "b.mp3.flac",
            Corpus.bytes("interviews/2024/harbour/pilot_de_mono_flac16_16000hz.flac"))
        let outcome = library.run()
        #expect(outcome.outputLines.first == "2 recordings: 2 done")
        try expectDistinctOutputs()
    }

    @Test func neverClaimOneOutputTogetherWhenOneComesLater() throws {
        library.add("b.mp3", Corpus.bytes("memos/memo_mono_mp3_16000hz.mp3"))
        #expect(library.run().outputLines.first == "1 recording: 1 done")
        #expect(try library.manifest()["b.mp3"]?.trimmed?.path == "b.mp3.flac")
        library.add(
            "b.mp3.flac",
            Corpus.bytes("interviews/2024/harbour/pilot_de_mono_flac16_16000hz.flac"))
        #expect(library.run().status == 0)
        try expectDistinctOutputs()
        #expect(library.run().outputLines.first == "2 recordings: 2 up to date")
    }

    private func expectDistinctOutputs() throws {
        let manifest = try library.manifest()
        #expect(manifest["b.mp3.flac"]?.trimmed?.path == "b.mp3.flac")
        #expect(manifest["b.mp3"]?.trimmed?.path == "b.mp3.2.flac")
        #expect(
            library.outputs().files == [
                "b.mp3.2.flac", "b.mp3.dat", "b.mp3.flac", "b.mp3.flac.dat", "manifest.json",
            ])
        let check = SchemaCheck.run(library.output)
        #expect(check.status == 0, "\(check.errors)")
    }
}

// MARK: - Trouble

@Suite struct TroubleTests {
    private let library = Library()

    @Test func doesNotKeepTheOthersFromBeingDone() throws {
        library.addRecording("good.wav", seconds: 0.1)
        library.add("letter.wav", Array("Dear all,\n".utf8))
        symlink("no such file", library.root.appending("vanished.wav").text)
        mkfifo(library.root.appending("pipe.wav").text, 0o644)
        let outcome = library.run()
        #expect(outcome.status == 3)
        #expect(outcome.outputLines.first == "4 recordings: 1 done, 3 failed")
        #expect(
            outcome.errorLines.sorted() == [
                "tapedeck: letter.wav: this is no sound file that can be read"
                    + " (\"Format not recognised\")",
                "tapedeck: pipe.wav: this is not a regular file",
                "tapedeck: vanished.wav: the file is gone",
            ])
        let manifest = try library.manifest()
        #expect(manifest["vanished.wav"]?.failure?.stage == .scan)
        #expect(manifest["vanished.wav"]?.source == nil)
        #expect(manifest["letter.wav"]?.failure?.reason == .unrecognisedFormat)
        #expect(SchemaCheck.run(library.output).status == 0)
    }

    @Test(.enabled(if: geteuid() != 0, "nothing is closed to the system's own user"))
    func tellsOfWhatIsClosed() throws {
        library.addRecording("good.wav", seconds: 0.1)
        chmod(library.addRecording("closed.wav", seconds: 0.1).text, 0)
        library.addRecording("shut/b.wav", seconds: 0.1)
        let folder = library.root.appending("shut").text
        chmod(folder, 0)
        defer { chmod(folder, 0o755) }
        let outcome = library.run()
        #expect(outcome.status == 3)
        #expect(
            outcome.errorLines.sorted() == [
                "tapedeck: closed.wav: there is no permission to read it",
                "tapedeck: shut: the folder could not be read: there is no permission",
            ])
        #expect(outcome.outputLines.contains("1 folder could not be read"))
    }

    @Test func triesAgainWhatFailed() {
        library.add("b.wav", [])
        #expect(library.run().status == 3)
        library.addRecording("b.wav", seconds: 0.1)
        #expect(library.run().outputLines.first == "1 recording: 1 done")
    }

    @Test func saysThatThereIsNothing() {
        let outcome = library.run()
        #expect(outcome.status == 0)
        #expect(outcome.output == "0 recordings\n")
    }
}
