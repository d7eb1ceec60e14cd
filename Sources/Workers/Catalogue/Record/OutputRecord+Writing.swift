import Jobs
import Recordings

/// A file that was renamed to its final name.
struct LandedFile: Hashable, Sendable {
    var folder: Pathname
    var file: StagedFile
}

extension OutputRecord {
    /// Records the outcomes of recordings, whose complete files are on the disk under temporary
    /// names.
    /// - Parameter landed: files of earlier calls that are at their names for certain.
    func add(_ facts: [JournalFact], landed: [LandedFile] = []) throws(FileSystemError) {
        try write { (database) throws(FileSystemError) in
            for file in landed { try database.place(file) }
            for fact in facts { try database.add(fact) }
            try database.countChange()
            for folder in Set(facts.map(\.folder)) {
                try database.run(
                    "UPDATE folders SET printedBytes = NULL WHERE path = ?", .bytes(folder.bytes))
            }
        }
    }

    /// Records that files are at their names for certain.
    func place(_ landed: [LandedFile]) throws(FileSystemError) {
        guard !landed.isEmpty else { return }
        try write { (database) throws(FileSystemError) in
            for file in landed { try database.place(file) }
        }
    }

    /// Records that no file of a folder waits to be renamed any more, and that those without an
    /// entry are obsolete.
    func endRecovery(of folder: Pathname) throws(FileSystemError) {
        try write { (database) throws(FileSystemError) in
            let id = Database.Value.integer(try database.folder(folder))
            // What had the names before is gone.
            try database.run(
                """
                DELETE FROM files WHERE folder = ?1 AND state = 'obsolete' AND name IN (
                    SELECT name FROM files WHERE folder = ?1 AND temporary IS NOT NULL
                    AND state <> 'obsolete')
                """, id)
            try database.run("UPDATE files SET temporary = NULL WHERE folder = ?", id)
            try database.run(
                """
                UPDATE files SET state = 'obsolete' WHERE folder = ?1 AND NOT EXISTS (
                    SELECT 1 FROM entries WHERE folder = ?1 AND name = files.recording)
                """, id)
            try database.run("UPDATE folders SET hasOrphans = 0 WHERE id = ?", id)
        }
    }

    /// Changes folders as these orders say; their manifests are still to be printed.
    func update(_ orders: [ManifestOrder]) throws(FileSystemError) {
        try write { (database) throws(FileSystemError) in
            for order in orders { try database.update(order) }
            try database.countChange()
        }
    }

    /// Records that manifests were printed, and obsolete files are gone.
    func didPrint(_ manifests: [StagedManifest]) throws(FileSystemError) {
        guard !manifests.isEmpty else { return }
        try write { (database) throws(FileSystemError) in
            for manifest in manifests { try database.didPrint(manifest) }
        }
    }

    /// Takes over a folder of an earlier version's output.
    func adopt(
        _ entries: [ManifestEntry], in folder: Pathname, _ recipe: Recipe, printed: FileStamp?
    ) throws(FileSystemError) {
        try write { (database) throws(FileSystemError) in
            let id = try database.folder(folder)
            try database.countChange()
            var printed = printed
            for var entry in entries {
                if entry.addSegments() { printed = nil }
                try database.adopt(entry, by: entry.recipe ?? recipe, in: id)
            }
            try database.run(
                """
                UPDATE folders SET recipe = ?, printedBytes = ?, printedNanoseconds = ?
                WHERE id = ?
                """, .integer(try database.recipe(recipe)), .init(printed?.bytes),
                .init(printed?.modifiedNanoseconds), .integer(id))
        }
    }
}
