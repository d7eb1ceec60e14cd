import Jobs
import Recordings

extension Database {
    /// Makes another database's tables visible under a name; not within a transaction.
    mutating func attach(_ path: Pathname, as name: String) throws(FileSystemError) {
        try run("ATTACH CAST(? AS TEXT) AS \(name)", .bytes(path.bytes))
    }
}

// MARK: - Holders

extension OutputRecord {
    /// Makes this process the holder of the record: what another one writes from now on is refused.
    ///
    /// Locks of files keep two holders apart on one machine, and on shares that have them. This is
    /// for those that have not: each transaction looks whether its process is still the last that
    /// began.
    /// - Returns: its number among the holders, from 1.
    @discardableResult
    func beginEpoch() throws(FileSystemError) -> Int64 {
        try write { (database) throws(FileSystemError) in
            let next = (try database.epoch ?? 0) + 1
            try database.run(
                "INSERT OR REPLACE INTO meta(key, value) VALUES ('epoch', ?)",
                .bytes(Array(String(next).utf8)))
            epoch = next
            return next
        }
    }
}

extension Database {
    /// The number of the holder that began last; `nil` if none ever did.
    var epoch: Int64? {
        mutating get throws(FileSystemError) {
            let bytes = try first("SELECT value FROM meta WHERE key = 'epoch'") { $0.bytes(0) }
            return bytes.flatMap { Int64(String(decoding: $0, as: UTF8.self)) }
        }
    }
}

// MARK: - To and from an output's record

extension OutputRecord {
    /// Leaves out of a plan what the output knows under another name: the run after the merge
    /// recognises it.
    func leaveOutMoved(of plan: Pathname) throws(FileSystemError) {
        try write(attaching: [("plan", plan)]) { (database) throws(FileSystemError) in
            try database.execute(
                """
                DELETE FROM plan_.recordings AS r WHERE r.identity IS NOT NULL
                AND EXISTS (SELECT 1 FROM entries AS e WHERE e.identity = r.identity
                    AND e.bytes = r.bytes AND e.modifiedNanoseconds = r.modifiedNanoseconds
                    AND e.failure IS NULL AND e.status = 'done')
                AND NOT EXISTS (SELECT 1 FROM plan_.folders AS pf
                    JOIN folders AS f ON f.path = pf.path
                    JOIN entries AS e ON e.folder = f.id AND e.name = r.name
                    WHERE pf.id = r.folder)
                """)
        }
    }

    /// Takes over what the output's record knows of a shard's recordings, once.
    func seed(_ shard: Shard, of plan: ShardPlan) throws(FileSystemError) {
        guard try meta("seeded") == nil else { return }
        let others = [
            ("plan", plan.path), ("main", plan.output.appending(OutputRecord.name)),
        ]
        try write(.reading, attaching: others) { (database) throws(FileSystemError) in
            try database.execute("INSERT OR IGNORE INTO recipes SELECT * FROM main_.recipes")
            try database.run(
                """
                CREATE TEMP TABLE wanted AS SELECT DISTINCT mf.id, r.name FROM plan_.shards AS s
                CROSS JOIN plan_.recordings AS r ON r.id BETWEEN s.first AND s.last
                CROSS JOIN plan_.folders AS pf ON pf.id = r.folder
                CROSS JOIN main_.folders AS mf ON mf.path = pf.path WHERE s.number = ?
                """, .integer(Int64(shard.number)))
            // What pages show of a recording is beside its results, and may be replaced.
            try database.run(
                """
                INSERT INTO exports SELECT e.* FROM wanted AS w
                CROSS JOIN main_.folders AS f ON f.id = w.id
                CROSS JOIN main_.exports AS e ON e.path = CAST(
                    iif(length(f.path) > 0, f.path || '/', '') || w.name || ? AS BLOB)
                """, .text(ReportDetailsKeeper.suffix))
            try database.execute(
                """
                INSERT INTO folders(id, path, recipe, printedBytes, printedNanoseconds)
                SELECT id, path, recipe, printedBytes, printedNanoseconds FROM main_.folders
                WHERE id IN (SELECT id FROM wanted);
                INSERT INTO entries(folder, name, recipe, changedSeconds, entry, identity)
                SELECT e.folder, e.name, recipe, changedSeconds, entry, identity FROM wanted AS w
                CROSS JOIN main_.entries AS e ON e.folder = w.id AND e.name = w.name;
                INSERT INTO files(folder, name, \(OutputRecord.fileColumns))
                SELECT f.folder, f.name, \(OutputRecord.fileColumns) FROM wanted AS w
                CROSS JOIN main_.files AS f ON f.folder = w.id AND f.recording = w.name;
                DROP TABLE wanted;
                INSERT INTO meta VALUES ('seeded', x'31')
                """)
        }
    }

