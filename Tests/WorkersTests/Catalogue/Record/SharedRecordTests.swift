import Jobs
import Recordings
import TestSupport
import Testing

@testable import Workers

/// Records on a network share, where SQLite has no shared memory.
@Suite struct SharedRecordTests {
    private let world = TestWorld()

    private func open(isRemote: Bool) throws -> OutputRecord {
        world.makeFolder(world.output)
        let held = try DirectoryHandle(try FileSystem.resolve(world.output))
        return try OutputRecord.open(in: held, isRemote: isRemote).record
    }

    @Test func recordOnShareIsLockedWithoutSharedMemory() throws {
        let record = try open(isRemote: true)
        try record.put([Example.doneEntry("b.wav")], in: "A")
        let all = try FileSystem.names(in: world.output).map(\.name)
        #expect(!all.contains(".tapedeck-wal") && !all.contains(".tapedeck-shm"))
        // Other processes' locks are as those of another connection.
        var other = try Database(
            try FileSystem.resolve(world.output).appending(".tapedeck"), .readWrite)
        try other.execute("PRAGMA busy_timeout = 0")
        do {
            _ = try other.first("SELECT 1 FROM entries") { _ in true }
            Issue.record("the record could be read")
        } catch {
            #expect(error.code == 16)
        }
        record.close()
        #expect(try other.first("SELECT 1 FROM entries") { _ in true } == true)
    }

    @Test func recordMadeElsewhereIsConverted() throws {
        for isRemote in [false, true, false] {
            let record = try open(isRemote: isRemote)
            try record.put([Example.doneEntry(isRemote ? "a.wav" : "b.wav")], in: "A")
            record.close()
        }
        let record = try OutputRecord.forReading(world.output)
        defer { record.close() }
        #expect(try record.entries(in: "A").map(\.name) == ["a.wav", "b.wav"])
    }

    @Test func readersOnShareGoByManifestsDuringRun() throws {
        let record = try open(isRemote: true)
        defer { record.close() }
        try record.put([Example.doneEntry("b.wav")], in: .empty)
        let manifest = Manifest(
            folder: ".", recipe: Recipe(), recipeFingerprint: "",
            recordings: [Example.doneEntry("a.wav")])
        world.folder.write(ManifestFile.bytes(of: manifest), to: "output/manifest.json")
        let reader = try OutputRecord.forReading(world.output, isRemote: true)
        defer { reader.close() }
        #expect(try reader.entries(in: .empty).map(\.name) == ["a.wav"])
    }
}
