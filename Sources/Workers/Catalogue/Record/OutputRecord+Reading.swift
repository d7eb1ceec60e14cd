import Jobs
import Recordings
import ReducerKit

extension OutputRecord {
    /// What a run goes on from in one folder.
    struct FolderContents {
        /// Ascending by name.
        var works: [PreviousWork] = []
        var recipe: Boxed<Recipe>?
        /// Files that a crash may have kept from their names.
        var staged: [RecordedFile] = []
        /// Whether there are files to be deleted.
        var hasObsolete = false
        /// Whether there may be files whose recording has no entry.
        var hasOrphans = false
        /// The manifest's stamp when it was printed; `nil` if it is still to be.
        var printed: FileStamp?
        /// Whether the record knows the folder.
        var isKnown = false
    }

    /// - Parameter isWanted: whether the results of a recording are; the rest is left out.
    func contents(
        of folder: Pathname, where isWanted: (Pathname) -> Bool = { _ in true }
    ) throws(FileSystemError) -> FolderContents {
        try read { (database) throws(FileSystemError) in
            var contents = FolderContents()
            guard let row = try database.folderRow(folder) else { return contents }
            contents.isKnown = true
            contents.printed = row.printed
            contents.hasOrphans = row.hasOrphans
            let recipes = try database.recipes()
            contents.recipe = row.recipe.flatMap { recipes[$0] }
            contents.works = try database.works(of: row, recipes, where: isWanted)
            contents.staged = try database.files(
                "folder = ? AND temporary IS NOT NULL AND state <> 'obsolete'", .integer(row.id))
            contents.hasObsolete =
                try database.first(
                    "SELECT 1 FROM files WHERE folder = ? AND state = 'obsolete' LIMIT 1",
                    .integer(row.id)
                ) { _ in true } ?? false
            return contents
        }
    }

    /// The entry of a recording, without its recipe; `nil` if there is none.
    package func entry(_ place: RecordedPlace) throws(FileSystemError) -> ManifestEntry? {
        try read { (database) throws(FileSystemError) in
            guard let row = try database.folderRow(place.folder) else { return nil }
            return try database.entry(place.name, in: row.id)?.entry
        }
    }

    /// All entries of a folder, ascending by name.
    func entries(in folder: Pathname) throws(FileSystemError) -> [ManifestEntry] {
        var entries: [ManifestEntry] = []
        try forEachEntry(in: folder) { row, _ in
            if let entry = row.entry(1) { entries.append(entry) }
        }
        return entries
    }

    /// Folders with results at or below one, ascending.
    func folders(below folder: Pathname = .empty) throws(FileSystemError) -> [Pathname] {
        try read { (database) throws(FileSystemError) in
            var folders: [Pathname] = []
            try database.forEach(
                """
                SELECT path FROM folders AS f WHERE
                    EXISTS (SELECT 1 FROM entries WHERE folder = f.id)
                    OR EXISTS (SELECT 1 FROM files WHERE folder = f.id)
                ORDER BY path
                """
            ) { folders.append($0.path(0)) }
            return folder.isEmpty ? folders : folders.filter(folder.contains)
        }
    }

    /// Names of a folder's subfolders with results in or below them, ascending.
    func subfolders(of folder: Pathname) throws(FileSystemError) -> [Pathname] {
        try read { (database) throws(FileSystemError) in
            // What lies below begins with the path and a slash; "0" follows the slash.
            let start = folder.isEmpty ? [] : folder.bytes + [UInt8(ascii: "/")]
            let end = folder.isEmpty ? [] : folder.bytes + [UInt8(ascii: "0")]
            var names: Set<Pathname> = []
            try database.forEach(
                "SELECT path FROM folders WHERE path > ?1 AND (?2 = x'' OR path < ?2)",
                .bytes(start), .bytes(end)
            ) { row in
                let rest = row.bytes(0).dropFirst(start.count)
                names.insert(Pathname(bytes: Array(rest.prefix { $0 != UInt8(ascii: "/") })))
            }
            return names.sorted()
        }
    }

    /// What is recorded of files of a name.
    func files(named name: Pathname, in folder: Pathname) throws(FileSystemError) -> [RecordedFile]
    {
        try read { (database) throws(FileSystemError) in
            guard let row = try database.folderRow(folder) else { return [] }
            return try database.files(named: name, in: row.id)
        }
    }

    /// Files of a folder to be deleted, unless another takes their name.
    ///
    /// Those are left out that failed to be replaced, because somebody else has put a file there.
    func obsoleteFiles(in folder: Pathname) throws(FileSystemError) -> [RecordedFile] {
        try read { (database) throws(FileSystemError) in
            guard let row = try database.folderRow(folder) else { return [] }
            return try database.files(
                """
                folder = ?1 AND state = 'obsolete' AND name NOT IN (
                    SELECT name FROM files WHERE folder = ?1 AND state <> 'obsolete')
                AND NOT EXISTS (
                    SELECT 1 FROM entries WHERE folder = ?1 AND name = files.recording
                    AND failure ->> '$.reason' = 'nameTaken'
                    AND failure ->> '$.detail' = CAST(files.name AS TEXT))
                """, .integer(row.id))
        }
    }

