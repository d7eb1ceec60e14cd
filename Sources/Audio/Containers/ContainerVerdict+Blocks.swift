import Recordings

// Containers that store sound in blocks.

extension ContainerVerdict {
    /// Later blocks are not checked.
    private static let mostBlocks = 100_000

    /// Judges a Creative Voice file: blocks with a type and a 24-bit size, each of which must be
    /// complete (Creative Voice File Format, 1.20).
    ///
    /// The header has the place of the first block at 20. Some writers omit the final zero. SoX
    /// counts four of the twelve bytes before the samples of block 9, which version 1.10 at 22 does
    /// not have yet.
    init(onVoice source: SourceFile) {
        let isBySoX = source.bytes(at: 22, count: 2) == [0x0A, 0x01]
        var place = Int64(integer(source.bytes(at: 20, count: 2), bigEndian: false))
        var soundBytes: Int64 = 0
        for _ in 0..<ContainerVerdict.mostBlocks {
            let head = source.bytes(at: place, count: 4)
            guard let type = head.first, type != 0 else { break }
            let size = Int64(integer(head[1...], bigEndian: false))
            // Bytes before the samples: rate and compression, and more in the newer block.
            let prefix: [UInt8: Int64] = [1: 2, 2: 0, 9: 12]
            if let prefix = prefix[type] {
                soundBytes += max(0, size - (isBySoX && type == 9 ? 4 : prefix))
            }
            place += 4 + size
            if head.count < 4 || place > source.byteCount {
                self = .truncated(expectedBytes: soundBytes > 0 ? soundBytes : nil)
                return
            }
            if isBySoX, type == 9 { place += 8 }
        }
        self = .whole
    }

    /// Judges a MIDI Sample Dump: a header of 21 bytes, in which three bytes of seven bits count
    /// the samples, and packets of 127 bytes with 120 of sound (MIDI 1.0, Sample Dump Standard).
    ///
    /// libsndfile delivers as many frames as the header counts, even if the packets are missing.
    init(onSampleDump source: SourceFile) {
        let header = source.bytes(at: 0, count: 21)
        guard header.count == 21 else {
            self = .truncated(expectedBytes: nil)
            return
        }
        let samples = header[10..<13].reversed().reduce(Int64(0)) { $0 << 7 | Int64($1 & 0x7F) }
        let samplesPerPacket = 120 / max(1, (Int64(header[6]) + 6) / 7)
        let found = max(0, source.byteCount - 21) / 127 * samplesPerPacket
        self = found < samples ? .short(foundFrames: found, expectedFrames: samples) : .whole
    }
}

/// How many frames a file of GSM 6.10 in WAV or W64 holds.
///
/// A block of 65 bytes holds 320 frames. The last one is filled up, so the `fact` chunk has the
/// number of frames (Multimedia Programming Interface and Data Specifications, Microsoft GSM 6.10).
/// libsndfile delivers whole blocks, and decodes the byte that pads an odd number of them as one
/// more block.
struct GSMLength: Equatable {
    static let blockFrames: Int64 = 320
    private static let blockBytes: Int64 = 65

    /// Frames in the file.
    let frames: Int64
    /// The number in the `fact` chunk if it is larger.
    let promised: Int64?

    /// `nil` if `source` has no chunk of sound.
    init?(of source: SourceFile) {
        guard let grammar = ChunkGrammar(beginning: source.bytes(at: 0, count: 16)),
            let sound = grammar.chunk("data", in: source)
        else { return nil }
        let blocks = min(sound.bytes, source.byteCount - sound.body) / GSMLength.blockBytes
        let held = blocks * GSMLength.blockFrames
        let fact = grammar.chunk("fact", in: source)
        let counted = fact.flatMap { grammar.number(in: $0, of: source) }
        if let counted, counted > held {
            (frames, promised) = (held, counted)
        } else if let counted, counted > held - GSMLength.blockFrames {
            (frames, promised) = (counted, nil)
        } else {
            (frames, promised) = (held, nil)
        }
    }
}
