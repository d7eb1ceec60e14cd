import Recordings

/// The chunk syntax of a family of containers, and the chunk that holds the sound.
struct ChunkGrammar {
    /// The size of trailing garbage after the last chunk that is ignored.
    static let ignorableBytes: Int64 = 1 << 16
    /// No file that libsndfile can read has more chunks before the sound.
    static let mostChunks = 100_000

    /// Whether a 32-bit size means "unknown", as written by programs that cannot seek back.
    ///
    /// ffmpeg writes the largest number; SoX and arecord write about 2³¹, for readers with signed
    /// sizes. Some subtract the header's size.
    static func isUnknown(_ size: UInt64) -> Bool {
        (0x7F00_0000...0x8000_FFFF).contains(size) || (0xFFFF_0000...0xFFFF_FFFF).contains(size)
    }

    enum Family {
        /// WAV, RF64 and W64.
        case riff
        case aiff, svx, caf
    }

    private(set) var family: Family
    private(set) var firstChunk: Int64
    private(set) var idBytes = 4
    private(set) var sizeBytes = 4
    private(set) var bigEndian = false
    private var sizeCountsHeader = false
    private(set) var alignment: Int64 = 2
    private(set) var soundID: String
    /// Bytes in the sound chunk before the first sample.
    private var soundPrefixBytes: Int64 = 0
    /// Whether a `ds64` chunk with 64-bit sizes overrides the 32-bit ones.
    private(set) var hasWideSizes = false

    /// The grammar of a file that begins with these 16 bytes; `nil` for other containers.
    init?(beginning start: [UInt8]) {
        // Its sound is spread over many chunks.
        if start.has("AVI ", at: 8) { return nil }
        if start.has("RIFF") || start.has("RIFX") || start.has("RF64") || start.has("BW64") {
            self.init(.riff, firstChunk: 12, soundID: "data")
            bigEndian = start.has("RIFX")
            hasWideSizes = !start.has("RIF")
        } else if start.has("FORM") {
            self.init(.aiff, firstChunk: 12, soundID: "SSND")
            bigEndian = true
            soundPrefixBytes = 8
            // IFF 8SVX, and libsndfile's variant of it for 16 bits.
            if start.has("8SVX", at: 8) || start.has("16SV", at: 8) {
                (family, soundID, soundPrefixBytes) = (.svx, "BODY", 0)
            }
        } else if start.has("caff") {
            self.init(.caf, firstChunk: 8, soundID: "data")
            bigEndian = true
            sizeBytes = 8
            alignment = 1
            soundPrefixBytes = 4
        } else if start.has("riff") {
            // Sonic Foundry's W64: every identifier is a GUID.
            self.init(.riff, firstChunk: 40, soundID: "data")
            idBytes = 16
            sizeBytes = 8
            sizeCountsHeader = true
            alignment = 8
        } else {
            return nil
        }
    }

    private init(_ family: Family, firstChunk: Int64, soundID: String) {
        self.family = family
        self.firstChunk = firstChunk
        self.soundID = soundID
    }

    var headerBytes: Int { idBytes + sizeBytes }

    /// The size in a chunk's header, excluding the header itself.
    func bodyBytes(of header: [UInt8]) -> UInt64 {
        let size = integer(header[idBytes...], bigEndian: bigEndian)
        guard sizeCountsHeader else { return size }
        return size < UInt64(headerBytes) ? 0 : size - UInt64(headerBytes)
    }

    /// A chunk size with its padding; `bytes` is less than the file's length.
    func padded(_ bytes: UInt64) -> Int64 {
        (Int64(bytes) + alignment - 1) / alignment * alignment
    }

    /// The offset of the first sample, and the bytes of sound in the file.
    ///
    /// As many as declared, or all that follow if the declared number cannot be true; `nil` if
    /// there is no sound chunk.
    func soundPlace(in source: SourceFile) -> (start: Int64, bytes: Int64)? {
        guard let (body, declared) = soundChunk(in: source) else { return nil }
        let found = source.byteCount - body
        let isTrue =
            switch verdict(on: source, body: body, declared: declared) {
            case .unfinished, .outgrown, .lengthUnknown, .truncated: false
            default: true
            }
        let bytes = isTrue ? min(found, Int64(clamping: declared)) : found
        let prefix = soundPrefixBytes + blockOffset(in: source, at: body, of: bytes)
        return (body + prefix, max(0, bytes - prefix))
    }

