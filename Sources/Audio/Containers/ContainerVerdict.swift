import Recordings

/// The result of comparing a container's header with its file.
///
/// libsndfile reads a truncated file as a shorter one, so this checks it independently.
enum ContainerVerdict: Equatable {
    /// Everything the header declares is present, or it declares nothing that can be checked.
    case whole
    /// A container that is not checked here.
    case unjudged
    /// The header declares the length as unknown.
    case lengthUnknown
    /// Fewer bytes of sound than declared, if the header counts bytes.
    case truncated(expectedBytes: Int64?)
    /// Fewer frames than declared, if the header counts frames and libsndfile does not notice.
    case short(foundFrames: Int64, expectedFrames: Int64)
    /// The header declares no sound or an unknown length, but bytes follow.
    case unfinished
    /// More sound follows than the header declares, in no chunk.
    case outgrown
    /// Another stream follows the first.
    case chained
    /// Bytes that no writer of the container would write, after that many decodable frames.
    case damaged(frame: Int64)
}

extension ContainerVerdict {
    /// Judges `source` by its first bytes, whatever its name.
    ///
    /// Reads a few bytes of each chunk, but all of an Ogg file. `MPEGStream` judges MPEG streams;
    /// containers not named here or in `DeclaredLength` are not judged.
    init(on source: SourceFile) {
        let start = source.bytes(at: 0, count: 16)
        if start.has("OggS") {
            self = OggStream(walking: source).verdict
        } else if start.has(".snd") || start.has("dns.") {
            self = ContainerVerdict(onSun: source, bigEndian: start[0] == UInt8(ascii: "."))
        } else if let grammar = ChunkGrammar(beginning: start) {
            let verdict = grammar.verdict(on: source)
            let parts = ADPCMBlocks(of: source, grammar)?.verdict ?? grammar.counted(in: source)
            self = verdict == .whole ? parts ?? verdict : verdict
        } else if start.has("fLaC") {
            self = ContainerVerdict(onFLAC: source)
        } else if let verdict = ContainerVerdict(onForeign: source, beginning: start) {
            self = verdict
        } else if let blocks = VoiceBlocks(of: source) {
            self = blocks.verdict
        } else if start.starts(with: [0xF0, 0x7E]), start.dropFirst(3).first == 1 {
            self = ContainerVerdict(onSampleDump: source)
        } else {
            self = DeclaredLength(of: source)?.verdict(on: source) ?? .unjudged
        }
    }

    /// Judges the metadata blocks before the first frame of a FLAC file (RFC 9639, 8).
    ///
    /// Frames are not counted here: the reader does that.
    private init(onFLAC source: SourceFile) {
        var offset: Int64 = 4
        while true {
            let header = source.bytes(at: offset, count: 4)
            // STREAMINFO must come first, and only once. If the file is preallocated, the rest is
            // zeros. Type 127 is invalid.
            let type = header.first.map { $0 & 0x7f }
            guard header.count == 4, type != 0x7f, (type == 0) == (offset == 4) else { break }
            offset += 4 + Int64(integer(header[1...], bigEndian: true))
            guard offset <= source.byteCount else { break }
            if header[0] & 0x80 != 0 {
                self = .whole
                return
            }
        }
        self = .truncated(expectedBytes: nil)
    }

    /// Whether bytes after the sound of a Sun AU file must be sound too: nothing else follows it,
    /// but for zeros that fill up a block.
    static func hasOutgrown(_ source: SourceFile, soundEnd: Int64) -> Bool {
        let surplus = source.byteCount - soundEnd
        guard surplus <= ChunkGrammar.ignorableBytes else { return true }
        return source.bytes(at: soundEnd, count: Int(max(0, surplus))).contains { $0 != 0 }
    }

    /// Judges a Sun AU file by its header: magic, sound offset, and sound size in bytes.
    private init(onSun source: SourceFile, bigEndian: Bool) {
        let header = source.bytes(at: 0, count: 12)
        guard header.count == 12 else {
            self = .truncated(expectedBytes: nil)
            return
        }
        let start = Int64(integer(header[4..<8], bigEndian: bigEndian))
        let declared = integer(header[8..<12], bigEndian: bigEndian)
        self =
            if declared == 0 && source.byteCount > start {
                .unfinished
            } else if ContainerVerdict.hasOutgrown(source, soundEnd: start + Int64(declared)) {
                .outgrown
            } else if Int64(declared) <= source.byteCount - start {
                .whole
            } else if ChunkGrammar.isUnknown(declared) {
                .lengthUnknown
            } else {
                .truncated(expectedBytes: Int64(declared))
            }
    }
}

extension [UInt8] {
    /// Whether these bytes contain `magic` at `offset`.
    func has(_ magic: String, at offset: Int = 0) -> Bool {
        dropFirst(offset).starts(with: magic.utf8)
    }
}

/// Decodes an unsigned integer of up to eight bytes.
func integer(_ bytes: some BidirectionalCollection<UInt8>, bigEndian: Bool) -> UInt64 {
    bigEndian
        ? bytes.reduce(0) { $0 << 8 | UInt64($1) }
        : bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) }
}
