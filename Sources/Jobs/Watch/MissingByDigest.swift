import DequeModule
import Recordings

/// Missing recordings by the SHA-256 of their content: a new file with the same content is the same
/// recording.
///
/// Only those whose digest was recorded, and of very many the last ones.
package struct MissingByDigest: Hashable, Codable, Sendable {
    /// So many are known, at some 200 bytes each.
    package static let mostKnown = 50_000

    private struct Trace: Hashable, Codable, Sendable {
        var location: FileIdentityIndex.Location
        var bytes: Int64
        /// Ascending with time.
        var number: Int
    }

    private struct Note: Hashable, Codable, Sendable {
        var digest: String
        var number: Int
    }

    private var traces: [String: Trace] = [:]
    /// How many of them were of a length.
    private var counts: [Int64: Int] = [:]
    /// What was noted, in that order; some of it is not known any more.
    private var notes: Deque<Note> = []
    private var lastNumber = 0

    package init() {}

    /// Whether one of so many bytes is gone; if none is, a digest need not be taken.
    package func mayHold(bytes: Int64) -> Bool { counts[bytes] != nil }

    /// Takes in that a recording is gone from a folder; of several with the same bytes the last
    /// is known.
    package mutating func note(_ entry: ManifestEntry, in folder: FolderID) {
        guard let digest = entry.sourceSHA256, let source = entry.source, entry.failure == nil
        else { return }
        let location = FileIdentityIndex.Location(folder: folder, name: entry.name)
        if traces[digest]?.location == location { return }
        _ = take(digest)
        lastNumber += 1
        traces[digest] = Trace(location: location, bytes: source.bytes, number: lastNumber)
        counts[source.bytes, default: 0] += 1
        notes.append(Note(digest: digest, number: lastNumber))
        while notes.count > MissingByDigest.mostKnown, let oldest = notes.popFirst() {
            if traces[oldest.digest]?.number == oldest.number { _ = take(oldest.digest) }
        }
    }

    /// Where a recording was that had these bytes; from now on it is not known any more.
    package mutating func take(_ digest: String) -> FileIdentityIndex.Location? {
        guard let trace = traces.removeValue(forKey: digest) else { return nil }
        let rest = counts[trace.bytes, default: 1] - 1
        counts[trace.bytes] = rest > 0 ? rest : nil
        return trace.location
    }

    /// Forgets a recording that is back, or of which nothing is left in this folder.
    package mutating func forget(_ entry: ManifestEntry, in folder: FolderID) {
        guard let digest = entry.sourceSHA256, let location = traces[digest]?.location,
            location.folder == folder, location.name == entry.name
        else { return }
        _ = take(digest)
    }
}
