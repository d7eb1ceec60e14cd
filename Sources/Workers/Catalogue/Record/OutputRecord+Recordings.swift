import Jobs
import Recordings

extension OutputRecord {
    /// What an export needs to know of a recording.
    struct RecordedSound {
        var folder: Pathname
        var name: Pathname
        var status: ManifestEntry.Status
        /// `nil` if nothing was decoded.
        var format: AudioFormat?
        /// Whether the file is whole, and was read without a warning.
        var isSound: Bool
        /// Ascending, in seconds.
        var silences: [[Double]]
        /// The trimmed copy; `nil` if nothing was cut.
        var copy: (name: Pathname, edits: [Edit])?
    }

    /// Lends what is recorded of each recording at or below a folder, ascending by folder and name.
    /// - Parameter wantsCopies: whether to read the edits of trimmed copies, which takes longer.
    func forEachRecording(
        below folder: Pathname, wantsCopies: Bool,
        _ body: (RecordedSound) throws(FileSystemError) -> Void
    ) throws(FileSystemError) {
        try read { (database) throws(FileSystemError) in
            try database.forEach(
                """
                SELECT f.path, e.name, status, container, encoding, sampleRateHertz, channels,
                    frames, warnings IS NULL, entry -> '$.silence.intervalsSeconds',
                    CASE WHEN ? THEN entry -> '$.trimmed' END
                FROM entries AS e JOIN folders AS f ON e.folder = f.id ORDER BY f.path, e.name
                """, .integer(wantsCopies ? 1 : 0)
            ) { (row) throws(FileSystemError) in
                let place = row.path(0)
                guard folder.contains(place), let status: ManifestEntry.Status = row.raw(2) else {
                    return
                }
                let copy = row.json(TrimmedFile.self, 10)
                try body(
                    RecordedSound(
                        folder: place, name: row.path(1), status: status,
                        format: AudioFormat(row, at: 3), isSound: row.integer(8) != 0,
                        silences: pairs(row.bytes(9)),
                        copy: copy.map { ($0.path, $0.edits) }))
            }
        }
    }
}

/// The pairs of numbers in a JSON array of arrays: a decoder would take as long as all the rest.
private func pairs(_ json: [UInt8]) -> [[Double]] {
    let numbers = json.split { "[], ".utf8.contains($0) }
        .compactMap { Double(String(decoding: $0, as: UTF8.self)) }
    return stride(from: 0, to: numbers.count - 1, by: 2).map { Array(numbers[$0...$0 + 1]) }
}
