import Recordings

// Containers that store sound in blocks.

/// The blocks of a Creative Voice file: each has a type and a 24-bit size, and must be complete
/// (Creative Voice File Format, 1.20).
struct VoiceBlocks {
    private(set) var verdict = ContainerVerdict.whole
    private var soundBlocks = 0
    /// Whether bytes follow that are in no block.
    private var hasRemains = false

    /// Later blocks are not checked.
    private static let mostBlocks = 100_000

    /// Whether libsndfile reads more as sound than one block: the headers of others, or remains.
    var areMisread: Bool { soundBlocks > 1 || hasRemains }

    /// Walks the blocks; `nil` for other files.
    ///
    /// The header has the place of the first block at 20. Some writers omit the final zero. SoX
    /// counts four of the twelve bytes before the samples of block 9, which version 1.10 at 22 does
    /// not have yet.
    init?(of source: SourceFile) {
        let header = source.bytes(at: 0, count: 24)
        guard header.count == 24, header.has("Creative Voice F") else { return nil }
        let isBySoX = header[22...].elementsEqual([0x0A, 0x01])
        var place = Int64(integer(header.dropFirst(20).prefix(2), bigEndian: false))
        var soundBytes: Int64 = 0
        for _ in 0..<VoiceBlocks.mostBlocks {
            let head = source.bytes(at: place, count: 4)
            guard let type = head.first, type != 0 else { break }
            let size = Int64(integer(head[1...], bigEndian: false))
            // Bytes before the samples: rate and compression, and more in the newer block.
            let prefix: [UInt8: Int64] = [1: 2, 2: 0, 9: 12]
            if let prefix = prefix[type] {
                soundBytes += max(0, size - (isBySoX && type == 9 ? 4 : prefix))
                soundBlocks += 1
            }
            place += 4 + size
            if head.count < 4 || place > source.byteCount {
                verdict = .truncated(expectedBytes: soundBytes > 0 ? soundBytes : nil)
                return
            }
            if isBySoX, type == 9 { place += 8 }
        }
        // A zero ends the last block.
        hasRemains = place + 1 < source.byteCount
        // The frames are not known here.
        if hasRemains { verdict = .damaged(frame: .max) }
    }
}

/// The blocks of IMA and Microsoft ADPCM in WAV and W64.
///
/// Each begins with the decoder's state, which takes few values: libsndfile replaces impossible
/// ones and decodes noise (Multimedia Data Standards Update, 1994, IMA and Microsoft ADPCM).
struct ADPCMBlocks {
    /// Damaged from the first block with an impossible state on; `whole` if there is none.
    let verdict: ContainerVerdict

    /// `nil` for other encodings.
    init?(of source: SourceFile, _ grammar: ChunkGrammar) {
        guard grammar.family == .riff, let chunk = grammar.chunk("fmt ", in: source),
            let sound = grammar.soundPlace(in: source)
        else { return nil }
        let format = source.bytes(at: chunk.body, count: 20)
        guard format.count == 20 else { return nil }
        func field(_ offset: Int) -> Int {
            Int(integer(format[offset..<offset + 2], bigEndian: grammar.bigEndian))
        }
        let (tag, channels, blockBytes) = (field(0), field(2), field(12))
        guard [2, 0x11].contains(tag), (1...64).contains(channels), blockBytes > 4 * channels
        else { return nil }
        let isIMA = tag == 0x11
        for block in 0..<(sound.bytes / Int64(blockBytes)) {
            let head = source.bytes(
                at: sound.start + block * Int64(blockBytes), count: 4 * channels)
            guard head.count == 4 * channels else { break }
            // IMA: two bytes of sample, an index of 0 to 88, and zero. Microsoft: first the index
            // of one of seven pairs of coefficients for each channel.
            let isPossible = (0..<channels).allSatisfy {
                isIMA ? head[4 * $0 + 2] <= 88 && head[4 * $0 + 3] == 0 : head[$0] < 7
            }
            guard isPossible else {
                verdict = .damaged(frame: block * Int64(field(18)))
                return
            }
        }
        verdict = .whole
    }
}

extension ContainerVerdict {
    /// Judges GSM 06.10 without a container: each block of 33 bytes holds 160 frames and begins
    /// with the same four bits (RFC 3551, 4.5.8).
    init(onGSM source: SourceFile) {
        let blocks = source.byteCount / 33
        let damaged = (0..<blocks).first {
            source.bytes(at: 33 * $0, count: 1).first.map { $0 >> 4 } != 0xD
        }
        self = damaged.map { .damaged(frame: 160 * $0) } ?? .whole
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
