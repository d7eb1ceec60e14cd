import Jobs
import Recordings

// The changes to a record, each within a transaction.

extension Database.Value {
    init(_ value: Int64?) { self = value.map { .integer($0) } ?? .null }
    init(_ bytes: [UInt8]?) { self = bytes.map { .bytes($0) } ?? .null }
}

extension Database {
    /// The row of a folder, which is added if need be.
    mutating func folder(_ path: Pathname) throws(FileSystemError) -> Int64 {
        if let known = ids.folder, known.path == path { return known.id }
        var id = try first("SELECT id FROM folders WHERE path = ?", .bytes(path.bytes)) {
            $0.integer(0)
        }
        if id == nil {
            try run("INSERT INTO folders(path) VALUES (?)", .bytes(path.bytes))
            id = lastInserted
        }
        ids.folder = id.map { (path, $0) }
        return id ?? 0
    }

    mutating func recipe(_ recipe: Recipe) throws(FileSystemError) -> Int64 {
        if let known = ids.recipe, known.recipe == recipe { return known.id }
        let text = Value.bytes(JSONLine.bytes(recipe))
        var id = try first("SELECT id FROM recipes WHERE recipe = CAST(? AS TEXT)", text) {
            $0.integer(0)
        }
        if id == nil {
            try run("INSERT INTO recipes(recipe) VALUES (CAST(? AS TEXT))", text)
            id = lastInserted
        }
        ids.recipe = id.map { (recipe, $0) }
        return id ?? 0
    }

    mutating func place(_ landed: LandedFile) throws(FileSystemError) {
        let folder = Value.integer(try folder(landed.folder))
        let name = Value.bytes(landed.file.name.bytes)
        let temporary = Value.bytes(landed.file.temporary.bytes)
        // What had the name before is gone, unless this is obsolete itself by now.
        try run(
            """
            DELETE FROM files WHERE folder = ?1 AND name = ?2 AND state = 'obsolete' AND EXISTS (
                SELECT 1 FROM files WHERE folder = ?1 AND name = ?2 AND temporary = ?3
                AND state <> 'obsolete')
            """, folder, name, temporary)
        try run(
            "UPDATE files SET temporary = NULL WHERE folder = ? AND name = ? AND temporary = ?",
            folder, name, temporary)
    }

    mutating func add(_ fact: JournalFact) throws(FileSystemError) {
        let folder = try folder(fact.folder)
        let name = fact.entry.name
        for file in fact.staged { try takeName(file.name, in: folder, for: name) }
        let recipe = fact.entry.recipe ?? Recipe()
        try put(
            fact.entry, by: recipe, in: folder, identity: fact.identity, staged: fact.staged,
            abandoned: fact.abandoned)
        // Of files that nothing was known of.
        for file in fact.obsolete where try files(named: file, in: folder).isEmpty {
            try insert(RecordedFile(name: file, recording: name, state: .obsolete), in: folder)
        }
        if fact.entry.status != .sourceMissing {
            let id = try self.recipe(recipe)
            try run(
                "UPDATE folders SET recipe = ?1 WHERE id = ?2 AND recipe IS NOT ?1", .integer(id),
                .integer(folder))
        }
    }

    /// Takes a file name from any other recording, whose entry is then wrong, unless it only kept
    /// the file.
    ///
    /// Its other files stay: work on it may be under way that builds on them.
    private mutating func takeName(
        _ name: Pathname, in folder: Int64, for recording: Pathname
    ) throws(FileSystemError) {
        for other in try files(named: name, in: folder) where other.recording != recording {
            switch other.state {
            case .current:
                try removeEntry(other.recording, in: folder)
                try run("UPDATE folders SET hasOrphans = 1 WHERE id = ?", .integer(folder))
                try run(
                    """
                    UPDATE files SET state = 'obsolete'
                    WHERE folder = ? AND name = ? AND recording = ?
                    """, .integer(folder), .bytes(name.bytes), .bytes(other.recording.bytes))
            case .kept: try dropKept(name, of: other.recording, in: folder)
            case .obsolete: break
            }
        }
    }

    private mutating func dropKept(
        _ name: Pathname, of recording: Pathname, in folder: Int64
    ) throws(FileSystemError) {
        guard let known = try self.entry(recording, in: folder), var entry = known.entry,
            let recipe = try recipes()[known.recipe]
        else { return }
        entry.leaveBehind(only: (entry.leftBehind ?? []).filter { $0 != name })
        try put(entry, by: recipe.value, in: folder)
    }

    /// Removes an entry; its files are obsolete.
    mutating func remove(
        _ recording: Pathname, in folder: Int64
    ) throws(FileSystemError) {
        try removeEntry(recording, in: folder)
        try run(
            "UPDATE files SET state = 'obsolete' WHERE folder = ? AND recording = ?",
            .integer(folder), .bytes(recording.bytes))
    }

