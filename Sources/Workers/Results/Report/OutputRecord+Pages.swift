import Jobs
import Recordings
import Reports

extension OutputRecord {
    /// What a list of folders says of the top and each with recordings, ascending; no entry is
    /// decoded for it.
    func reportFolders() throws(FileSystemError) -> [ReportFolder] {
        try read { (database) throws(FileSystemError) in
            var folders: [ReportFolder] = []
            try database.forEach(
                """
                SELECT path, count(*), total(CAST(frames AS REAL) / sampleRateHertz),
                    total(status = 'failed'), total(status = 'done' AND warnings IS NOT NULL),
                    total(silent), total(status = 'sourceMissing')
                FROM entries JOIN folders ON folders.id = folder GROUP BY folder ORDER BY path
                """
            ) { row in
                var folder = ReportFolder(row.path(0))
                folder.recordings = Int(row.integer(1))
                folder.seconds = row.real(2).rounded(toDecimals: 3)
                folder.failed = Int(row.integer(3))
                folder.warned = Int(row.integer(4))
                folder.silent = Int(row.integer(5))
                folder.missing = Int(row.integer(6))
                folders.append(folder)
            }
            return folders.first?.isTop == true ? folders : [ReportFolder(.empty)] + folders
        }
    }

    /// An entry that a page lists, and when it was recorded, in seconds since 1970.
    typealias DatedEntry = (entry: ManifestEntry, recipe: Recipe, changedSeconds: Int64)

    /// Entries of a folder that were recorded at or after a time, ascending by name, and the sum of
    /// the times of all its entries: whoever has missed a change, or a deletion, has another.
    func entries(
        in folder: Pathname, since seconds: Int64
    ) throws(FileSystemError) -> (entries: [DatedEntry], sum: Int64) {
        try read { (database) throws(FileSystemError) in
            guard let row = try database.folderRow(folder) else { return ([], 0) }
            let recipes = try database.recipes()
            var entries: [DatedEntry] = []
            try database.forEach(
                """
                SELECT entry, recipe, changedSeconds FROM entries
                WHERE folder = ? AND changedSeconds >= ? ORDER BY name
                """, .integer(row.id), .integer(seconds)
            ) { row in
                guard let entry = row.entry(0), let recipe = recipes[row.integer(1)] else { return }
                entries.append((entry, recipe.value, row.integer(2)))
            }
            let sum = try database.first(
                "SELECT total(changedSeconds) FROM entries WHERE folder = ?", .integer(row.id)
            ) { $0.integer(0) }
            return (entries, sum ?? 0)
        }
    }

    /// The entry of a recording and its recipe; `nil` if there is none.
    func recipeAndEntry(
        of place: RecordedPlace
    ) throws(FileSystemError) -> (entry: ManifestEntry, recipe: Recipe)? {
        try read { (database) throws(FileSystemError) in
            guard let folder = try database.folderRow(place.folder),
                let row = try database.entry(place.name, in: folder.id), let entry = row.entry,
                let recipe = try database.recipes()[row.recipe]
            else { return nil }
            return (entry, recipe.value)
        }
    }

    /// Changes whenever another connection has written.
    func dataVersion() throws(FileSystemError) -> Int64 {
        try read { (database) throws(FileSystemError) in
            try database.first("PRAGMA data_version") { $0.integer(0) } ?? 0
        }
    }

    /// Another connection to the same database, to read while this one writes.
    func reader() throws(FileSystemError) -> OutputRecord {
        let path = try read { (database) throws(FileSystemError) in database.path }
        let database = try Database(path, .readWrite)
        try database.execute("PRAGMA query_only = 1")
        return OutputRecord(database)
    }

    /// Whether its file has been replaced.
    func hasMoved() throws(FileSystemError) -> Bool {
        try read { (database) throws(FileSystemError) in database.hasMoved }
    }
}
