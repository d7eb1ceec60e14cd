import Foundation
import Recordings
import TestSupport
import Testing

/// `tapedeck repair`, `tapedeck clean` and `tapedeck doctor`.
@Suite struct RepairTests {
    private let library = Library()

    private func tool(_ words: String...) -> Tool.Outcome { Tool.run(words) }

    /// Changes the last byte of a file, and gives it its time back.
    private func corrupt(_ path: Pathname) throws {
        let status = try #require(Snapshot.status(path))
        var bytes = TestFolder.bytes(of: path)
        bytes[bytes.count - 1] ^= 1
        try Data(bytes).write(to: URL(filePath: path.text))
        #expect(utimensat(AT_FDCWD, path.text, [status.st_mtim, status.st_mtim], 0) == 0)
    }

    @Test func damagedOutputsAreMadeAgain() throws {
        for name in ["A/a.wav", "A/b.wav", "c.wav"] as [Pathname] { library.addRecording(name) }
        #expect(library.run("--export", "csv", "--checksums").status == 0)
        let whole = Snapshot(library.output, comparingFolderTimes: false)
        try corrupt(library.output.appending("A/a.wav.dat"))
        try corrupt(library.output.appending("A/b.wav"))
        let table = TestFolder.bytes(of: library.output.appending("segments.csv"))
        try corrupt(library.output.appending("segments.csv"))
        unlink(library.output.appending("c.wav.dat").text)
        // A run takes what is corrupt for sound.
        let looked = tool("verify", library.root.text)
        #expect(looked.status == 3)
        #expect(
            looked.output.contains(
                "A/a.wav.dat: corrupt (its bytes are others, its time is the same)"))
        #expect(looked.output.contains("segments.csv: corrupt"))
        #expect(looked.outputLines.last == "  4 outputs: tapedeck repair makes them again")
        let dry = tool("repair", "-n", library.root.text)
        #expect(dry.status == 0 && dry.output.contains("A/b.wav: corrupt"))
        #expect(tool("verify", library.root.text).outputLines == looked.outputLines)
        let repaired = tool("repair", library.root.text)
        #expect(repaired.status == 0, "\(repaired.errors)")
        #expect(tool("verify", library.root.text).status == 0)
        #expect(TestFolder.bytes(of: library.output.appending("segments.csv")) == table)
        let others = Snapshot(library.output, comparingFolderTimes: false).wherever
            .differences(from: whole.wherever)
        #expect(
            others.allSatisfy { ["segments.csv", ".tapedeck"].contains($0.lastComponent.text) },
            "\(others)")
        #expect(tool("repair", library.root.text).output == "nothing to repair\n")
    }

    @Test func outputThatCannotBeMadeAgainStays() throws {
        let path = library.addRecording("a.wav")
        library.addRecording("b.wav")
        #expect(library.run().status == 0)
        unlink(path.text)
        let copy = library.output.appending("a.wav")
        try corrupt(copy)
        let bytes = TestFolder.bytes(of: copy)
        for _ in 1...2 {
            let repaired = tool("repair", library.root.text)
            #expect(repaired.status == 3)
            #expect(repaired.errors.contains("a.wav is not made again: its recording is gone"))
            #expect(TestFolder.bytes(of: copy) == bytes)
        }
    }

    /// The output may be all that is left of the sound recording.
    @Test func outputOfCorruptRecordingStays() throws {
        for name in ["a.wav", "b.wav"] as [Pathname] { library.addRecording(name) }
        #expect(library.run("--checksums").status == 0)
        for name in ["a.wav", "b.wav"] as [Pathname] {
            try corrupt(library.output.appending(name))
        }
        try corrupt(library.root.appending("a.wav"))
        let before = library.snapshot()
        for words in [["-n"], []] {
            let repaired = Tool.run(["repair", library.root.text] + words)
            #expect(repaired.status == (words.isEmpty ? 3 : 0))
            #expect(
                repaired.errors.contains("a.wav is not made again: its recording is corrupt, too"))
            #expect(!repaired.errors.contains("b.wav"))
            #expect(words.isEmpty || library.snapshot().differences(from: before) == [])
        }
        let left = tool("verify", library.root.text).outputLines
        #expect(left.contains { $0.hasPrefix("a.wav: corrupt") })
        #expect(left.contains { $0.hasPrefix("a.wav (the recording): corrupt") })
        #expect(!left.contains { $0.hasPrefix("b.wav") })
    }

    /// Neither by a settings file, nor by defaults, nor of recordings that nobody asked for.
    @Test func onlyWhatIsAtFaultIsMadeAgainAsItWas() throws {
        for name in ["A/a.wav", "A/b.wav", "B/c.wav"] as [Pathname] { library.addPauses(name) }
        let file = library.folder.write(Array("longest-gap = 0.3\n".utf8), to: "other.toml")
        let output = library.folder.path("out")
        let paths = ["run", library.root.text + "/A", library.root.text + "/B/c.wav"]
        let words = paths + ["--output", output.text, "--trim", "gaps", "--config", file.text]
        #expect(Tool.run(words + ["--export", "audacity"]).status == 0)
        library.addRecording("B/new.wav")
        library.add("tapedeck.toml", Array("trim = \"off\"\n".utf8))
        let before = Snapshot(output, comparingFolderTimes: false)
        try corrupt(output.appending("A/a.wav.dat"))
        let dry = tool("repair", "-n", output.text)
        #expect(dry.status == 0 && dry.outputLines.contains("1 recording: 1 to be done"))
        let repaired = tool("repair", output.text)
        #expect(repaired.status == 0, "\(repaired.errors)")
        #expect(repaired.outputLines.contains { $0.hasPrefix("1 recording: 1 done") })
        let others = Snapshot(output, comparingFolderTimes: false).wherever
            .differences(from: before.wherever)
        #expect(others.allSatisfy { $0.lastComponent.text.hasPrefix(".tapedeck") }, "\(others)")
    }

    @Test func outputOfRecordingThatIsLeftOutStays() throws {
        for name in ["a.wav", "b.wav"] as [Pathname] { library.addRecording(name) }
        #expect(library.run().status == 0)
        #expect(library.run("--exclude", "a.wav").status == 0)
        let copy = library.output.appending("a.wav.dat")
        try corrupt(copy)
        let repaired = tool("repair", library.root.text)
        #expect(repaired.status == 3)
        #expect(repaired.errors.contains("1 output could not be made again, such as a.wav.dat"))
        #expect(Snapshot.status(copy) != nil)
    }

    @Test func exportsSplitFilesAndManifestsAreMadeAgain() throws {
        for name in ["A/a.wav", "A/b.wav"] as [Pathname] { library.addPauses(name) }
        #expect(library.run("--export", "csv", "--split").status == 0)
        let before = Snapshot(library.output, comparingFolderTimes: false)
        let split = try #require(
            FileManager.default.contentsOfDirectory(
                atPath: library.output.text + "/A/segments"
            ).filter { !$0.hasSuffix("jsonl") }.min())
        let faults = ["A/segments/\(split)", "segments.csv", "A/manifest.json"]
        for name in faults {
            try corrupt(library.output.appending(Pathname(name)))
            let repaired = tool("repair", library.root.text)
            #expect(repaired.status == 0, "\(name): \(repaired.errors)")
            #expect(tool("verify", library.root.text).status == 0, "\(name)")
        }
        let others = Snapshot(library.output, comparingFolderTimes: false).wherever
            .differences(from: before.wherever).map(\.lastComponent.text)
        let timed = ["segments.csv", "manifest.json", "metadata.jsonl", split]
        #expect(others.allSatisfy { timed.contains($0) || $0.hasPrefix(".tape") }, "\(others)")
    }

    @Test func modifiedCopiesAndExportsStay() throws {
        library.addPauses("a.wav")
        #expect(library.run("--export", "csv").status == 0)
        for name in ["a.wav", "segments.csv"] {
            let path = library.output.appending(Pathname(name))
            try Data(TestFolder.bytes(of: path) + [0]).write(to: URL(filePath: path.text))
            let before = library.snapshot()
            let repaired = tool("repair", library.root.text)
            #expect(repaired.status == 3)
            #expect(repaired.errors.contains("\(name) is not made again: it was modified"))
            #expect(library.snapshot().differences(from: before) == [])
            unlink(path.text)
            #expect(tool("repair", library.root.text).status == 0)
            #expect(tool("verify", library.root.text).status == 0)
        }
    }

    /// They are drawn while a recording is heard.
    @Test func detailsOfPagesAreMadeAgain() throws {
        library.addPauses("a.wav")
        #expect(library.run("--report").status == 0)
        unlink(library.output.text + "/a.wav.report.js")
        #expect(tool("repair", library.root.text).status == 0)
        #expect(Snapshot.status(library.output.appending("a.wav.report.js")) != nil)
        #expect(tool("verify", library.root.text).status == 0)
    }

    @Test func recordingsAreNeverTouched() throws {
        let path = library.addRecording("a.wav")
        #expect(library.run("--checksums").status == 0)
        try corrupt(path)
        let bytes = TestFolder.bytes(of: path)
        let found = tool("verify", library.root.text)
        #expect(found.output.contains("a.wav (the recording): corrupt"))
        #expect(found.outputLines.last?.hasPrefix("  1 corrupt recording: restore it") == true)
        #expect(tool("repair", library.root.text).status == 0)
        #expect(TestFolder.bytes(of: path) == bytes)
    }

    @Test func resultsOfRecordingsThatAreGoneAreDeletedOnDemand() throws {
        for name in ["A/a.wav", "A/b.wav", "B/c.wav", "d.wav"] as [Pathname] {
            library.addRecording(name)
        }
        #expect(library.run().status == 0)
        for name in ["A/a.wav", "B/c.wav"] { unlink(library.root.text + "/" + name) }
        rmdir(library.root.text + "/B")
        // No run has missed them yet.
        #expect(
            tool("clean", library.root.text, "--older-than", "0s").output == "nothing to delete\n")
        #expect(library.run().status == 0)
        #expect(
            tool("clean", library.root.text, "--older-than", "1d").output == "nothing to delete\n")
        let before = library.snapshot()
        let listed = tool("clean", library.root.text, "--older-than", "0s")
        #expect(listed.status == 0)
        #expect(listed.outputLines.count == 3)
        #expect(listed.outputLines.first?.hasPrefix("A/a.wav: 2 files, ") == true)
        #expect(
            listed.outputLines.last == "results of 2 recordings would be deleted; --delete does so")
        #expect(library.snapshot().differences(from: before) == [])
        // One that is back is kept, although no run has seen it; what was modified is kept, too.
        library.addRecording("A/a.wav")
        #expect(tool("clean", library.root.text, "--older-than", "0s").outputLines.count == 2)
        let deleted = tool("clean", library.root.text, "--older-than", "0s", "--delete")
        #expect(deleted.status == 0 && deleted.output.hasSuffix("results of 1 recording deleted\n"))
        #expect(library.outputs().names.contains("A/a.wav.dat"))
        #expect(!library.outputs().names.contains("B/c.wav.dat"))
        #expect(!library.outputs().names.contains("B/manifest.json"))
        #expect(tool("verify", library.root.text).status == 0)
        #expect(SchemaCheck.run(library.output).status == 0)
        #expect(library.run().status == 0)
        #expect(tool("verify", library.root.text).status == 0)
    }

    @Test func nothingIsDeletedIfTheDiskIsAway() throws {
        let path = library.addRecording("a.wav")
        library.addRecording("b.wav")
        let output = library.folder.path("out")
        #expect(tool("run", library.root.text, "--output", output.text).status == 0)
        unlink(path.text)
        #expect(tool("run", library.root.text, "--output", output.text).status == 0)
        unlink(library.root.appending("b.wav").text)
        let before = Snapshot(output)
        let refused = tool("clean", output.text, "--older-than", "0s", "--delete")
        #expect(refused.status == 1 && refused.errors.contains("is its disk mounted?"))
        #expect(Snapshot(output).differences(from: before) == [])
    }

    @Test func doctorTellsWhatIsThere() {
        let told = Tool.run(["doctor", library.root.text])
        #expect([0, 3].contains(told.status))
        for subject in ["libsndfile", "SQLite", "decoder helper", "inotify watches", "file system"]
        {
            #expect(told.outputLines.contains { $0.dropFirst(6).hasPrefix(subject) }, "\(subject)")
        }
        #expect(told.outputLines.allSatisfy { $0.hasPrefix("ok  ") || $0.hasPrefix("note") })
        #expect(told.status == (told.output.contains("note") ? 3 : 0))
        #expect(Tool.run(["doctor", library.root.text + "/none"]).status == 3)
    }
}