    private mutating func removeEntry(
        _ recording: Pathname, in folder: Int64
    ) throws(FileSystemError) {
        try run(
            "DELETE FROM entries WHERE folder = ? AND name = ?", .integer(folder),
            .bytes(recording.bytes))
    }

    /// Puts an entry in the place of an earlier one of its name.
    /// - Parameter identity: of its file; `nil` to keep the earlier one's.
    mutating func put(
        _ entry: ManifestEntry, by recipe: Recipe, in folder: Int64, identity: UInt64? = nil,
        staged: [StagedFile] = [], abandoned: [StagedFile] = []
    ) throws(FileSystemError) {
        var bare = entry
        bare.recipe = nil
        try run(
            """
            INSERT INTO entries(folder, name, recipe, entry, changedSeconds, identity)
            VALUES (?, ?, ?, CAST(? AS TEXT), CAST(strftime('%s', 'now') AS INTEGER), ?)
            ON CONFLICT(folder, name) DO UPDATE SET recipe = excluded.recipe,
                entry = excluded.entry, changedSeconds = excluded.changedSeconds,
                identity = COALESCE(excluded.identity, identity)
            """, .integer(folder), .bytes(entry.name.bytes), .integer(try self.recipe(recipe)),
            .bytes(JSONLine.bytes(bare)), .init(identity.map { Int64(bitPattern: $0) }))
        let before = try files(of: entry.name, in: folder)
        let after = before.updated(for: entry, staged: staged, abandoned: abandoned)
        guard after != before else { return }
        if !before.isEmpty {
            try run(
                "DELETE FROM files WHERE folder = ? AND recording = ?", .integer(folder),
                .bytes(entry.name.bytes))
        }
        for file in after { try insert(file, in: folder) }
    }

    /// Puts an entry of an earlier version, which named files to be deleted as left behind.
    mutating func adopt(
        _ entry: ManifestEntry, by recipe: Recipe, in folder: Int64
    ) throws(FileSystemError) {
        try put(entry, by: recipe, in: folder)
        guard entry.failure == nil, entry.leftBehind != nil else { return }
        var rest = entry
        rest.leaveBehind(only: [])
        try put(rest, by: recipe, in: folder)
        if entry.status == .sourceMissing, entry.made.isEmpty {
            try remove(entry.name, in: folder)
        }
    }

    private mutating func insert(_ file: RecordedFile, in folder: Int64) throws(FileSystemError) {
        try run(
            """
            INSERT INTO files(
                folder, name, recording, state, kind, bytes, modifiedNanoseconds, sha256, temporary)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
            """, .integer(folder), .bytes(file.name.bytes), .bytes(file.recording.bytes),
            .text(file.state.rawValue), file.kind.map { .text($0.rawValue) } ?? .null,
            .init(file.stamp?.bytes),
            .init(file.stamp?.modifiedNanoseconds), file.sha256.map { .text($0) } ?? .null,
            .init(file.temporary?.bytes))
    }

    mutating func didPrint(_ manifest: StagedManifest) throws(FileSystemError) {
        let id = Value.integer(try folder(manifest.place))
        for name in manifest.removed {
            try run(
                "DELETE FROM files WHERE folder = ? AND name = ? AND state = 'obsolete'", id,
                .bytes(name.bytes))
        }
        try run(
            """
            DELETE FROM files WHERE folder = ?1 AND state = 'obsolete' AND name IN (
                SELECT name FROM files WHERE folder = ?1 AND state <> 'obsolete'
                AND temporary IS NULL)
            """, id)
        guard let stamp = manifest.printed else {
            ids.folder = nil
            return try run(
                """
                DELETE FROM folders WHERE id = ?1
                AND NOT EXISTS (SELECT 1 FROM entries WHERE folder = ?1)
                AND NOT EXISTS (SELECT 1 FROM files WHERE folder = ?1)
                """, id)
        }
        try run(
            "UPDATE folders SET printedBytes = ?, printedNanoseconds = ? WHERE id = ?",
            .integer(stamp.bytes), .integer(stamp.modifiedNanoseconds), id)
    }

    mutating func update(_ order: ManifestOrder) throws(FileSystemError) {
        let folder = try folder(order.folder)
        let recipes = try recipes()
        for (name, change) in order.changes.sorted(by: { $0.key < $1.key }) {
            let known = try entry(name, in: folder)
            // One that a later version wrote is left to that.
            if let known, known.entry == nil, !change.forgets { continue }
            guard let entry = change.applied(to: known?.entry, named: name) else {
                try remove(name, in: folder)
                continue
            }
            // Only work on a recording, or a failure to look at it, gives it another recipe.
            let own = change.failure == nil ? known.flatMap { recipes[$0.recipe] } : nil
            try put(entry, by: (own ?? order.recipe).value, in: folder)
        }
        try run(
            "UPDATE folders SET recipe = ?, printedBytes = NULL WHERE id = ?",
            .integer(try recipe(order.recipe.value)), .integer(folder))
    }
}
