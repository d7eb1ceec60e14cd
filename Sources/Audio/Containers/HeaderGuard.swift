import Recordings

/// Masks chunks on which libsndfile's header parsers would loop forever.
///
/// The parsers skip a chunk by a signed 32-bit number of bytes. A size just below 2³² therefore
/// jumps *back* within the header that they cache, and they parse the same chunk again. In
/// libsndfile 1.2 these loops never end:
///
/// - over the sub-chunks of a `LIST` in WAV and RF64, where a 32-bit sum of sizes wraps (wavlike.c,
///   `wavlike_subchunk_parse`; issue 1118);
/// - over the chunks of IFF 8SVX (svx.c), which does not compare a size with the file's length;
/// - over the chunks of WAV, RF64, AIFF, CAF and W64 in files of more than 4 GB, where that
///   comparison does not help.
///
/// The parsers get all their bytes from `VirtualFile`, which passes each read through `mask`. So a
/// chunk is checked however a parser gets to it. Cost: a comparison for each byte of a header, and
/// a walk over the sub-chunks of each `LIST`, `mostSubchunks` of them in all.
struct HeaderGuard {
    private enum Family {
        case riff, aiff, svx, caf, w64
    }

    /// Reads `count` bytes of a file at a place; fewer at its end.
    typealias Bytes = (_ place: Int64, _ count: Int) -> [UInt8]

    /// The limit on sub-chunks walked; fewer fit into the 100 kB header cache of libsndfile.
    static let mostSubchunks = 100_000
    /// libsndfile ignores a longer jump back, as it would leave its cache of 100 kB.
    private static let longestWayBack: Int64 = 1 << 17
    /// More than any MIDI Sample Dump: it counts samples in 21 bits, and stores 30 or more of them
    /// in 127 bytes.
    private static let mostSampleDumpBytes: Int64 = 1 << 24

    private let family: Family
    private let length: Int64
    /// The byte orders to read sizes in.
    ///
    /// libsndfile changes the order of a RIFX file at a cue chunk,
    /// so both are checked there.
    private let bigEndian: [Bool]
    private var subchunksLeft = HeaderGuard.mostSubchunks
    /// Replacement bytes by their place in the file.
    private var masks: [Int64: [UInt8]] = [:]

    /// Guards a file of `length` bytes that begins with `start`; `nil` for containers whose parsers
    /// need no guard.
    init?(beginning start: [UInt8], length: Int64) {
        if start.has("RIFF") || start.has("RIFX") || start.has("RF64") {
            family = .riff
        } else if start.has("FORM") {
            family = start.has("8SVX", at: 8) || start.has("16SV", at: 8) ? .svx : .aiff
        } else if start.has("caff") {
            family = .caf
        } else if start.has("riff") {
            family = .w64
        } else {
            return nil
        }
        self.length = length
        bigEndian = start.has("RIFX") ? [true, false] : [start.has("FORM")]
    }

    /// The length of the file that libsndfile is shown.
    ///
    /// It counts the bytes of a MIDI Sample Dump in a signed 32-bit number (sds.c), and never stops
    /// counting in a longer file.
    static func shownBytes(of source: SourceFile) -> Int64 {
        let isSampleDump = source.bytes(at: 0, count: 2) == [0xF0, 0x7E]
        return isSampleDump ? min(source.byteCount, mostSampleDumpBytes) : source.byteCount
    }

    /// Overwrites what libsndfile must not see of `bytes`, which were read at `place`.
    mutating func mask(
        _ bytes: UnsafeMutableRawBufferPointer, at place: Int64, of file: Bytes
    ) {
        // A chunk header may begin in the three bytes before these, and end after them.
        let first = max(0, place - 3)
        let seen = file(first, Int(place - first) + bytes.count + 12)
        for offset in 0..<max(0, min(seen.count, Int(place - first) + bytes.count)) {
            let start = first + Int64(offset)
            if masks[start] == nil {
                masks[start] = replacement(for: seen[offset...].prefix(12), at: start, of: file)
            }
        }
        // The W64 parser reads the 16 bytes of an identifier at once. It stops at a chunk that is
        // longer than the file.
        if family == .w64, bytes.count == 16 {
            let size = file(place + 16, 8)
            if size.count == 8, isEndless(integer(size, bigEndian: false)) {
                masks[place + 16] = Array(repeating: 0xFF, count: 7) + [0x7F]
            }
        }
        show(bytes, at: place)
    }

