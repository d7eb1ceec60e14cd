import Jobs
import Recordings
import TestSupport
import Testing

@testable import Workers

/// What a run finds that comes after a crash.
@Suite struct CrashRecoveryTests {
    private let world = TestWorld()
    /// Leaves a file that the record tells of and that did not come to its place, and one that
    /// nobody tells of.
    private func crash() throws {
        let source = try TestWorld.stamp(of: world.add("a.wav"))
        let staged = try StagedOutput("a.wav.dat", in: DirectoryHandle(world.output))
        let receipt = try staged.write { (put) throws(FileSystemError) in try put([1, 2, 3]) }
        let names = try left(staged.keep(modifiedNanoseconds: source.modifiedNanoseconds), "1")
        let other = try StagedOutput("b.wav.dat", in: DirectoryHandle(world.output))
        _ = try other.write { (put) throws(FileSystemError) in try put([4]) }
        _ = try left(other.leave(), "2")
        var entry = Example.doneEntry("a.wav", stamp: source)
        entry.waveforms?[0].bytes = receipt.bytes
        entry.waveforms?[0].sha256 = receipt.sha256
        entry.recipe = Recipe()
        try world.record.add([JournalFact(folder: "", entry: entry, staged: [names])])
    }

    /// As another process left it, which had names of its own.
    private func left(_ file: StagedFile, _ number: String) throws -> StagedFile {
        let name = Pathname(".tapedeck.\(number).partial")
        try FileSystem.rename(
            world.output.appending(file.temporary), to: world.output.appending(name))
        return StagedFile(temporary: name, name: file.name)
    }

    /// Another folder's manifest may be on its way while a folder is listed.
    @Test func temporaryFilesOfThisProcessAreKept() throws {
        let own = try StagedOutput("x", in: DirectoryHandle(world.output)).leave()
        #expect(StagedOutput.isTemporary(own.temporary))
        #expect(!StagedOutput.isLeftOver(own.temporary))
        world.folder.write([], to: "output/.tapedeck.7.partial")
        _ = list()
        #expect(hidden == [own.temporary])
    }

    private func list(isDryRun: Bool = false) -> FolderScan.Action {
        world.scanner(isDryRun: isDryRun).list(FolderID(0), FolderScan.Request(path: ""))
    }

    private func damage(in action: FolderScan.Action) -> [OutputDamage]? {
        guard case .listed(_, let listing) = action else { return nil }
        return listing.recordings.first?.previous?.damage
    }

    private var hidden: [Pathname] {
        TestWorld.tree(world.output).filter(\.isHidden)
    }

    @Test func recordedFileIsPublishedAndOrphanedFileDeleted() throws {
        try crash()
        #expect(damage(in: list()) == [])
        #expect(TestWorld.tree(world.output).contains("a.wav.dat"))
        #expect(hidden == [])
        // The next listing has nothing left to do.
        #expect(try world.record.contents(of: "").staged == [])
    }

    @Test func recoveryDoesNotOverwriteUnrecordedFile() throws {
        try crash()
        world.folder.write([9], to: "output/a.wav.dat")
        _ = list()
        #expect(TestFolder.bytes(of: world.output.appending("a.wav.dat")) == [9])
        #expect(hidden == [])
    }

    @Test func dryRunMovesNothingAndFindsTemporaryFile() throws {
        try crash()
        #expect(damage(in: list(isDryRun: true)) == [])
        #expect(hidden.count == 2 && hidden.allSatisfy { StagedOutput.isTemporary($0) })
        #expect(!TestWorld.tree(world.output).contains("a.wav.dat"))
    }

    @Test func folderWithUnreadableOutputIsReportedAsFailed() {
        world.add("A/a.wav")
        // Whoever opens it goes round in circles.
        world.makeFolder(world.output)
        TestWorld.link(world.output.appending("A"), to: world.output.appending("A"))
        let scanner = world.scanner()
        guard
            case .failed(_, let failure) = scanner.list(
                FolderID(0), FolderScan.Request(path: "A"))
        else {
            Issue.record("the folder was listed")
            return
        }
        #expect(failure.stage == .manifest)
    }
}
