import DequeModule
import Recordings

/// Missing recordings by the SHA-256 of their content: a new file with the same content is the same
/// recording.
///
/// Only those with a recorded checksum, and of very many only the last ones.
package struct MissingByDigest: Hashable, Codable, Sendable {
    /// Maximum number of entries, at some 200 bytes each.
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
    /// Number of traces by length in bytes.
    private var counts: [Int64: Int] = [:]
    /// Notes in the order in which they were added; some are outdated.
    private var notes: Deque<Note> = []
    private var lastNumber = 0

    package init() {}

    /// Whether a recording of this length is missing; if not, no checksum is needed.
    package func mayHold(bytes: Int64) -> Bool { counts[bytes] != nil }

    /// Records that a recording is gone from a folder; of several with the same content, the last
    /// is retained.
    package mutating func note(_ entry: SettledEntry, in folder: FolderID) {
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

    /// The former location of a recording with this content, which is removed from the table.
    package mutating func take(_ digest: String) -> FileIdentityIndex.Location? {
        guard let trace = traces.removeValue(forKey: digest) else { return nil }
        let rest = counts[trace.bytes, default: 1] - 1
        counts[trace.bytes] = rest > 0 ? rest : nil
        return trace.location
    }

    /// Removes a recording that is back, or has no outputs left in this folder.
    package mutating func forget(_ entry: SettledEntry, in folder: FolderID) {
        guard let digest = entry.sourceSHA256, let location = traces[digest]?.location,
            location.folder == folder, location.name == entry.name
        else { return }
        _ = take(digest)
    }
}
