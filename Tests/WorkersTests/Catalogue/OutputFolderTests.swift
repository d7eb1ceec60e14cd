import Foundation
import Jobs
import Recordings
import TestSupport
import Testing

@testable import Workers

@Suite struct OutputFolderTests {
    private let folder = TestFolder()
    private var output: Pathname { folder.path("a/output") }

    private func refusal(_ path: Pathname, root: Pathname? = nil) -> RunRefusal? {
        do throws(RunRefusal) {
            let folder = try OutputFolder(path, root: root ?? path.parent)
            folder.release()
            return nil
        } catch {
            return error
        }
    }

    @Test func newOutputFolderHasMarkerFile() throws {
        #expect(!OutputFolder.isMarked(output))
        let made = try OutputFolder(output, root: folder.path)
        #expect(OutputFolder.isMarked(output))
        #expect(OutputFolder.markedFolder(atOrAbove: output.appending("x/y")) == output)
        #expect(OutputFolder.markedFolder(atOrAbove: folder.path("a")) == nil)
        #expect(
            TestFolder.bytes(of: output.appending(".tapedeck")).starts(with: "SQLite".utf8))
        #expect(made.setAside == nil)
        made.release()
    }

    @Test func lockedOutputIsBusyUntilReleased() throws {
        let first = try OutputFolder(output, root: output.parent)
        #expect(refusal(output) == .outputBusy(output, holder: nil))
        first.release()
        #expect(refusal(output) == nil)
    }

    /// A process that is being started has all descriptors too, until it is another program.
    private func twins(of path: Pathname) throws -> [Int32] {
        let wanted = try FileSystem.resolve(path)
        let own: Pathname = "/proc/self/fd"
        return try FileSystem.names(in: own)
            .filter { (try? FileSystem.resolve(own.appending($0.name))) == wanted }
            .compactMap { Int32($0.name.text) }
            .map { dup($0) }
    }

    @Test func releaseFreesLockDespiteDuplicateDescriptors() throws {
        let first = try OutputFolder(output, root: output.parent)
        let twins = try twins(of: output.appending(".tapedeck.lock"))
        defer { for twin in twins { close(twin) } }
        #expect(twins.count == 1)
        first.release()
        #expect(refusal(output) == nil)
    }

    /// The holder is another process: `flock`, which holds the lock while `cat` waits for input.
    @Test func outputLockedByAnotherProcessIsBusy() throws {
        OutputFolder.makeMarked(output)
        let holder = Process()
        let input = Pipe()
        let answers = Pipe()
        holder.executableURL = URL(filePath: "/usr/bin/env")
        holder.arguments = ["flock", output.appending(".tapedeck.lock").text, "cat"]
        holder.standardInput = input
        holder.standardOutput = answers
        try holder.run()
        // Once `cat` answers, the lock is taken.
        try input.fileHandleForWriting.write(contentsOf: Data("held".utf8))
        #expect(try answers.fileHandleForReading.read(upToCount: 4) == Data("held".utf8))
        #expect(refusal(output) == .outputBusy(output, holder: nil))
        try input.fileHandleForWriting.close()
        holder.waitUntilExit()
        #expect(refusal(output) == nil)
    }

    @Test func reopenedRecordIsNotRewritten() throws {
        OutputFolder.makeMarked(output)
        let mark = output.appending(".tapedeck")
        let before = (try FileSystem.status(mark), TestFolder.bytes(of: mark))
        let reopened = try OutputFolder(output, root: output.parent)
        #expect(reopened.setAside == nil)
        reopened.release()
        #expect(try FileSystem.status(mark) == before.0)
        #expect(TestFolder.bytes(of: mark) == before.1)
    }

    @Test(
        arguments: [
            "x/interviews", "x/a b/é", "x/e\u{301}", "x/a\nb", "x/\u{1}", "x/recordings: ..",
            Pathname(bytes: [0x78, 0x2F, 0xFF]),
        ] as [Pathname])
    func recordStoresRelativePathToRecordings(path: Pathname) throws {
        try FileSystem.makeFolder(folder.path(path))
        OutputFolder.makeMarked(output, root: folder.path(path))
        #expect(try OutputRecord.wayToRoot(of: output) == Pathname("../..").appending(path))
        let root = try FileSystem.resolve(folder.path(path))
        #expect(OutputFolder.root(of: output) == root)
        #expect(OutputFolder.root(of: folder.path) == nil)
    }

    @Test func outputOfAnotherExistingFolderIsRefused() throws {
        try FileSystem.makeFolder(folder.path("x"))
        try FileSystem.makeFolder(folder.path("y"))
        OutputFolder.makeMarked(output, root: folder.path("x"))
        TestWorld.link(folder.path("z"), to: "x")
        let root = try FileSystem.resolve(folder.path("x"))
        let before = TestFolder.bytes(of: output.appending(".tapedeck"))
        #expect(
            refusal(output, root: folder.path("y"))
                == .outputOfOthers(output: output, root: root))
        #expect(TestFolder.bytes(of: output.appending(".tapedeck")) == before)
        #expect(refusal(output, root: folder.path("z/../x/.")) == nil)
        #expect(refusal(output, root: folder.path("z")) == nil)
        try FileSystem.rename(folder.path("x"), to: folder.path("moved"))
        #expect(refusal(output, root: folder.path("y")) == nil)
        #expect(OutputFolder.root(of: output) == (try FileSystem.resolve(folder.path("y"))))
    }

    @Test func symlinkedMarkerIsRefused() throws {
        try FileSystem.makeFolder(output)
        let target = folder.write([], to: "other")
        TestWorld.link(output.appending(".tapedeck"), to: target)
        #expect(refusal(output) == .outputFileNotRegular(output.appending(".tapedeck")))
        #expect(TestFolder.bytes(of: target).isEmpty)
    }

    @Test func fileAsOutputIsRefused() {
        let file = folder.write([7], to: "file")
        #expect(refusal(file) == .outputNotAFolder(file))
        #expect(refusal(file.appending("x")) == .outputNotAFolder(file.appending("x")))
        #expect(TestFolder.bytes(of: file) == [7])
    }

    @Test func failedCreationLeavesNoFolders() {
        let tooLong = Pathname(String(repeating: "x", count: 300))
        let path = folder.path("new/deeper").appending(tooLong)
        #expect(
            refusal(path) == .outputNotMade(path, detail: String(cString: strerror(ENAMETOOLONG))))
        #expect(TestWorld.tree(folder.path).isEmpty)
    }

    @Test func firstFileAtRiskIsAVisibleRecording() throws {
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
