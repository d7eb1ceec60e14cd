import Jobs
import Recordings
import ReducerKit

extension OutputRecord {
    /// What is recorded of a file, whatever its name.
    func works(
        of identity: UInt64, _ source: FileStamp
    ) throws(FileSystemError) -> [FormerWork] {
        try works(
            "identity = ? AND bytes = ? AND modifiedNanoseconds = ?",
            .integer(Int64(bitPattern: identity)), .integer(source.bytes),
            .integer(source.modifiedNanoseconds))
    }

    /// What is recorded of files with this content.
    func works(
        ofContent sha256: String, bytes: Int64
    ) throws(FileSystemError) -> [FormerWork] {
        try works("bytes = ? AND sha256 = ?", .integer(bytes), .text(sha256))
    }

    /// What is recorded of the files of a recording.
    func files(of place: RecordedPlace) throws(FileSystemError) -> [RecordedFile] {
        try read { (database) throws(FileSystemError) in
            guard let row = try database.folderRow(place.folder) else { return [] }
            return try database.files(of: place.name, in: row.id)
        }
    }

    /// Adds which file each recording was, and whether the record has that under another name.
    func addIdentities(
        to works: inout [PreviousWork], in folder: Pathname
    ) throws(FileSystemError) {
        guard !works.isEmpty else { return }
        let before = works
        works = try read { (database) throws(FileSystemError) in
            var works = before
            guard let row = try database.folderRow(folder) else { return works }
            for index in works.indices {
                try database.forEach(
                    """
                    SELECT identity, EXISTS (SELECT 1 FROM entries AS o
                        WHERE o.identity = e.identity AND o.bytes = e.bytes
                        AND o.modifiedNanoseconds = e.modifiedNanoseconds
                        AND o.failure IS NULL AND o.status = 'done' AND o.id <> e.id)
                    FROM entries AS e WHERE folder = ? AND name = ? AND identity IS NOT NULL
                    """, .integer(row.id), .bytes(works[index].entry.name.bytes)
                ) {
                    works[index].identity = $0.identity(0)
                    works[index].isElsewhere = $0.integer(1) != 0
                }
            }
            return works
        }
    }

    /// The recordings whose decoder hung or crashed.
    var crashed: [Pathname] {
        get throws(FileSystemError) {
            try read { (database) throws(FileSystemError) in
                var paths: [Pathname] = []
                try database.forEach(
                    """
                    SELECT f.path, e.name FROM entries AS e JOIN folders AS f ON e.folder = f.id
                    WHERE failure IS NOT NULL
                        AND failure ->> '$.reason' IN ('decoderStuck', 'decoderCrashed')
                    """
                ) { paths.append($0.path(0).appending($0.path(1))) }
                return paths
            }
        }
    }

    /// Whether there are results at all.
    package var hasEntries: Bool {
        get throws(FileSystemError) {
            try read { (database) throws(FileSystemError) in
                try database.first("SELECT 1 FROM entries LIMIT 1") { _ in true } ?? false
            }
        }
    }

    /// Whether any recording of this length has a checksum.
    func hasContent(bytes: Int64) throws(FileSystemError) -> Bool {
        try read { (database) throws(FileSystemError) in
            try database.first(
                "SELECT 1 FROM entries WHERE bytes = ? AND sha256 IS NOT NULL LIMIT 1",
                .integer(bytes)
            ) { _ in true } ?? false
        }
    }

    /// - Parameter condition: SQL of our own.
    private func works(
        _ condition: String, _ values: Database.Value...
    ) throws(FileSystemError) -> [FormerWork] {
        try read { (database) throws(FileSystemError) in
            let recipes = try database.recipes()
            var works: [FormerWork] = []
            try database.forEach(
                """
                SELECT f.path, e.recipe, entry, identity
                FROM entries AS e JOIN folders AS f ON e.folder = f.id
                WHERE \(condition) AND failure IS NULL ORDER BY e.id
                """, values
            ) { row in
                guard let entry = row.entry(2), let recipe = recipes[row.integer(1)] else { return }
                var work = PreviousWork(
                    entry: SettledEntry(entry), recipe: recipe, identity: row.identity(3))
                work.whole = Boxed(entry)
                let place = RecordedPlace(folder: row.path(0), name: entry.name)
                works.append(FormerWork(place: place, work: work))
            }
            return works
        }
    }
}