    /// Writes the masks over the bytes.
    private func show(_ bytes: UnsafeMutableRawBufferPointer, at place: Int64) {
        guard !masks.isEmpty else { return }
        for offset in -7..<bytes.count {
            guard let mask = masks[place + Int64(offset)] else { continue }
            for (index, byte) in mask.enumerated() where bytes.indices.contains(offset + index) {
                bytes[offset + index] = byte
            }
        }
    }
}

// MARK: - Judging chunks

extension HeaderGuard {
    /// The identifier to show instead of a chunk's own; `nil` to show that.
    ///
    /// Parsers skip `JUNK` by its size, and stop at zeros.
    private mutating func replacement(
        for header: ArraySlice<UInt8>, at place: Int64, of file: Bytes
    ) -> [UInt8]? {
        let id = header.prefix(4)
        let size = header.dropFirst(4)
        guard size.count >= 4 else { return nil }
        let isEndless =
            switch family {
            case .riff:
                goesBack(id, size.prefix(4), unless: ["data", "RIFF", "RIFX", "RF64"])
            case .aiff: goesBack(id, size.prefix(4), unless: ["FORM", "SSND"])
            case .svx: goesBack(id, size.prefix(4), unless: ["FORM", "BODY"])
            case .caf: size.count == 8 && isEndless(integer(size, bigEndian: true))
            case .w64: false
            }
        if isEndless { return [0, 0, 0, 0] }
        guard family == .riff, HeaderGuard.isOne(of: ["LIST", "INFO"], id) else { return nil }
        let body = place + 8
        for bigEndian in bigEndian {
            let bytes = min(Int64(integer(size.prefix(4), bigEndian: bigEndian)), length - body)
            if bytes > Int64(Int32.max) { return [0, 0, 0, 0] }
            let isHidden = isEndlessList(at: body, bytes: bytes, bigEndian: bigEndian, of: file)
            if isHidden { return Array("JUNK".utf8) }
        }
        return nil
    }

    private static func isOne(of names: [String], _ id: ArraySlice<UInt8>) -> Bool {
        names.contains { id.elementsEqual($0.utf8) }
    }

    /// Whether this is the header of a chunk that the parser would skip by jumping back.
    ///
    /// The parser handles the chunks in `others` differently.
    private func goesBack(
        _ id: ArraySlice<UInt8>, _ size: ArraySlice<UInt8>, unless others: [String]
    ) -> Bool {
        guard bigEndian.contains(where: { isEndless(integer(size, bigEndian: $0)) }) else {
            return false
        }
        return id.allSatisfy { (32..<127).contains($0) } && !HeaderGuard.isOne(of: others, id)
    }

    /// Whether this size makes a parser jump back and continue parsing.
    private func isEndless(_ size: UInt64) -> Bool {
        let jump = Int64(Int32(truncatingIfNeeded: size))
        guard (-HeaderGuard.longestWayBack..<0).contains(jump) else { return false }
        return family == .svx || size < UInt64(length)
    }

    /// Whether libsndfile's walk over the sub-chunks of a `LIST` jumps back, or is too long.
    ///
    /// This is the same walk, except that it stops at `exif`, which has rules of its own.
    private mutating func isEndlessList(
        at body: Int64, bytes: Int64, bigEndian: Bool, of file: Bytes
    ) -> Bool {
        guard bytes > 8 else { return false }
        var offset: Int64 = 0
        while offset < bytes {
            guard subchunksLeft > 0 else { return true }
            subchunksLeft -= 1
            let header = file(body + offset, 8)
            let id = header.prefix(4)
            if HeaderGuard.isOne(of: ["INFO", "adtl"], id) {
                offset += 4
                continue
            }
            if HeaderGuard.isOne(of: ["exif"], id) { return true }
            // The parser leaves the list at a data chunk, and at zeros.
            guard header.count == 8, !HeaderGuard.isOne(of: ["data", "\0\0\0\0"], id) else { break }
            var size = UInt32(truncatingIfNeeded: integer(header[4...], bigEndian: bigEndian))
            size &+= size & 1
            // The parser leaves it also at a size that does not fit; but this sum wraps.
            let end = UInt32(truncatingIfNeeded: offset + 8) &+ size
            guard Int64(end) <= bytes else { break }
            if size > UInt32(Int32.max) { return true }
            offset = Int64(end)
        }
        return false
    }
}
