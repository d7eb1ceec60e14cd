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

    /// What has changed in a folder since a time.
    struct Changes {
        /// Entries and when they were recorded, in seconds since 1970; ascending by name.
        var entries: [(entry: ManifestEntry, changedSeconds: Int64)] = []
        /// The time of the latest entry, old ones included.
        var seconds: Int64 = 0
        /// The entries of that time, each with a hash of its text.
        var latest: [Pathname: Int] = [:]
        /// The sum of the times of all entries: whoever has missed a change, or a deletion, has
        /// another.
        var sum: Int64 = 0
    }

    /// - Parameters:
    ///   - seconds: of changes at or after which is told.
    ///   - known: of the entries of that time, those that are left out unless they have changed.
    func changes(
        in folder: Pathname, since seconds: Int64, without known: [Pathname: Int] = [:]
    ) throws(FileSystemError) -> Changes {
        try read { (database) throws(FileSystemError) in
            var changes = Changes()
            guard let id = try database.folderRow(folder)?.id else { return changes }
            try database.forEach(
                """
                SELECT total(changedSeconds), ifnull(max(changedSeconds), 0) FROM entries
                WHERE folder = ?
                """, .integer(id)
            ) { (changes.sum, changes.seconds) = ($0.integer(0), $0.integer(1)) }
            try database.forEach(
                """
                SELECT name, changedSeconds, entry FROM entries
                WHERE folder = ? AND changedSeconds >= ? ORDER BY name
                """, .integer(id), .integer(seconds)
            ) { row in
                let (name, time, text) = (row.path(0), row.integer(1), row.bytes(2).hashValue)
                if time == changes.seconds { changes.latest[name] = text }
                guard known[name] != text, let entry = row.entry(2) else { return }
                changes.entries.append((entry, time))
            }
            return changes
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

    /// Differs whenever this connection or another has written.
    func dataVersion() throws(FileSystemError) -> String {
        try read { (database) throws(FileSystemError) in
            let others = try database.first("PRAGMA data_version") { $0.integer(0) } ?? 0
            let own = try database.first("SELECT total_changes()") { $0.integer(0) } ?? 0
            return "\(others).\(own)"
        }
    }

    /// Another connection to the same database, to read while this one writes.
    func reader() throws(FileSystemError) -> OutputRecord {
        let path = try read { (database) throws(FileSystemError) in database.path }
        let database = try Database(path, .readWrite)
        try database.execute("PRAGMA query_only = 1")
        return OutputRecord(database)
    }

    /// Whether another file is in its place.
    func hasMoved() -> Bool {
        (try? read { (database) throws(FileSystemError) in database.hasMoved }) == true
    }
}