    /// The bytes that an AIFF file skips to have its samples begin with a block of the disk; 0 if
    /// there are not as many.
    private func blockOffset(in source: SourceFile, at body: Int64, of bytes: Int64) -> Int64 {
        guard family == .aiff else { return 0 }
        let offset = Int64(integer(source.bytes(at: body, count: 4), bigEndian: true))
        return soundPrefixBytes + offset <= bytes ? offset : 0
    }

    /// Walks the chunks to the sound, and compares its size with the file's.
    func verdict(on source: SourceFile) -> ContainerVerdict {
        // The file ends before the sound chunk.
        guard let (body, declared) = soundChunk(in: source) else {
            return .truncated(expectedBytes: nil)
        }
        return verdict(on: source, body: body, declared: declared)
    }

    /// Judges the sound chunk, which declares `declared` bytes from `body` on.
    func verdict(
        on source: SourceFile, body: Int64, declared: UInt64
    ) -> ContainerVerdict {
        let found = source.byteCount - body
        if declared == 0 {
            return found > 0 && !chunksFill(source, from: body) ? .unfinished : .whole
        }
        let isUnknown =
            declared > UInt64(UInt32.max)
            ? declared > UInt64(Int64.max / 2) : ChunkGrammar.isUnknown(declared)
        guard Int64(clamping: declared) > found else {
            // libsndfile reads exactly that size, even if it means "unknown", and stops there.
            let surplus = found - Int64(declared)
            let hasMore = surplus > ChunkGrammar.ignorableBytes
            if isUnknown && hasMore && !chunksFill(source, from: body + padded(declared)) {
                return .outgrown
            }
            if isFollowedByAnother(source) { return .chained }
            return hasOutgrown(source, soundEnd: body + Int64(declared)) ? .outgrown : .whole
        }
        // Some recorders always write the size of the file.
        if isUnknown || declared == UInt64(source.byteCount) { return .lengthUnknown }
        return .truncated(expectedBytes: Int64(clamping: declared) - soundPrefixBytes)
    }

    /// Whether the bytes after the sound must be sound too, as they are neither chunk nor padding:
    /// the recorder continued after its last header update.
    ///
    /// Zeros are silence, unless the container declares that it ends no earlier than the file.
    private func hasOutgrown(_ source: SourceFile, soundEnd: Int64) -> Bool {
        let next = (soundEnd + alignment - 1) / alignment * alignment
        guard source.byteCount - next > ChunkGrammar.ignorableBytes else { return false }
        let start = source.bytes(at: next, count: 4)
        guard start.allSatisfy({ $0 == 0 }) else {
            // Some programs omit the byte that pads the sound.
            let unpadded = source.bytes(at: soundEnd, count: 4)
            return ![start, unpadded].contains {
                $0.has("ID3") || ChunkGrammar.isIdentifier($0[...])
            }
        }
        return declaredEnd(of: source) < source.byteCount
    }

    /// Whether another file of the kind was joined to this one.
    private func isFollowedByAnother(_ source: SourceFile) -> Bool {
        guard idBytes == 4, family != .caf else { return false }
        let next = source.bytes(at: (declaredEnd(of: source) + 1) / 2 * 2, count: 12)
        let first = source.bytes(at: 0, count: 12)
        return next.count == 12 && next[..<4] == first[..<4] && next[8...] == first[8...]
    }

    /// The end of the file that the container declares; 0 if it declares none.
    private func declaredEnd(of source: SourceFile) -> Int64 {
        if family == .caf { return 0 }
        let size = integer(
            source.bytes(at: Int64(idBytes), count: sizeBytes), bigEndian: bigEndian)
        return Int64(clamping: sizeCountsHeader ? size : size + 8)
    }

    /// Whether these bytes may be a chunk identifier: all are printable ASCII.
    static func isIdentifier(_ bytes: ArraySlice<UInt8>) -> Bool {
        bytes.allSatisfy { (32..<127).contains($0) }
    }

    /// Whether only well-formed chunks lie between `start` and the end of the file.
    private func chunksFill(_ source: SourceFile, from start: Int64) -> Bool {
        var offset = start
        while offset < source.byteCount {
            let header = source.bytes(at: offset, count: headerBytes)
            guard header.count == headerBytes, ChunkGrammar.isIdentifier(header[..<4])
            else { return false }
            let size = integer(header[idBytes...], bigEndian: bigEndian)
            let body = sizeCountsHeader ? 0 : Int64(headerBytes)
            guard size < UInt64(source.byteCount), size > 0 || body > 0 else { return false }
            offset += body + padded(size)
        }
        return offset - source.byteCount < alignment
    }
}
