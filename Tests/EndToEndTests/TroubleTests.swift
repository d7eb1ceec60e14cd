import Foundation
import Recordings
import TestSupport
import Testing

@Suite struct TroubleTests {
    private let library = Library()

    @Test func failuresDoNotStopOtherRecordings() throws {
        library.addRecording("good.wav", seconds: 0.1)
        library.add("letter.wav", Array("Dear all,\n".utf8))
        symlink("no such file", library.root.appending("vanished.wav").text)
        mkfifo(library.root.appending("pipe.wav").text, 0o644)
        let outcome = library.run()
        #expect(outcome.status == 3)
        #expect(outcome.outputLines.first == "4 recordings: 1 done, 3 failed")
        #expect(
            outcome.errorLines.sorted() == [
                "tapedeck: letter.wav: not a sound file that Tapedeck can read (\"Format not"
                    + " recognised\")",
                "tapedeck: pipe.wav: not a regular file",
                "tapedeck: vanished.wav: the file no longer exists",
            ])
        let manifest = try library.manifest()
        #expect(manifest["vanished.wav"]?.failure?.stage == .scan)
        #expect(manifest["vanished.wav"]?.source == nil)
        #expect(manifest["letter.wav"]?.failure?.reason == .unrecognisedFormat)
        #expect(SchemaCheck.run(library.output).status == 0)
    }

    @Test(.enabled(if: geteuid() != 0, "nothing is closed to the system's own user"))
    func unreadableFilesAndFoldersAreReported() throws {
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
                "tapedeck: closed.wav: no permission to read the file",
                "tapedeck: shut: the folder could not be read: permission denied",
            ])
        #expect(outcome.outputLines.contains("1 folder could not be read"))
    }

    @Test func folderBlockingOutputFailsOnlyItsRecording() throws {
        library.addRecording("a.wav", seconds: 0.1)
        library.addRecording("b.wav", seconds: 0.1)
        #expect(library.run("--trim", "off").status == 0)
        unlink(library.output.appending("b.wav.dat").text)
        library.makeFolder("library/tapedeck/b.wav.dat/x")
        let outcome = library.run("--force", "--defaults")
        #expect(outcome.status == 3)
        #expect(outcome.outputLines.contains("2 recordings: 1 done, 1 failed"))
        #expect(
            outcome.errors
                == "tapedeck: b.wav: the waveform could not be written: b.wav.dat in the output"
                + " is not one of its results, or was modified: rename or delete it\n")
        let hidden = library.outputs().names.filter(\.lastComponent.isHidden)
        #expect(hidden == [])
        #expect(try library.manifest()["a.wav"]?.status == .done)
        #expect(try library.manifest()["b.wav"]?.waveforms == nil)
        #expect(SchemaCheck.run(library.output).status == 0)
        rmdir(library.output.appending("b.wav.dat/x").text)
        rmdir(library.output.appending("b.wav.dat").text)
        // Without being asked: it was not the recording's fault.
        let next = library.run()
        #expect(next.outputLines.first == "2 recordings: 1 done, 1 up to date")
        #expect(try library.manifest()["b.wav"]?.leftBehind == nil)
        #expect(library.outputs().files.contains("b.wav.dat"))
    }

    /// Its copy is that of the recording before last: its own, and nobody else's.
    @Test(arguments: [[], Array(SmallWAV.bytes(SmallWAV.voice(before: 1)).prefix(9_000))])
    func repairedRecordingIsDoneAgain(broken: [UInt8]) throws {
        let voice = { SmallWAV.bytes(SmallWAV.voice(before: 2, hertz: $0)) }
        library.add("b.wav", voice(147))
        #expect(library.run().status == 0)
        let copy = TestFolder.bytes(of: library.output.appending("b.wav"))
        #expect(!copy.isEmpty)
        let map = { Tool.run(["map", library.output.text, "b.wav", "--to-source", "0.1"]) }
        let before = map()
        library.add("b.wav", broken)
        #expect(library.run("--strict").status == 3)
        // It may be the last one, and its times can still be told.
        let isThere = TestFolder.bytes(of: library.output.appending("b.wav")) == copy
        #expect(isThere)
        #expect(before.status == 0 && map().output == before.output)
        #expect(SchemaCheck.run(library.output).status == 0)
        library.add("b.wav", voice(190))
        let next = library.run("--no-strict")
        #expect(next.status == 0 && next.errors == "")
        #expect(next.outputLines.contains("1 recording: 1 done"))
        let isNew = TestFolder.bytes(of: library.output.appending("b.wav")) != copy
        #expect(isNew)
        #expect(try library.manifest()["b.wav"]?.earlier == nil)
    }

    /// Nor is one that somebody has edited since taken for its own.
    @Test func copyEditedAfterFailureIsNotOverwritten() throws {
        library.add("b.wav", SmallWAV.bytes(SmallWAV.voice(before: 2)))
        #expect(library.run().status == 0)
        library.add("b.wav", [])
        #expect(library.run().status == 3)
        library.add("tapedeck/b.wav", Array("edited".utf8))
        library.add("b.wav", SmallWAV.bytes(SmallWAV.voice(before: 3)))
        #expect(library.run().status == 3)
        #expect(
            TestFolder.bytes(of: library.output.appending("b.wav")) == Array("edited".utf8))
    }

    @Test func failedRecordingIsRetriedWhenItsFileChanges() {
        library.add("b.wav", [])
        #expect(library.run().status == 3)
        library.addRecording("b.wav", seconds: 0.1)
        #expect(library.run().outputLines.first == "1 recording: 1 done")
    }

    @Test func emptyFolderReportsZeroRecordings() {
        let outcome = library.run()
        #expect(outcome.status == 0)
        #expect(outcome.output == "0 recordings\n")
    }
}
