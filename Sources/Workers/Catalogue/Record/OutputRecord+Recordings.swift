import Jobs
import Recordings

extension OutputRecord {
    /// What an export needs to know of a recording.
    struct RecordedSound {
        var folder: Pathname
        var name: Pathname
        var status: ManifestEntry.Status
        /// The recording's file then; `nil` if it could not be looked at.
        var source: FileStamp?
        /// `nil` if nothing was decoded.
        var format: AudioFormat?
        /// The format that was assumed, if the file has no header.
        var rawFormat: RawFormat?
        /// Whether the file is whole, and was read without a warning.
        var isSound: Bool
        /// Ascending, in seconds.
        var silences: [[Double]]
        var segments: [SoundSegment]
        /// Of each channel, if these were looked at by themselves.
        var channels: [SilenceMap]
        /// The name of its first waveform; `nil` if there is none.
        var waveform: Pathname?
        /// The trimmed copy; `nil` if nothing was cut.
        var copy: (name: Pathname, edits: [Edit])?
        /// Of the loudest channel; `nil` if they are digital silence, or not known.
        var peakDBFS: Double?
        var rmsDBFS: Double?
        /// Of the recording's file, if checksums were wanted.
        var sha256: String?
        /// What its headers and tags say; `nil` if nothing, or not asked for.
        var metadata: RecordingMetadata?
    }

    /// Lends what is recorded of each recording, ascending by folder and name.
    /// - Parameters:
    ///   - folder: `nil` for all.
    ///   - wantsCopies: whether to read the edits of trimmed copies, which takes longer.
    ///   - wantsFacts: whether to read peak, RMS and what tags say, which does too.
    func forEachRecording(
        in folder: Pathname?, wantsCopies: Bool = false, wantsFacts: Bool = false,
        _ body: (RecordedSound) throws(FileSystemError) -> Void
    ) throws(FileSystemError) {
        try read { (database) throws(FileSystemError) in
            try database.forEach(
                """
                SELECT f.path, e.name, status, \(AudioFormat.columns),
                    warnings IS NULL, entry -> '$.silence.intervalsSeconds',
                    (SELECT json_group_array(json_array(
                        value -> '$.startSeconds', value -> '$.endSeconds', value -> '$.levelDBFS',
                        value -> '$.signalToNoiseDecibels', value -> '$.confidence'))
                        FROM json_each(entry, '$.silence.segments')),
                    bytes, modifiedNanoseconds, decoding ->> '$.raw',
                    entry -> '$.waveforms[0].path',
                    CASE WHEN ? THEN entry -> '$.trimmed' END, entry -> '$.silence.channels',
                    CASE WHEN ? THEN
                        (SELECT max(value) FROM json_each(entry, '$.levels.peakDBFS')) END,
                    CASE WHEN ? THEN
                        (SELECT max(value) FROM json_each(entry, '$.levels.rmsDBFS')) END, sha256,
                    CASE WHEN ? THEN entry -> '$.metadata' END
                FROM entries AS e JOIN folders AS f ON e.folder = f.id
                \(folder == nil ? "" : "WHERE f.path = ?") ORDER BY f.path, e.name
                """,
                [wantsCopies, wantsFacts, wantsFacts, wantsFacts].map { .integer($0 ? 1 : 0) }
                    + (folder.map { [.bytes($0.bytes)] } ?? [])
            ) { (row) throws(FileSystemError) in
                guard let status: ManifestEntry.Status = row.raw(2) else { return }
                let copy = row.json(TrimmedFile.self, 16)
                try body(
                    RecordedSound(
                        folder: row.path(0), name: row.path(1), status: status,
                        source: row.stamp(12), format: AudioFormat(row, at: 3),
                        rawFormat: RawFormat(text: row.text(14)), isSound: row.integer(9) != 0,
                        silences: rows(of: 2, in: row.bytes(10)).compactMap { pair in
                            pair[0].flatMap { start in pair[1].map { [start, $0] } }
                        },
                        segments: rows(of: 5, in: row.bytes(11)).compactMap(SoundSegment.init),
                        channels: row.json([SilenceMap].self, 17) ?? [],
                        waveform: row.json(Pathname.self, 15),
                        copy: copy.map { ($0.path, $0.edits) },
                        peakDBFS: row.isNull(18) ? nil : row.real(18),
                        rmsDBFS: row.isNull(19) ? nil : row.real(19),
                        sha256: row.isNull(20) ? nil : row.text(20),
                        metadata: row.json(RecordingMetadata.self, 21)))
            }
        }
    }
}

/// The numbers in a JSON array of arrays of some length: a decoder would take as long as all the
/// rest.
private func rows(of count: Int, in json: [UInt8]) -> [[Double?]] {
    let numbers = json.split { "[], \"".utf8.contains($0) }
        .map { Double(String(decoding: $0, as: UTF8.self)) }
    return stride(from: 0, to: numbers.count - count + 1, by: count)
        .map { Array(numbers[$0..<$0 + count]) }
}

extension SoundSegment {
    fileprivate init?(_ values: [Double?]) {
        guard let start = values[0], let end = values[1], start <= end else { return nil }
        self.init(startSeconds: start, endSeconds: end)
        (levelDBFS, signalToNoiseDecibels, confidence) = (values[2], values[3], values[4])
    }
}
