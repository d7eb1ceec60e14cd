import Glibc
import Jobs
import Recordings
import ReducerKit
import TestSupport
import Testing

@testable import Workers

/// The folders of a record, and a record in its file.
@Suite struct RecordFoldersTests {
    private let folder = TestFolder()
    private var output: Pathname { folder.path("output") }

    private static let places: [Pathname] = [
        "", "a", "a-b", "a/b", "a/b/c", "a/é", "a/b.c/d", "a0", "ab/c",
        Pathname(bytes: [0x61, 0x2F, 0xFF]),
    ]

    private func record() throws -> OutputRecord {
        let record = try OutputRecord()
        for place in Self.places { try record.add([RecordExample.fact("b.wav", in: place)]) }
        return record
    }

    @Test func foldersWithResultsAreListed() throws {
        let record = try record()
        #expect(try record.folders() == Self.places.sorted())
        #expect(
            try record.folders(below: "a")
                == ["a", "a/b", "a/b.c/d", "a/b/c", "a/é", Pathname(bytes: [0x61, 0x2F, 0xFF])])
        #expect(try record.folders(below: "b") == [])
    }

    @Test func subfoldersAreNamedOnceWhateverIsBelowThem() throws {
        let record = try record()
        #expect(try record.subfolders(of: "") == ["a", "a-b", "a0", "ab"])
        #expect(
            try record.subfolders(of: "a")
                == ["b", "b.c", "é", Pathname(bytes: [0xFF])])
        #expect(try record.subfolders(of: "a/b") == ["c"])
        #expect(try record.subfolders(of: "a/b/c") == [])
    }

    @Test func unknownFolderHasNothing() throws {
        let contents = try record().contents(of: "x")
        #expect(!contents.isKnown && contents.works == [] && contents.staged == [])
        #expect(!contents.hasObsolete && !contents.hasOrphans && contents.printed == nil)
    }

    // MARK: In a file

    @Test func recordOutlivesItsRun() throws {
        try FileSystem.makeFolder(output)
        try OutputFolder.change(output) { try $0.add([RecordExample.fact("b.wav")]) }
        #expect(TestWorld.tree(output) == [".tapedeck", ".tapedeck.lock"])
        try OutputFolder.change(output) { (record) throws in
            #expect(try record.contents(of: "A").works.map(\.entry.name) == ["b.wav"])
            #expect(try record.contents(of: "A").staged.map(\.name) == ["b.wav.dat"])
            #expect(try record.integrityErrors() == [])
        }
    }

    /// As `status` does while a run is under way.
    @Test func readersSeeWhatRunHasRecorded() throws {
        let held = try OutputFolder(output, root: folder.path)
        try held.record.add([RecordExample.fact("b.wav")])
        let reader = try OutputRecord.forReading(output)
        #expect(try reader.contents(of: "A").works.map(\.entry.name) == ["b.wav"])
        try held.record.add([RecordExample.fact("c.wav")])
        #expect(try reader.contents(of: "A").works.map(\.entry.name) == ["b.wav", "c.wav"])
        #expect(throws: FileSystemError.self) {
            try reader.add([RecordExample.fact("d.wav")])
        }
        held.release()
    }

    @Test func readingLeavesOutputUnchanged() throws {
        try FileSystem.makeFolder(output)
        try OutputFolder.change(output) { try $0.add([RecordExample.fact("b.wav")]) }
        let before = (TestWorld.tree(output), TestFolder.bytes(of: output.appending(".tapedeck")))
        #expect(try OutputRecord.forReading(output).folders() == ["A"])
        #expect(OutputFolder.root(of: output) == (try FileSystem.resolve(folder.path)))
        #expect(TestWorld.tree(output) == before.0)
        #expect(TestFolder.bytes(of: output.appending(".tapedeck")) == before.1)
    }

    /// What is written to a file without a name is lost.
    @Test(arguments: [true, false])
    func movedRecordIsNotWritten(isReplaced: Bool) throws {
        let held = try OutputFolder(output, root: folder.path)
        let mark = output.appending(".tapedeck")
        try FileSystem.rename(mark, to: folder.path("aside"))
        if isReplaced { folder.write([], to: "output/.tapedeck") }
        let gone = FileSystemError.outputGone(output)
        #expect(throws: gone) { try held.record.add([RecordExample.fact("b.wav")]) }
        #expect(TestFolder.bytes(of: mark) == [])
        try FileSystem.rename(folder.path("aside"), to: mark)
        try held.record.add([RecordExample.fact("b.wav")])
        held.release()
        #expect(try OutputRecord.forReading(output).folders() == ["A"])
    }

    @Test func recordInOutputThatIsNotThereIsEmpty() throws {
        let places = RunPlaces(root: folder.path, output: output, targets: [])
        #expect(try OutputRecord.forReading(of: places).folders() == [])
        #expect(TestWorld.tree(folder.path) == [])
    }
}
