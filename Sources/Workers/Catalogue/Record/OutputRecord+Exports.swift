import Recordings

/// A file of an export that runs keep current.
struct RecordedExport: Hashable, Sendable {
    /// Relative to the output.
    var path: Pathname
    var format: String
    var stamp: FileStamp
    var sha256: String
    /// The digest of the file that it replaced; `nil` if it was the first.
    var earlier: String?

    /// Whether a file with this digest was written by a run.
    func isOwn(_ digest: String) -> Bool { digest == sha256 || digest == earlier }

    /// Whether the file is there as it was written, by length and time.
    func isThere(in output: Pathname) -> Bool {
        let found = try? FileSystem.status(output.appending(path), followingLink: false)
        return found?.stamp == stamp
    }
}

extension OutputRecord {
    /// Lends all recorded exports.
    func forEachExport(
        _ body: (RecordedExport) throws(FileSystemError) -> Void
    ) throws(FileSystemError) {
        try read { (database) throws(FileSystemError) in
            try database.forEach(
                """
                SELECT path, format, bytes, modifiedNanoseconds, sha256, earlier FROM exports
                ORDER BY path
                """, []
            ) { (row) throws(FileSystemError) in try body(RecordedExport(row)) }
        }
    }

    /// Whether any are recorded.
    package var hasExports: Bool {
        get throws(FileSystemError) {
            try read { (database) throws(FileSystemError) in
                try database.first("SELECT 1 FROM exports LIMIT 1") { _ in true } ?? false
            }
        }
    }

    /// What is recorded of an export; `nil` if nothing is.
    func export(_ path: Pathname) throws(FileSystemError) -> RecordedExport? {
        try read { (database) throws(FileSystemError) in
            try database.first(
                """
                SELECT path, format, bytes, modifiedNanoseconds, sha256, earlier FROM exports
                WHERE path = ?
                """, .bytes(path.bytes)
            ) { RecordedExport($0) }
        }
    }

    /// Records files that are complete under temporary names.
    func add(_ exports: [RecordedExport]) throws(FileSystemError) {
        try write { (database) throws(FileSystemError) in
            for export in exports {
                try database.run(
                    "INSERT OR REPLACE INTO exports VALUES (?, ?, ?, ?, ?, ?)",
                    .bytes(export.path.bytes), .text(export.format), .integer(export.stamp.bytes),
                    .integer(export.stamp.modifiedNanoseconds), .text(export.sha256),
                    export.earlier.map { .text($0) } ?? .null)
            }
        }
    }

    /// Forgets files.
    func removeExports(_ paths: [Pathname]) throws(FileSystemError) {
        try write { (database) throws(FileSystemError) in
            for path in paths {
                try database.run("DELETE FROM exports WHERE path = ?", .bytes(path.bytes))
            }
        }
    }

    /// Counts the changes of what is recorded of recordings.
    var changes: [UInt8] {
        get throws(FileSystemError) { try meta("changes") ?? [] }
    }
}

extension Database {
    /// Notes that exports may be out of date.
    mutating func countChange() throws(FileSystemError) {
        try run(
            """
            INSERT INTO meta(key, value) VALUES ('changes', CAST('1' AS BLOB)) ON CONFLICT(key)
            DO UPDATE SET value = CAST(CAST(CAST(value AS TEXT) AS INTEGER) + 1 AS BLOB)
            """)
    }
}

extension RecordedExport {
    fileprivate init(_ row: borrowing Row) {
        path = row.path(0)
        format = row.text(1)
        stamp = FileStamp(bytes: row.integer(2), modifiedNanoseconds: row.integer(3))
        sha256 = row.text(4)
        earlier = row.isNull(5) ? nil : row.text(5)
    }
}
