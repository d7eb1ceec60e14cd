import Foundation
import Jobs
import Recordings
import TestSupport
import Testing

@testable import Workers

@Suite struct OutputFolderTests {
    private let folder = TestFolder()
    private var output: Pathname { folder.path("a/output") }

    private func refusal(_ path: Pathname) -> RunRefusal? {
        do throws(RunRefusal) {
            let folder = try OutputFolder(path)
            folder.release()
            return nil
        } catch {
            return error
        }
    }

    @Test func marksWhatItMakes() throws {
        #expect(!OutputFolder.isMarked(output))
        let made = try OutputFolder(output)
        #expect(OutputFolder.isMarked(output))
        #expect(OutputFolder.markedFolder(atOrAbove: output.appending("x/y")) == output)
        #expect(OutputFolder.markedFolder(atOrAbove: folder.path("a")) == nil)
        #expect(TestFolder.bytes(of: output.appending(".tapedeck")).last == UInt8(ascii: "\n"))
        made.release()
    }

    @Test func letsNobodyElseInUntilItIsReleased() throws {
        let first = try OutputFolder(output)
        #expect(refusal(output) == .outputBusy(output))
        first.release()
        #expect(refusal(output) == nil)
    }

    /// The holder is another process: `flock`, which holds the lock while `cat` waits for input.
    @Test func letsNoOtherProcessIn() throws {
        OutputFolder.makeMarked(output)
        let holder = Process()
        let input = Pipe()
        let answers = Pipe()
        holder.executableURL = URL(filePath: "/usr/bin/env")
        holder.arguments = ["flock", output.appending(".tapedeck").text, "cat"]
        holder.standardInput = input
        holder.standardOutput = answers
        try holder.run()
        // Once `cat` answers, the lock is taken.
        try input.fileHandleForWriting.write(contentsOf: Data("held".utf8))
        #expect(try answers.fileHandleForReading.read(upToCount: 4) == Data("held".utf8))
        #expect(refusal(output) == .outputBusy(output))
        try input.fileHandleForWriting.close()
        holder.waitUntilExit()
        #expect(refusal(output) == nil)
    }

    @Test func leavesAMarkThatIsThereAsItIs() throws {
        OutputFolder.makeMarked(output)
        let mark = output.appending(".tapedeck")
        try FileSystem.setModified(mark, nanoseconds: 5)
        let before = try FileSystem.status(mark)
        OutputFolder.makeMarked(output)
        #expect(try FileSystem.status(mark) == before)
    }

    @Test func writesThroughNoLink() throws {
        try FileSystem.makeFolder(output)
        let target = folder.write([], to: "other")
        TestWorld.link(output.appending(".tapedeck"), to: target)
        #expect(refusal(output) == .outputNotMade(output, detail: String(cString: strerror(ELOOP))))
        #expect(TestFolder.bytes(of: target).isEmpty)
    }

    @Test func refusesAFile() {
        let file = folder.write([7], to: "file")
        #expect(refusal(file) == .outputNotAFolder(file))
        #expect(refusal(file.appending("x")) == .outputNotAFolder(file.appending("x")))
        #expect(TestFolder.bytes(of: file) == [7])
    }

    @Test func leavesNoFolderBehindThatWasMadeInVain() {
        let tooLong = Pathname(String(repeating: "x", count: 300))
        let path = folder.path("new/deeper").appending(tooLong)
        #expect(
            refusal(path) == .outputNotMade(path, detail: String(cString: strerror(ENAMETOOLONG))))
        #expect(TestWorld.tree(folder.path).isEmpty)
    }

    @Test func findsRecordingsThatAreNotHidden() throws {
        #expect(OutputFolder.firstFileAtRisk(below: folder.path) == nil)
        try FileSystem.makeFolder(folder.path(".hidden"))
        try FileSystem.makeFolder(folder.path("b/c"))
        folder.write([], to: ".hidden/a.wav")
        folder.write([], to: "._a.wav")
        folder.write([], to: "notes.txt")
        #expect(OutputFolder.firstFileAtRisk(below: folder.path) == nil)
        folder.write([], to: "b/c/x.flac")
        #expect(OutputFolder.firstFileAtRisk(below: folder.path) == folder.path("b/c/x.flac"))
    }
}
