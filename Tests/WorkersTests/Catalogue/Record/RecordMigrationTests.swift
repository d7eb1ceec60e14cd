import Jobs
import Recordings
import TestSupport
import Testing

@testable import Workers

/// A record of version 1, with the tables that it had.
@Suite struct RecordMigrationTests {
    private let world = TestWorld()

    private static let tables = """
        CREATE TABLE meta(key TEXT PRIMARY KEY, value BLOB NOT NULL) STRICT, WITHOUT ROWID;
        CREATE TABLE recipes(id INTEGER PRIMARY KEY, recipe TEXT NOT NULL UNIQUE) STRICT;
        CREATE TABLE folders(
            id INTEGER PRIMARY KEY, path BLOB NOT NULL UNIQUE,
            recipe INTEGER REFERENCES recipes, printedBytes INTEGER, printedNanoseconds INTEGER,
            hasOrphans INTEGER NOT NULL DEFAULT 0) STRICT;
        CREATE TABLE entries(
            id INTEGER PRIMARY KEY, folder INTEGER NOT NULL REFERENCES folders,
            name BLOB NOT NULL, recipe INTEGER NOT NULL REFERENCES recipes, entry TEXT NOT NULL,
            changedSeconds INTEGER NOT NULL, UNIQUE(folder, name)) STRICT;
        CREATE TABLE files(
            id INTEGER PRIMARY KEY, folder INTEGER NOT NULL REFERENCES folders,
            name BLOB NOT NULL, recording BLOB NOT NULL, state TEXT NOT NULL, bytes INTEGER,
            modifiedNanoseconds INTEGER, sha256 TEXT, temporary BLOB) STRICT;
        CREATE INDEX filesByRecording ON files(folder, recording);
        CREATE VIEW recordings AS SELECT json_extract(entry, '$.status') AS status FROM entries;
        CREATE VIEW silences AS SELECT name FROM entries;
        CREATE VIEW outputs AS SELECT name FROM files;
        CREATE VIEW failures AS SELECT name FROM entries;
        PRAGMA application_id = 1415671909; PRAGMA user_version = 1;
        """

    /// A recording with a waveform and a copy, in a folder that is to be printed.
    private let entry: ManifestEntry = {
        var entry = Example.doneEntry("b.wav")
        entry.trimmed = TrimmedFile(
            path: "b.wav.flac", durationSeconds: 1, bytes: 9, sha256: "bb", edits: [])
        entry.notTrimmed = nil
        return entry
    }()

    /// What it becomes.
    private var migrated: ManifestEntry {
        var migrated = entry
        _ = migrated.addSegments()
        return migrated
    }

    private func writeRecord() throws {
        world.makeFolder(world.output)
        var old = try Database(world.output.appending(".tapedeck"), .create)
        try old.execute(RecordMigrationTests.tables)
        try old.run("INSERT INTO meta VALUES ('root', ?)", .bytes(Array("../there".utf8)))
        try old.run(
            "INSERT INTO recipes VALUES (1, CAST(? AS TEXT))", .bytes(JSONLine.bytes(Recipe())))
        try old.run("INSERT INTO folders(id, path, recipe) VALUES (1, x'', 1)")
        try old.run(
            "INSERT INTO entries VALUES (1, 1, ?, 1, CAST(? AS TEXT), 5)",
            .bytes(Array("b.wav".utf8)), .bytes(JSONLine.bytes(entry)))
        for file in entry.files {
            try old.run(
                "INSERT INTO files VALUES (NULL, 1, ?, ?, 'current', ?, 1, ?, NULL)",
                .bytes(file.path.bytes), .bytes(Array("b.wav".utf8)), .integer(file.bytes),
                .text(file.sha256))
        }
    }

    @Test func recordOfVersion1IsMigrated() throws {
        try writeRecord()
        let folder = try OutputFolder(world.output, root: world.root)
        #expect(folder.setAside == nil)
        let contents = try folder.record.contents(of: .empty)
        #expect(contents.works.map(\.entry) == [SettledEntry(entry)])
        #expect(try folder.record.entries(in: .empty) == [migrated])
        #expect(try folder.record.integrityErrors() == [])
        var rows: [[RecordQuery.Value]] = []
        let answer = try folder.record.read { (database) throws(FileSystemError) in
            database.ask("SELECT kind FROM outputs ORDER BY kind", columns: { _ in }) {
                rows.append($0)
                return true
            }
        }
        #expect(throws: Never.self) { try answer.get() }
        #expect(rows == [[.text("copy")], [.text("waveform")]])
        folder.release()
    }

    /// A record of this version with what an earlier one did not have taken out of it.
    @Test(arguments: [
        (
            2,
            "DROP INDEX entriesByIdentity; DROP INDEX entriesByContent;"
                + "ALTER TABLE entries DROP COLUMN identity;"
        ),
        (3, ""), (4, ""), (5, ""),
    ])
    func laterRecordIsMigrated(version: Int, undoing: String) throws {
        let first = try OutputFolder(world.output, root: world.root)
        try first.record.put([entry], in: .empty)
        let stamp = FileStamp(bytes: 9, modifiedNanoseconds: 9)
        try first.record.write { (database) throws(FileSystemError) in
            try database.run("UPDATE folders SET printedBytes = 9, printedNanoseconds = 9")
        }
        #expect(try first.record.contents(of: .empty).printed == stamp)
        first.record.close()
        first.release()
        do {
            let old = try Database(world.output.appending(".tapedeck"), .readWrite)
            let views = version < 4 ? "DROP VIEW segments;" : ""
            let exports = version < 5 ? "DROP TABLE exports;" : ""
            try old.execute(undoing + views + exports + "PRAGMA user_version = \(version)")
        }
        let folder = try OutputFolder(world.output, root: world.root)
        // Version 4 knows segments; what has none then has none.
        #expect(try folder.record.entries(in: .empty) == [version < 4 ? migrated : entry])
        #expect(try folder.record.contents(of: .empty).printed == (version < 4 ? nil : stamp))
        #expect(try folder.record.hasExports == false)
        #expect(try folder.record.contents(of: .empty).works.map(\.entry) == [SettledEntry(entry)])
        #expect(try folder.record.integrityErrors() == [])
        folder.release()
    }

    /// Until a run migrates it, manifests say what it says, and it has the settings and the root.
    @Test func readersOfVersion1GoByManifests() throws {
        try writeRecord()
        var other = entry
        other.name = "c.wav"
        other.waveforms?[0].path = "c.wav.dat"
        other.trimmed?.path = "c.wav"
        let manifest = Manifest(
            folder: ".", recipe: Recipe(), recipeFingerprint: "", recordings: [other])
        world.folder.write(ManifestFile.bytes(of: manifest), to: "output/manifest.json")
        let record = try OutputRecord.forReading(world.output)
        defer { record.close() }
        _ = other.addSegments()
        #expect(try record.entries(in: .empty) == [other])
        #expect(try record.wayToRoot == "../there")
    }
}
