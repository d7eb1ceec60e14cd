import Recordings

/// What a container itself says of samples of a fixed size: how they are stored, and where.
///
/// libsndfile is held against this. Where they disagree, the samples are read as they stand here.
struct DeclaredSound: Equatable {
    var format: RawFormat
    /// The offset of the first sample.
    var start: Int64
    /// Bytes of sound in the file, in whole frames.
    private(set) var bytes: Int64

    /// `nil` for containers and encodings that are not read here, and for damaged headers.
    init?(of source: SourceFile) {
        let beginning = source.bytes(at: 0, count: 16)
        if beginning.has(".snd") || beginning.has("dns.") {
            self.init(ofSun: source, isBigEndian: beginning.has(".snd"))
        } else if let grammar = ChunkGrammar(beginning: beginning),
            let place = grammar.soundPlace(in: source),
            let format = DeclaredSound.format(in: grammar, of: source)
        {
            self.init(format, start: place.start, bytes: place.bytes)
        } else {
            return nil
        }
    }

    private init?(_ format: RawFormat, start: Int64, bytes: Int64) {
        guard let width = format.frameBytes, bytes >= 0, format.sampleRateHertz > 0,
            format.channels > 0
        else { return nil }
        (self.format, self.start) = (format, start)
        self.bytes = bytes / Int64(width) * Int64(width)
    }

    var frames: Int64 { format.frameBytes.map { bytes / Int64($0) } ?? 0 }

    /// Whether libsndfile found the same frames at the same place.
    func agrees(with sound: SoundFile) -> Bool {
        let found = AudioFormat(sound.info)
        // Cool Edit declares its floating point as integers; libsndfile looks at the samples.
        let isCoolEdits = found.encoding == .float32 && format.encoding == .pcm32
        return (found.encoding == format.encoding || isCoolEdits)
            && found.channels == format.channels
            && found.sampleRateHertz == format.sampleRateHertz && found.frames == frames
            && !format.isLowIn32 && sound.position == start
    }

    /// Sun AU: the offset and size of the sound, a code for the encoding, rate and channels.
    private init?(ofSun source: SourceFile, isBigEndian: Bool) {
        let header = source.bytes(at: 0, count: 24)
        guard header.count == 24 else { return nil }
        let fields = stride(from: 4, to: 24, by: 4).map {
            Int64(integer(header[$0..<$0 + 4], bigEndian: isBigEndian))
        }
        let encodings: [Int64: SampleEncoding] = [
            1: .muLaw, 2: .pcmS8, 3: .pcm16, 4: .pcm24, 5: .pcm32, 6: .float32, 7: .float64,
            27: .aLaw,
        ]
        guard let encoding = encodings[fields[2]] else { return nil }
        let found = max(0, source.byteCount - fields[0])
        // Nothing follows the sound of a finished file: more was recorded after the last update.
        let isStale = ContainerVerdict.hasOutgrown(source, soundEnd: fields[0] + fields[1])
        self.init(
            RawFormat(
                encoding, sampleRateHertz: Int(fields[3]), channels: Int(fields[4]),
                isBigEndian: isBigEndian),
            start: fields[0],
            bytes: fields[1] == 0 || isStale ? found : min(found, fields[1]))
    }
}

extension RawFormat {
    /// Bytes of a frame; `nil` if the encoding has no fixed size.
    var frameBytes: Int? {
        encoding.bytesPerSample.map { (isLowIn32 ? 4 : $0) * channels }
    }
}

// MARK: - Format chunks

extension DeclaredSound {
    private static func format(in grammar: ChunkGrammar, of source: SourceFile) -> RawFormat? {
        switch grammar.family {
        case .riff: wave(grammar, source)
        case .aiff: aiff(grammar, source)
        case .caf: coreAudio(grammar, source)
        case .svx: voice(grammar, source)
        }
    }

