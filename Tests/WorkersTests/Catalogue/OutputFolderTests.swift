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
        #expect(TestFolder.bytes(of: output.appending(".tapedeck")).last == UInt8(ascii: "\n"))
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
        let twins = try twins(of: output.appending(".tapedeck"))
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
        holder.arguments = ["flock", output.appending(".tapedeck").text, "cat"]
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

    @Test func existingMarkerIsNotRewritten() throws {
        OutputFolder.makeMarked(output)
        let mark = output.appending(".tapedeck")
        try FileSystem.setModified(mark, nanoseconds: 5)
        let before = try FileSystem.status(mark)
        OutputFolder.makeMarked(output)
        #expect(try FileSystem.status(mark) == before)
    }

    private func text(of mark: Pathname) -> String {
        String(decoding: TestFolder.bytes(of: mark), as: UTF8.self)
    }

    @Test func markerStoresRelativePathToRecordings() throws {
        try FileSystem.makeFolder(folder.path("x/interviews"))
        OutputFolder.makeMarked(output, root: folder.path("x/interviews"))
        #expect(
            text(of: output.appending(".tapedeck"))
                == "This folder is written by tapedeck. The recordings in it are copies.\n"
                + "recordings: ../../x/interviews\n")
        let root = try FileSystem.resolve(folder.path("x/interviews"))
        #expect(OutputFolder.root(of: output) == root)
        #expect(OutputFolder.root(of: folder.path) == nil)
    }

    @Test func outputOfAnotherExistingFolderIsRefused() throws {
        try FileSystem.makeFolder(folder.path("x"))
        try FileSystem.makeFolder(folder.path("y"))
        OutputFolder.makeMarked(output, root: folder.path("x"))
        TestWorld.link(folder.path("z"), to: "x")
        let root = try FileSystem.resolve(folder.path("x"))
        let before = text(of: output.appending(".tapedeck"))
        #expect(
            refusal(output, root: folder.path("y"))
                == .outputOfOthers(output: output, root: root))
        #expect(text(of: output.appending(".tapedeck")) == before)
        #expect(refusal(output, root: folder.path("z/../x/.")) == nil)
        #expect(refusal(output, root: folder.path("z")) == nil)
        try FileSystem.rename(folder.path("x"), to: folder.path("moved"))
        #expect(refusal(output, root: folder.path("y")) == nil)
        #expect(OutputFolder.root(of: output) == (try FileSystem.resolve(folder.path("y"))))
    }

    @Test(arguments: [
        "", "This folder is written by tapedeck. The recordings in it are copies.\n",
        "recordings: ..", "recordings-hex: 2g\n", String(repeating: "\n", count: 500),
    ])
    func markerWithoutRootIsRewritten(text old: String) throws {
        try FileSystem.makeFolder(output)
        folder.write(Array(old.utf8), to: "a/output/.tapedeck")
        #expect(OutputFolder.root(of: output) == nil)
        OutputFolder.makeMarked(output)
        #expect(text(of: output.appending(".tapedeck")).hasSuffix("copies.\nrecordings: ..\n"))
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