    /// Those that need no translation.
    private static let fileColumns =
        "recording, state, kind, bytes, modifiedNanoseconds, sha256, temporary"

    /// Takes over all that a shard's record knows, in place of what this one knew.
    ///
    /// Recordings that could not be looked at are left out: the run after the merge looks again.
    func merge(_ shard: Pathname) throws(FileSystemError) {
        try write(attaching: [("shard", shard.appending(OutputRecord.name))]) {
            (database) throws(FileSystemError) in
            try database.execute(
                """
                INSERT OR REPLACE INTO exports SELECT * FROM shard_.exports;
                INSERT OR IGNORE INTO recipes(recipe) SELECT recipe FROM shard_.recipes;
                CREATE TEMP TABLE recipeIDs AS SELECT s.id, r.id AS own FROM shard_.recipes AS s
                JOIN recipes AS r ON r.recipe = s.recipe;
                INSERT INTO folders(path, recipe, hasOrphans)
                SELECT path, (SELECT own FROM recipeIDs AS r WHERE r.id = f.recipe), hasOrphans
                FROM shard_.folders AS f WHERE true ON CONFLICT(path) DO UPDATE SET
                    recipe = coalesce(excluded.recipe, recipe),
                    hasOrphans = max(hasOrphans, excluded.hasOrphans);
                CREATE TEMP TABLE folderIDs(id INTEGER PRIMARY KEY, own INTEGER, isPrinted INTEGER);
                INSERT INTO folderIDs SELECT s.id, f.id, s.printedBytes IS NOT NULL
                FROM shard_.folders AS s JOIN folders AS f ON f.path = s.path;
                UPDATE folders SET printedBytes = NULL
                WHERE id IN (SELECT own FROM folderIDs WHERE NOT isPrinted);
                DELETE FROM files WHERE id IN (SELECT m.id FROM shard_.entries AS e
                    CROSS JOIN folderIDs AS f ON f.id = e.folder
                    CROSS JOIN files AS m ON m.folder = f.own AND m.recording = e.name
                    WHERE (e.failure ->> '$.stage') IS NOT 'scan');
                INSERT INTO files(folder, name, \(OutputRecord.fileColumns))
                SELECT i.own, name, \(OutputRecord.fileColumns)
                FROM shard_.files AS f JOIN folderIDs AS i ON i.id = f.folder
                WHERE NOT EXISTS (SELECT 1 FROM shard_.entries AS e WHERE e.folder = f.folder
                    AND e.name = f.recording AND (e.failure ->> '$.stage') IS 'scan');
                INSERT INTO entries(folder, name, recipe, changedSeconds, entry, identity)
                SELECT i.own, name, r.own, changedSeconds, entry, identity
                FROM shard_.entries AS e JOIN folderIDs AS i ON i.id = e.folder
                JOIN recipeIDs AS r ON r.id = e.recipe
                WHERE (failure ->> '$.stage') IS NOT 'scan' ON CONFLICT(folder, name) DO UPDATE SET
                    (recipe, changedSeconds, entry, identity)
                    = (excluded.recipe, excluded.changedSeconds, excluded.entry, excluded.identity);
                DROP TABLE recipeIDs; DROP TABLE folderIDs
                """)
            try database.countChange()
        }
    }

    /// How many recordings are done, and how many have failed.
    var counts: (done: Int64, failed: Int64) {
        get throws(FileSystemError) {
            try read { (database) throws(FileSystemError) in
                try database.first(
                    "SELECT count(*) FILTER (WHERE status = 'done'), "
                        + "count(*) FILTER (WHERE status = 'failed') FROM entries"
                ) { ($0.integer(0), $0.integer(1)) } ?? (0, 0)
            }
        }
    }

    /// The recordings of a plan whose entries are of the files that are there now.
    func upToDate(of plan: ShardPlan, below root: Pathname) throws(FileSystemError) -> [Pathname] {
        var paths: [Pathname] = []
        try write(.reading, attaching: [("plan", plan.path)]) {
            (database) throws(FileSystemError) in
            try database.forEach(
                """
                SELECT f.path, e.name, e.bytes, e.modifiedNanoseconds FROM plan_.recordings AS r
                CROSS JOIN plan_.folders AS pf ON pf.id = r.folder
                CROSS JOIN folders AS f ON f.path = pf.path
                CROSS JOIN entries AS e ON e.folder = f.id AND e.name = r.name ORDER BY r.id
                """
            ) { row in
                let path = row.path(0).appending(row.path(1))
                let found = try? FileSystem.status(root.appending(path), followingLink: true).stamp
                if found?.bytes == row.integer(2), found?.modifiedNanoseconds == row.integer(3) {
                    paths.append(path)
                }
            }
        }
        return paths
    }
}
