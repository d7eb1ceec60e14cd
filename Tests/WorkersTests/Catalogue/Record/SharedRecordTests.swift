import Jobs
import Recordings
import TestSupport
import Testing

@testable import Workers

/// Records on a network share, where SQLite has no shared memory.
@Suite struct SharedRecordTests {
    private let world = TestWorld()

    private func open(isRemote: Bool, isOfShard: Bool = false) throws -> OutputRecord {
        world.makeFolder(world.output)
        let held = try DirectoryHandle(try FileSystem.resolve(world.output))
        return try OutputRecord.open(in: held, isRemote: isRemote, isOfShard: isOfShard).record
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

    /// Each transaction reads the file anew, so that who lost a shard finds out.
    @Test(arguments: [false, true])
    func staleHolderOfShardIsRefused(isRemote: Bool) throws {
        let stale = try open(isRemote: isRemote, isOfShard: true)
        try stale.beginEpoch()
        try stale.put([Example.doneEntry("a.wav")], in: "A")
        let holder = try open(isRemote: isRemote, isOfShard: true)
        try holder.beginEpoch()
        try holder.put([Example.doneEntry("b.wav")], in: "A")
        let top = try FileSystem.resolve(world.output)
        #expect(throws: FileSystemError.takenOver(top)) {
            try stale.put([Example.doneEntry("c.wav")], in: "A")
        }
        try holder.put([Example.doneEntry("d.wav")], in: "A")
        stale.close()
        holder.close()
        let reader = try OutputRecord.forReading(world.output, isRemote: isRemote)
        defer { reader.close() }
        #expect(try reader.entries(in: "A").map(\.name) == ["a.wav", "b.wav", "d.wav"])
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