    /// `fmt ` of WAV, RF64 and W64 (`WAVEFORMATEX` and `WAVEFORMATEXTENSIBLE`): the first, if there
    /// are several.
    private static func wave(_ grammar: ChunkGrammar, _ source: SourceFile) -> RawFormat? {
        guard let chunk = grammar.chunk("fmt ", in: source) else { return nil }
        let bytes = source.bytes(at: chunk.body, count: Int(min(40, chunk.bytes)))
        guard bytes.count >= 16 else { return nil }
        func field(_ offset: Int, _ count: Int) -> Int {
            Int(integer(bytes[offset..<offset + count], bigEndian: grammar.bigEndian))
        }
        var tag = field(0, 2)
        let isExtensible = tag == 0xFFFE
        // The first two bytes of the GUID are a tag.
        if isExtensible {
            guard bytes.count >= 26 else { return nil }
            tag = field(24, 2)
        }
        let (channels, bits) = (field(2, 2), field(14, 2))
        guard channels > 0 else { return nil }
        let width = field(12, 2) / channels
        let encoding: SampleEncoding
        switch (tag, width, bits) {
        case (1, 1, 8): encoding = .pcmU8
        case (1, 2, 16): encoding = .pcm16
        case (1, 3, 24): encoding = .pcm24
        case (1, 4, 32): encoding = .pcm32
        case (1, 4, 24) where !isExtensible:
            encoding = hasLowBytes(grammar, source) ? .pcm24 : .pcm32
        case (3, 4, 32): encoding = .float32
        case (3, 8, 64): encoding = .float64
        case (6, 1, 8): encoding = .aLaw
        case (7, 1, 8): encoding = .muLaw
        default: return nil
        }
        return RawFormat(
            encoding, sampleRateHertz: field(4, 4), channels: channels,
            isBigEndian: grammar.bigEndian, isLowIn32: encoding == .pcm24 && width == 4)
    }

    /// Whether samples of 24 bits in 32 are in the low bytes, as ALSA's tools have them.
    ///
    /// Then the highest byte only repeats the sign. The standard has them in the high bytes.
    private static func hasLowBytes(_ grammar: ChunkGrammar, _ source: SourceFile) -> Bool {
        guard let place = grammar.soundPlace(in: source) else { return false }
        let windows = [0, place.bytes / 2, place.bytes - 40_000].map { max(0, $0) / 4 * 4 }
        return windows.allSatisfy { offset in
            let bytes = source.bytes(at: place.start + offset, count: 40_000)
            return stride(from: 3, to: bytes.count, by: 4).allSatisfy { index in
                let sign = bytes[index - (grammar.bigEndian ? 2 : 1)]
                let top = bytes[grammar.bigEndian ? index - 3 : index]
                return top == (sign & 0x80 == 0 ? 0 : 0xFF)
            }
        }
    }

    /// `VHDR` of IFF 8SVX, and of libsndfile's variant for 16 bits: the rate, and no compression.
    private static func voice(_ grammar: ChunkGrammar, _ source: SourceFile) -> RawFormat? {
        guard !holdsChannelsApart(source), let chunk = grammar.chunk("VHDR", in: source)
        else { return nil }
        let bytes = source.bytes(at: chunk.body, count: 16)
        guard bytes.count == 16, bytes[15] == 0 else { return nil }
        let isWide = source.bytes(at: 8, count: 4).has("16SV")
        return RawFormat(
            isWide ? .pcm16 : .pcmS8,
            sampleRateHertz: Int(integer(bytes[12..<14], bigEndian: true)), channels: 1,
            isBigEndian: true)
    }

    /// Whether an IFF 8SVX file is stereo (its `CHAN` chunk is 6): it has all samples of the left
    /// channel before those of the right, which libsndfile reads as pairs.
    static func holdsChannelsApart(_ source: SourceFile) -> Bool {
        guard let grammar = ChunkGrammar(beginning: source.bytes(at: 0, count: 16)),
            grammar.family == .svx, let chunk = grammar.chunk("CHAN", in: source)
        else { return false }
        return grammar.number(in: chunk, of: source) == 6
    }

