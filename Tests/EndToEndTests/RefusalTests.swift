import Foundation
import Recordings
import TestSupport
import Testing

/// Runs that cannot begin say so in one line, end with status 1 and write nothing.
@Suite struct RefusalTests {
    private let library = Library()

    init() {
        library.addRecording("A/b.wav", seconds: 0.1)
    }

    private func path(_ name: Pathname) -> String { library.root.appending(name).text }

    /// The sentence of a refused run, in which the root is called LIBRARY.
    ///
    /// A folder that was made and taken away again leaves its mark in a time.
    private func refusal(_ arguments: String...) throws -> String {
        let before = library.snapshot(comparingFolderTimes: false)
        let outcome = Tool.run(["run"] + arguments)
        #expect(outcome.status == 1)
        #expect(outcome.output == "")
        #expect(library.snapshot(comparingFolderTimes: false).differences(from: before) == [])
        let line = try #require(outcome.errorLines.first)
        #expect(outcome.errorLines.count == 1, "\(outcome.errors)")
        let root = URL(filePath: library.root.text).resolvingSymlinksInPath().path
        return line.replacing(root, with: "LIBRARY").replacing(library.root.text, with: "LIBRARY")
    }

    @Test func missingPathIsRefused() throws {
        #expect(try refusal(path("no")) == "tapedeck: LIBRARY/no does not exist")
        #expect(
            try refusal(path("A"), path("A/no\n.wav"))
                == "tapedeck: LIBRARY/A/no\\n.wav does not exist")
    }

    @Test func fileAsOutputIsRefused() throws {
        #expect(
            try refusal(path("A"), "--output", path("A/b.wav"))
                == "tapedeck: the output LIBRARY/A/b.wav is not a folder")
    }

    @Test func uncreatableOutputFolderIsRefused() throws {
        #expect(
            try refusal(path("A"), "--output", "/proc/tapedeck-test/x")
                == "tapedeck: the output folder /proc/tapedeck-test/x cannot be created or"
                + " written: No such file or directory")
        let tooLong = "new/" + String(repeating: "x", count: 300)
        #expect(
            try refusal(path("A"), "--output", path(Pathname(tooLong)))
                == "tapedeck: the output folder LIBRARY/\(tooLong) cannot be created or written:"
                + " File name too long")
    }

    @Test func outputContainingSourcesIsRefused() throws {
        #expect(
            try refusal(path("A"), "--output", path("A"))
                == "tapedeck: the output folder LIBRARY/A is the folder of the recordings; choose"
                + " another with --output")
        #expect(
            try refusal(path("A"), "--output", path(.empty))
                == "tapedeck: the output folder LIBRARY holds the recordings in LIBRARY/A; choose"
                + " one outside of them with --output")
    }

    @Test func outputWithForeignFilesIsRefused() throws {
        library.addRecording("A/mine/own.wav", seconds: 0.1)
        #expect(
            try refusal(path("A"), "--output", path("A/mine"))
                == "tapedeck: the output folder LIBRARY/A/mine holds other files, such as"
                + " LIBRARY/A/mine/own.wav; choose an empty or new one with --output, or, if these"
                + " are results whose record is lost, make an empty file .tapedeck there")
    }

    @Test func outputFolderAsSourceIsRefused() throws {
        #expect(Tool.run(["run", path("A")]).status == 0)
        #expect(
            try refusal(path("A/tapedeck"))
                == "tapedeck: LIBRARY/A/tapedeck is an output folder of tapedeck; pass the folder"
                + " with the originals")
    }

    @Test func outputLockedByAnotherRunIsRefused() throws {
        #expect(Tool.run(["run", path("A")]).status == 0)
        // The shell holds the lock for as long as its child runs.
        let before = library.snapshot()
        let outcome = Tool.shell(
            #"flock "$1/A/tapedeck/.tapedeck.lock" "$TAPEDECK" run "$1/A""#
                .replacing("$1", with: library.root.text))
        #expect(outcome.status == 1)
        #expect(outcome.errorLines.count == 1)
        #expect(outcome.errors.contains("; wait for it, or choose another output"))
        #expect(library.snapshot().differences(from: before) == [])
    }

    @Test func refusalNamesProcessHoldingTheLock() throws {
        // A watch does not end by itself, and writes nothing while it is held.
        let holder = RunningTool(["watch", path("A"), "--json"])
        _ = try #require(holder.nextLine())
        holder.hold()
        #expect(
            try refusal(path("A"))
                == "tapedeck: another tapedeck (process \(holder.processIdentifier)) is writing"
                + " to LIBRARY/A/tapedeck; wait for it, or choose another output")
        holder.send(signal: SIGCONT)
        holder.send(signal: SIGINT)
        #expect(holder.wait().status == 130)
        #expect(Tool.run(["run", path("A")]).status == 0)
    }

    @Test func outputOfAnotherFolderIsRefused() throws {
        library.addRecording("C/d.wav", seconds: 0.1)
        #expect(Tool.run(["run", path("A"), "--output", path("out")]).status == 0)
        let sentence =
            "tapedeck: the output folder LIBRARY/out says that its recordings are in LIBRARY/A;"
            + " pass --moved if they are here now, or choose another output, as with --output"
            + " LIBRARY/out-2"
        #expect(try refusal(path("C"), "--output", path("out")) == sentence)
        #expect(try refusal(path("C"), "--output", path("out"), "--dry-run") == sentence)
        let before = library.snapshot()
        #expect(Tool.run(["run", path("A/b.wav"), "--output", path("out")]).status == 0)
        #expect(library.snapshot().differences(from: before) == [])
    }

    @Test(arguments: [
        ["--samples-per-pixel", "1"], ["--keep-silence", "-1"], ["--jobs", "0"],
        ["--trim", "middle"], ["--loud"], ["--output"],
    ])
    func invalidOptionsAreRefused(options: [String]) {
        let before = library.snapshot()
        let outcome = Tool.run(["run", path("A")] + options)
        #expect(outcome.status == 64)
        #expect(outcome.output == "")
        #expect(outcome.errors.hasPrefix("Error: "))
        #expect(library.snapshot().differences(from: before) == [])
    }

    @Test func missingPathOrUnknownCommandIsRefused() {
        #expect(Tool.run(["run"]).status == 64)
        #expect(Tool.run(["walk"]).status == 64)
    }
}
