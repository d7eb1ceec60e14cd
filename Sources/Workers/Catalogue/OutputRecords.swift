import Jobs
import Recordings

/// What the outputs of a folder were like when they were put in their places, as records say.
///
/// A hundred bytes an output, since there may be very many, and few of them are asked for.
struct OutputRecords: Sendable {
    private struct Row: Sendable {
        /// Where the name is among the bytes; its digest, if it has one, is behind it.
        var start: Int
        var count: Int32
        var hasDigest: Bool
        var stamp: FileStamp

        var name: Range<Int> { start..<start + Int(count) }
    }

    /// Names and digests, one behind the other.
    private var bytes: [UInt8] = []
    /// Ascending by name, once they are sorted.
    private var rows: [Row] = []

    /// Takes in what an entry says of its files, which another may name too.
    ///
    /// What it has left behind are its files, too.
    mutating func add(_ entry: ManifestEntry) {
        if let source = entry.source {
            for file in entry.files { add(file.path, Written(file, of: source)) }
        }
        add(entry.earlier ?? [])
    }

    /// Takes in what an outcome says of its files, and of those that go with it.
    mutating func add(_ fact: JournalFact) {
        add(fact.entry)
        add(fact.earlier ?? [])
    }

    private mutating func add(_ earlier: [EarlierOutputs]) {
        for outputs in earlier {
            for file in outputs.files { add(file.path, Written(file, of: outputs.source)) }
        }
    }

    private mutating func add(_ name: Pathname, _ written: Written) {
        rows.append(
            Row(
                start: bytes.count, count: Int32(clamping: name.bytes.count),
                hasDigest: written.digest != nil, stamp: written.stamp))
        bytes += name.bytes
        if let digest = written.digest { bytes += digest.bytes }
    }

    /// Has to follow when all were added.
    mutating func sort() {
        rows.sort { [bytes] in bytes[$0.name].lexicographicallyPrecedes(bytes[$1.name]) }
    }

    /// All that is said of a file.
    subscript(name: Pathname) -> [Written] {
        let first = rows.partitioningIndex {
            !bytes[$0.name].lexicographicallyPrecedes(name.bytes)
        }
        return rows[first...].prefix { bytes[$0.name].elementsEqual(name.bytes) }
            .map { row in
                let digest = bytes[row.name.upperBound...].prefix(Digest.byteCount)
                return Written(
                    stamp: row.stamp, digest: row.hasDigest ? Digest(bytes: digest) : nil)
            }
    }
}

extension OutputRecords {
    /// What an output was like when it was put in its place.
    struct Written: Sendable {
        var stamp: FileStamp
        /// `nil` where the record has none that could be one.
        var digest: Digest?
    }
}

extension OutputRecords.Written {
    /// A file bears the time of its source.
    init(_ file: OutputFile, of source: FileStamp) {
        stamp = FileStamp(bytes: file.bytes, modifiedNanoseconds: source.modifiedNanoseconds)
        digest = Digest(hexadecimal: file.sha256)
    }

    /// Whether a file is that one: read only where its time is another, as a copy of the whole
    /// output may have it.
    func isThat(_ found: FileStamp, as name: Pathname, in folder: DirectoryHandle) -> Bool {
        guard found.bytes == stamp.bytes else { return false }
        if FileStamp.isTime(found.modifiedNanoseconds, stamp.modifiedNanoseconds) { return true }
        guard let digest, let receipt = try? folder.receipt(of: name) else { return false }
        return Digest(hexadecimal: receipt.sha256) == digest
    }
}
