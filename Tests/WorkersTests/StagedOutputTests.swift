import Foundation
import Recordings
import TestSupport
import Testing

@testable import Workers

@Suite struct StagedOutputTests {
    private let folder = TestFolder()
    private var output: Pathname { folder.path("a/b") }

    private func write(
        _ chunks: [String], to staged: borrowing StagedOutput
    ) throws -> StagedOutput.Receipt {
        try staged.write { (put) throws(FileSystemError) in
            for chunk in chunks { try put(Array(chunk.utf8)) }
        }
    }

    @Test func appearsOnlyWhenItIsCommitted() throws {
        let staged = try StagedOutput("x.dat", in: output, tag: "7")
        _ = try write(["abc"], to: staged)
        #expect(TestWorld.tree(output) == [".tapedeck.7.partial"])
        #expect(StagedOutput.isTemporary(staged.temporary.lastComponent))
        try staged.commit()
        #expect(TestWorld.tree(output) == ["x.dat"])
        #expect(TestFolder.bytes(of: output.appending("x.dat")) == Array("abc".utf8))
    }

    @Test func isMadeInNoOutputThatIsGone() throws {
        let error = #expect(throws: FileSystemError.self) {
            _ = try StagedOutput("x.dat", in: output, below: folder.path("a"), tag: "1")
        }
        #expect(error?.isOutputGone == true)
        #expect(throws: FileSystemError.self) { try FileSystem.status(folder.path("a")) }
        _ = try FileSystem.makeFolder(folder.path("a"))
        _ = try StagedOutput("x.dat", in: output, below: folder.path("a"), tag: "1")
        #expect(try FileSystem.status(output).kind == .folder)
    }

    @Test func isRemovedWhenItIsNotCommitted() throws {
        do {
            let staged = try StagedOutput("x.dat", in: output, tag: "7")
            _ = try write(["abc"], to: staged)
        }
        #expect(TestWorld.tree(output).isEmpty)
    }

    @Test func isLeftCompleteUnderItsTemporaryNameForSomebodyElseToMove() throws {
        let staged = try StagedOutput("x.dat", in: output, tag: "7")
        _ = try write(["abc"], to: staged)
        #expect(
            try staged.keep(modifiedNanoseconds: 1)
                == StagedFile(temporary: ".tapedeck.7.partial", name: "x.dat"))
        #expect(TestWorld.tree(output) == [".tapedeck.7.partial"])
    }

    @Test func isRemovedWhenItsWriterThrows() throws {
        struct Stop: Error {}
        func fail() throws {
            let staged = try StagedOutput("x.dat", in: output, tag: "7")
            _ = try write(["abc"], to: staged)
            throw Stop()
        }
        #expect(throws: Stop.self) { try fail() }
        #expect(TestWorld.tree(output).isEmpty)
    }

    @Test func isRemovedWhenItCannotTakeItsPlace() throws {
        try FileSystem.makeFolder(output.appending("x.dat"))
        let staged = try StagedOutput("x.dat", in: output, tag: "7")
        _ = try write(["abc"], to: staged)
        do {
            try staged.commit()
            Issue.record("a file took the place of a folder")
        } catch {
            #expect(error.code == EISDIR)
        }
        #expect(TestWorld.tree(output) == ["x.dat"])
    }

    @Test func bearsTheTimeItIsGiven() throws {
        let staged = try StagedOutput("x.dat", in: output, tag: "7")
        _ = try write(["abc"], to: staged)
        let names = try staged.keep(modifiedNanoseconds: 1_778_049_123_000_000_001)
        let stamp = FileStamp(bytes: 3, modifiedNanoseconds: 1_778_049_123_000_000_001)
        #expect(try TestWorld.stamp(of: output.appending(names.temporary)) == stamp)
    }

    @Test func replacesWhatWasThere() throws {
        for text in ["first", "second"] {
            let staged = try StagedOutput("x.dat", in: output, tag: "7")
            _ = try write([text], to: staged)
            try staged.commitAndSync()
        }
        #expect(TestFolder.bytes(of: output.appending("x.dat")) == Array("second".utf8))
    }

    /// The example of FIPS 180-2, whole and in pieces.
    @Test(arguments: [["abc"], ["a", "", "bc"]])
    func hashesWhatItWrites(chunks: [String]) throws {
        let staged = try StagedOutput("x.dat", in: output, tag: "7")
        let receipt = try write(chunks, to: staged)
        #expect(receipt.bytes == 3)
        #expect(
            receipt.sha256 == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
        let read = try staged.receipt()
        #expect(read.bytes == 3)
        #expect(read.sha256 == receipt.sha256)
    }

    @Test func hashesNothing() throws {
        let staged = try StagedOutput("x.dat", in: output, tag: "7")
        let receipt = try write([], to: staged)
        #expect(receipt.bytes == 0)
        #expect(
            receipt.sha256 == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
    }

    @Test(arguments: [
        (".tapedeck.7.partial", true), (".tapedeck", false), (".tapedeck.partial.x", false),
        ("x.tapedeck.7.partial", false), ("b.partial", false),
    ])
    func knowsItsTemporaryNames(name: String, isTemporary: Bool) {
        #expect(StagedOutput.isTemporary(Pathname(name)) == isTemporary)
    }
}
