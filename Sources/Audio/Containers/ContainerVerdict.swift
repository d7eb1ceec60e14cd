import Recordings

/// What comes of holding a container's header against the file it stands in.
///
/// libsndfile reads a file that breaks off as if it were a shorter one, so this looks for itself.
enum ContainerVerdict: Equatable {
    /// All that the header promises is there, or it promises nothing that could be checked.
    case whole
    /// No container that is looked into here.
    case unjudged
    /// The header says that it does not know how much sound there is.
    case lengthUnknown
    /// Fewer bytes of sound than promised, where the header counts bytes.
    case truncated(expectedBytes: Int64?)
    /// Fewer frames than promised, where the header counts frames and the library does not notice.
    case short(foundFrames: Int64, expectedFrames: Int64)
    /// The header says that there is no sound, or not how much, and bytes follow.
    case unfinished
    /// The header speaks of some sound, and more follows that no chunk accounts for.
    case outgrown
    /// Another stream follows the first.
    case chained
    /// Bytes that no writer of the container would write, behind so many decodable frames.
    case damaged(frame: Int64)
}

extension ContainerVerdict {
    /// Judges `source` by its own first bytes, whatever the name.
    ///
    /// Reads a few bytes of every chunk, but the whole of an Ogg file; MPEG streams are judged by
    /// `MPEGStream`, and containers not named here or in `DeclaredLength` are not judged.
    init(on source: SourceFile) {
        let start = source.bytes(at: 0, count: 16)
        if start.has("OggS") {
            self = OggStream(walking: source).verdict
        } else if start.has(".snd") || start.has("dns.") {
            self = ContainerVerdict(onSun: source, bigEndian: start[0] == UInt8(ascii: "."))
        } else if let grammar = ChunkGrammar(beginning: start) {
            self = grammar.verdict(on: source)
        } else if start.has("fLaC") {
            self = ContainerVerdict(onFLAC: source)
        } else if start.has("Creative Voice F") {
            self = ContainerVerdict(onVoice: source)
        } else if start.starts(with: [0xF0, 0x7E]), start.dropFirst(3).first == 1 {
            self = ContainerVerdict(onSampleDump: source)
        } else {
            self = DeclaredLength(of: source)?.verdict(on: source) ?? .unjudged
        }
    }

    /// Judges what stands before the first frame of a FLAC file (RFC 9639, 8).
    ///
    /// Frames are counted by the header, and by the reader too.
    private init(onFLAC source: SourceFile) {
        var offset: Int64 = 4
        while true {
            let header = source.bytes(at: offset, count: 4)
            // What comes first says how the sound is, once; of a file that is still to be filled,
            // the rest is zeros. The last type is none.
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

    /// Judges a Sun AU file: the magic, where the sound begins, and how many bytes it has.
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
    /// Whether these bytes stand there.
    func has(_ magic: String, at offset: Int = 0) -> Bool {
        dropFirst(offset).starts(with: magic.utf8)
    }
}

/// The unsigned number that up to eight bytes spell.
func integer(_ bytes: some BidirectionalCollection<UInt8>, bigEndian: Bool) -> UInt64 {
    bigEndian
        ? bytes.reduce(0) { $0 << 8 | UInt64($1) }
        : bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) }
}
