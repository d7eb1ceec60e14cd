import Foundation
import Recordings
import TestSupport
import Testing

@testable import Workers

@Suite struct StagedOutputTests {
    private let folder = TestFolder()
    private var output: Pathname { folder.path("a/b") }

    init() throws { try FileSystem.makeFolder(folder.path("a/b")) }

    private func write(
        _ chunks: [String], to staged: borrowing StagedOutput
    ) throws -> StagedOutput.Receipt {
        try staged.write { (put) throws(FileSystemError) in
            for chunk in chunks { try put(Array(chunk.utf8)) }
        }
    }

    @Test func outputAppearsOnlyAfterCommit() throws {
        let staged = try StagedOutput("x.dat", in: DirectoryHandle(output))
        _ = try write(["abc"], to: staged)
        #expect(TestWorld.maskedTree(output) == ["*"])
        #expect(StagedOutput.isTemporary(staged.file.path.lastComponent))
        try staged.commit()
        #expect(TestWorld.tree(output) == ["x.dat"])
        #expect(TestFolder.bytes(of: output.appending("x.dat")) == Array("abc".utf8))
    }

    /// Nobody can put a link there beforehand, or give away that one is being made.
    @Test func temporaryNamesAreUnique() throws {
        let names = try (0..<100).map { _ in
            try StagedOutput("x.dat", in: DirectoryHandle(output)).leave().temporary
        }
        #expect(Set(names).count == 100)
        #expect(names.allSatisfy { StagedOutput.isTemporary($0) && $0.bytes.count > 20 })
    }

    @Test func takenTemporaryNameIsRetriedWithAnother() throws {
        var tried: [Pathname] = []
        let (name, _) = try StagedOutput.unused { (name) throws(FileSystemError) in
            tried.append(name)
            if tried.count < 3 { throw FileSystemError(name, code: EEXIST) }
        }
        #expect(tried.count == 3 && name == tried[2])
    }

    @Test func symlinkAtOutputPathIsRefused() throws {
        let victim = folder.write([7], to: "victim")
        TestWorld.link(output.appending("x.dat"), to: victim)
        #expect(throws: FileSystemError.self) {
            _ = try StagedOutput(at: output.appending("x.dat"))
        }
        #expect(TestFolder.bytes(of: victim) == [7])
    }

    @Test func uncommittedFileIsDeleted() throws {
        do {
            let staged = try StagedOutput("x.dat", in: DirectoryHandle(output))
            _ = try write(["abc"], to: staged)
        }
        #expect(TestWorld.tree(output).isEmpty)
    }

    @Test func keptFileStaysUnderTemporaryName() throws {
        let staged = try StagedOutput("x.dat", in: DirectoryHandle(output))
        _ = try write(["abc"], to: staged)
        let temporary = staged.file.path.lastComponent
        #expect(
            try staged.keep(modifiedNanoseconds: 1)
                == StagedFile(temporary: temporary, name: "x.dat"))
        #expect(TestWorld.tree(output) == [temporary])
    }

    @Test func fileIsDeletedWhenWriterThrows() throws {
        struct Stop: Error {}
        func fail() throws {
            let staged = try StagedOutput("x.dat", in: DirectoryHandle(output))
            _ = try write(["abc"], to: staged)
            throw Stop()
        }
        #expect(throws: Stop.self) { try fail() }
        #expect(TestWorld.tree(output).isEmpty)
    }

    @Test func fileIsDeletedWhenCommitFails() throws {
        try FileSystem.makeFolder(output.appending("x.dat"))
        let staged = try StagedOutput("x.dat", in: DirectoryHandle(output))
        _ = try write(["abc"], to: staged)
        do {
            try staged.commit()
            Issue.record("a file took the place of a folder")
        } catch {
            #expect(error.code == EISDIR)
        }
        #expect(TestWorld.tree(output) == ["x.dat"])
    }

    @Test func keptFileHasGivenTimestamp() throws {
        let staged = try StagedOutput("x.dat", in: DirectoryHandle(output))
        _ = try write(["abc"], to: staged)
        let names = try staged.keep(modifiedNanoseconds: 1_778_049_123_000_000_001)
        let stamp = FileStamp(bytes: 3, modifiedNanoseconds: 1_778_049_123_000_000_001)
        #expect(try TestWorld.stamp(of: output.appending(names.temporary)) == stamp)
    }

    @Test func commitReplacesExistingFile() throws {
        for text in ["first", "second"] {
            let staged = try StagedOutput("x.dat", in: DirectoryHandle(output))
            _ = try write([text], to: staged)
            try staged.commit()
        }
        #expect(TestFolder.bytes(of: output.appending("x.dat")) == Array("second".utf8))
    }

    /// The example of FIPS 180-2, whole and in pieces.
    @Test(arguments: [["abc"], ["a", "", "bc"]])
    func receiptHasSizeAndChecksumOfWrittenBytes(chunks: [String]) throws {
        let staged = try StagedOutput("x.dat", in: DirectoryHandle(output))
        let receipt = try write(chunks, to: staged)
        #expect(receipt.bytes == 3)
        #expect(
            receipt.sha256 == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
        let read = try StagedOutput.receipt(of: staged.file.descriptor, staged.file.path)
        #expect(read.bytes == 3)
        #expect(read.sha256 == receipt.sha256)
    }

    @Test func emptyFileHasChecksumOfNoBytes() throws {
        let staged = try StagedOutput("x.dat", in: DirectoryHandle(output))
        let receipt = try write([], to: staged)
        #expect(receipt.bytes == 0)
        #expect(
            receipt.sha256 == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
    }

    @Test(arguments: [
        (".tapedeck.7.partial", true), (".tapedeck", false), (".tapedeck.partial.x", false),
        ("x.tapedeck.7.partial", false), ("b.partial", false),
    ])
    func onlyTemporaryNamesMatchPattern(name: String, isTemporary: Bool) {
        #expect(StagedOutput.isTemporary(Pathname(name)) == isTemporary)
    }
}