    /// Lends each entry of a folder, ascending by name: a row of its name and its text.
    /// - Returns: the recipe that was last used in the folder.
    @discardableResult
    func forEachEntry(
        in folder: Pathname, _ body: (Row, Recipe) -> Void
    ) throws(FileSystemError) -> Recipe? {
        try read { (database) throws(FileSystemError) in
            guard let row = try database.folderRow(folder) else { return nil }
            let recipes = try database.recipes()
            try database.forEach(
                "SELECT name, entry, recipe FROM entries WHERE folder = ? ORDER BY name",
                .integer(row.id)
            ) { if let recipe = recipes[$0.integer(2)] { body($0, recipe.value) } }
            return row.recipe.flatMap { recipes[$0]?.value }
        }
    }

    /// What SQLite finds wrong with the database; empty if it is sound.
    func integrityErrors() throws(FileSystemError) -> [String] {
        try read { (database) throws(FileSystemError) in
            var lines: [String] = []
            try database.forEach("PRAGMA integrity_check") { lines.append($0.text(0)) }
            return lines == ["ok"] ? [] : lines
        }
    }
}

extension Database {
    mutating func folderRow(
        _ path: Pathname
    ) throws(FileSystemError) -> FolderRow? {
        try first(
            """
            SELECT id, recipe, printedBytes, printedNanoseconds, hasOrphans FROM folders
            WHERE path = ?
            """, .bytes(path.bytes)
        ) { row in
            FolderRow(
                id: row.integer(0), recipe: row.isNull(1) ? nil : row.integer(1),
                printed: row.stamp(2), hasOrphans: row.integer(4) != 0)
        }
    }

    struct FolderRow {
        var id: Int64
        var recipe: Int64?
        var printed: FileStamp?
        var hasOrphans: Bool
    }

    /// What is known of the recordings in a folder, ascending by name.
    fileprivate mutating func works(
        of folder: FolderRow, _ recipes: [Int64: Boxed<Recipe>], where isWanted: (Pathname) -> Bool
    ) throws(FileSystemError) -> [PreviousWork] {
        var works: [PreviousWork] = []
        var decodings: [[UInt8]: Boxed<Decoding>] = [:]
        var name: Pathname?
        var isTaken = false
        try forEach(
            """
            SELECT \(SettledEntry.columns) FROM entries AS e LEFT JOIN files AS f
            ON f.folder = e.folder AND f.recording = e.name AND f.state <> 'obsolete'
            WHERE e.folder = ? ORDER BY e.name, f.id
            """, .integer(folder.id)
        ) { row in
            // One row for each file, or one without any.
            let next = row.path(0)
            if next != name {
                name = next
                isTaken = false
                guard isWanted(next), let entry = SettledEntry(row, &decodings),
                    let recipe = recipes[row.integer(1)]
                else { return }
                isTaken = true
                works.append(PreviousWork(entry: entry, recipe: recipe))
            }
            if isTaken { works[works.count - 1].entry.addFile(row) }
        }
        return works
    }

    /// An entry and the row of its recipe.
    mutating func entry(
        _ name: Pathname, in folder: Int64
    ) throws(FileSystemError) -> (entry: ManifestEntry?, recipe: Int64)? {
        try first(
            "SELECT entry, recipe FROM entries WHERE folder = ? AND name = ?", .integer(folder),
            .bytes(name.bytes)
        ) { ($0.entry(0), $0.integer(1)) }
    }

    mutating func recipes() throws(FileSystemError) -> [Int64: Boxed<Recipe>] {
        var recipes: [Int64: Boxed<Recipe>] = [:]
        try forEach("SELECT id, recipe FROM recipes") { row in
            recipes[row.integer(0)] = row.json(Recipe.self, 1).map { Boxed($0) }
        }
        return recipes
    }

    mutating func files(
        named name: Pathname, in folder: Int64
    ) throws(FileSystemError) -> [RecordedFile] {
        try files("folder = ? AND name = ?", .integer(folder), .bytes(name.bytes))
    }

    mutating func files(
        of recording: Pathname, in folder: Int64
    ) throws(FileSystemError) -> [RecordedFile] {
        try files("folder = ? AND recording = ?", .integer(folder), .bytes(recording.bytes))
    }

    /// - Parameter condition: SQL of our own.
    fileprivate mutating func files(
        _ condition: String, _ values: Value...
    ) throws(FileSystemError) -> [RecordedFile] {
        var files: [RecordedFile] = []
        try forEach(
            """
            SELECT name, recording, state, bytes, modifiedNanoseconds, sha256, temporary, kind
            FROM files
            WHERE \(condition) ORDER BY id
            """, values
        ) { row in
            guard let state = RecordedFile.State(rawValue: row.text(2)) else { return }
            files.append(
                RecordedFile(
                    name: row.path(0), recording: row.path(1), state: state, kind: row.raw(7),
                    stamp: row.stamp(3),
                    sha256: row.isNull(5) ? nil : row.text(5),
                    temporary: row.isNull(6) ? nil : row.path(6)))
        }
        return files
    }
}