    /// `COMM` of AIFF and AIFF-C, whose rate is a number of 80 bits.
    private static func aiff(_ grammar: ChunkGrammar, _ source: SourceFile) -> RawFormat? {
        guard let chunk = grammar.chunk("COMM", in: source) else { return nil }
        let bytes = source.bytes(at: chunk.body, count: Int(min(22, chunk.bytes)))
        guard bytes.count >= 18 else { return nil }
        let exponent = Int(integer(bytes[8..<10], bigEndian: true)) - 16_383 - 63
        let mantissa = integer(bytes[10..<18], bigEndian: true)
        guard (-63...0).contains(exponent) else { return nil }
        let bits = Int(integer(bytes[6..<8], bigEndian: true))
        let type = bytes.count >= 22 ? String(decoding: bytes[18..<22], as: UTF8.self) : "NONE"
        guard let encoding = encoding(type, bits: bits) else { return nil }
        return RawFormat(
            encoding, sampleRateHertz: Int(clamping: mantissa >> UInt64(-exponent)),
            channels: Int(integer(bytes[..<2], bigEndian: true)), isBigEndian: type != "sowt")
    }

    private static func encoding(_ type: String, bits: Int) -> SampleEncoding? {
        switch (type, bits) {
        case ("NONE", 8), ("twos", 8), ("sowt", 8): .pcmS8
        case ("NONE", 16), ("twos", 16), ("sowt", 16): .pcm16
        case ("NONE", 24), ("twos", 24), ("sowt", 24): .pcm24
        case ("NONE", 32), ("twos", 32), ("sowt", 32): .pcm32
        case ("fl32", _), ("FL32", _): .float32
        case ("fl64", _), ("FL64", _): .float64
        case ("alaw", _), ("ALAW", _): .aLaw
        case ("ulaw", _), ("ULAW", _): .muLaw
        default: nil
        }
    }

    /// `desc` of CAF: the rate as a double, a format, flags, and the sizes of packets and samples.
    private static func coreAudio(_ grammar: ChunkGrammar, _ source: SourceFile) -> RawFormat? {
        guard let chunk = grammar.chunk("desc", in: source) else { return nil }
        let bytes = source.bytes(at: chunk.body, count: 32)
        guard bytes.count == 32 else { return nil }
        func field(_ offset: Int) -> Int {
            Int(integer(bytes[offset..<offset + 4], bigEndian: true))
        }
        let rate = Double(bitPattern: integer(bytes[..<8], bigEndian: true))
        guard rate >= 1, rate < 1e9 else { return nil }
        let (isFloat, isLittleEndian) = (field(12) & 1 != 0, field(12) & 2 != 0)
        let (channels, bits) = (field(24), field(28))
        let encoding: SampleEncoding
        switch (String(decoding: bytes[8..<12], as: UTF8.self), isFloat, bits) {
        case ("lpcm", false, 8): encoding = .pcmS8
        case ("lpcm", false, 16): encoding = .pcm16
        case ("lpcm", false, 24): encoding = .pcm24
        case ("lpcm", false, 32): encoding = .pcm32
        case ("lpcm", true, 32): encoding = .float32
        case ("lpcm", true, 64): encoding = .float64
        case ("alaw", _, _): encoding = .aLaw
        case ("ulaw", _, _): encoding = .muLaw
        default: return nil
        }
        let format = RawFormat(
            encoding, sampleRateHertz: Int(rate.rounded()), channels: channels,
            isBigEndian: !isLittleEndian)
        // 24 bits in packets of 32 are not read here.
        return format.frameBytes == field(16) ? format : nil
    }
}

extension ChunkGrammar {
    /// The verdict on an AIFF file by the frames that its header counts, if there are fewer.
    func counted(in source: SourceFile) -> ContainerVerdict? {
        guard family == .aiff, let sound = DeclaredSound(of: source),
            let chunk = chunk("COMM", in: source)
        else { return nil }
        let frames = Int64(integer(source.bytes(at: chunk.body + 2, count: 4), bigEndian: true))
        return frames > sound.frames
            ? .short(foundFrames: sound.frames, expectedFrames: frames) : nil
    }
}
