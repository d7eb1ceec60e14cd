/// How samples are stored, for files and parts of files without a header that says so.
package struct RawFormat: Hashable, Codable, Sendable {
    package var encoding: SampleEncoding
    package var sampleRateHertz: Int
    package var channels: Int
    package var isBigEndian: Bool
    /// Whether 24 bits are stored in the low bytes of 32 (ALSA's `S24_LE`).
    package var isLowIn32: Bool

    package init(
        _ encoding: SampleEncoding, sampleRateHertz: Int, channels: Int = 1,
        isBigEndian: Bool = false, isLowIn32: Bool = false
    ) {
        self.encoding = encoding
        self.sampleRateHertz = sampleRateHertz
        self.channels = channels
        self.isBigEndian = isBigEndian
        self.isLowIn32 = isLowIn32
    }
}

extension RawFormat {
    /// Names of encodings as FFmpeg and sox spell them.
    private static let encodings: [(name: String, encoding: SampleEncoding, isBigEndian: Bool)] = [
        ("u8", .pcmU8, false), ("s8", .pcmS8, false),
        ("s16le", .pcm16, false), ("s16be", .pcm16, true),
        ("s24le", .pcm24, false), ("s24be", .pcm24, true),
        ("s32le", .pcm32, false), ("s32be", .pcm32, true),
        ("f32le", .float32, false), ("f32be", .float32, true),
        ("f64le", .float64, false), ("f64be", .float64, true),
        ("ulaw", .muLaw, false), ("alaw", .aLaw, false), ("gsm", .gsm610, false),
        ("vox", .voxADPCM, false), ("g722", .g722, false),
    ]

    /// The names of all encodings that a text can name.
    package static var encodingNames: [String] { encodings.map(\.name) }

    /// Parses encoding, rate and channels, as in `s16le,8000,1`; one channel if none are given.
    package init?(text: String) {
        let parts = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        let numbers = parts.dropFirst().map { Int($0) ?? 0 }
        guard let found = RawFormat.encodings.first(where: { $0.name == parts[0].lowercased() }),
            (1...2).contains(numbers.count), (10...100_000_000).contains(numbers[0]),
            numbers.count == 1 || (1...256).contains(numbers[1])
        else { return nil }
        self.init(
            found.encoding, sampleRateHertz: numbers[0],
            channels: numbers.count == 2 ? numbers[1] : 1, isBigEndian: found.isBigEndian)
        switch encoding {
        case .gsm610, .voxADPCM: guard channels == 1 else { return nil }
        case .g722: guard channels == 1, sampleRateHertz == 16_000 else { return nil }
        default: break
        }
    }

    /// The text that names this format.
    package var text: String {
        let found = RawFormat.encodings.first {
            $0.encoding == encoding && $0.isBigEndian == isBigEndian
        }
        return "\(found?.name ?? encoding.rawValue),\(sampleRateHertz),\(channels)"
    }
}

extension Pathname {
    /// The format of a headerless telephone recording, by its extension; `nil` for other names.
    ///
    /// By Asterisk's convention, `sln` is signed linear 16-bit at 8 kHz, and a number after it is
    /// another rate in kHz.
    package var headerlessFormat: RawFormat? {
        let name = fileExtension
        if let format = Pathname.headerless[name] { return format }
        guard name.hasPrefix("sln"), let rate = Pathname.linearRatesHertz[String(name.dropFirst(3))]
        else { return nil }
        return RawFormat(.pcm16, sampleRateHertz: rate)
    }

    private static let headerless: [String: RawFormat] = [
        "ul": RawFormat(.muLaw, sampleRateHertz: 8000),
        "ulaw": RawFormat(.muLaw, sampleRateHertz: 8000),
        "al": RawFormat(.aLaw, sampleRateHertz: 8000),
        "alaw": RawFormat(.aLaw, sampleRateHertz: 8000),
        "gsm": RawFormat(.gsm610, sampleRateHertz: 8000),
        "vox": RawFormat(.voxADPCM, sampleRateHertz: 8000),
        "g722": RawFormat(.g722, sampleRateHertz: 16_000),
    ]

    private static let linearRatesHertz = [
        "": 8000, "12": 12_000, "16": 16_000, "24": 24_000, "32": 32_000, "44": 44_100,
        "48": 48_000, "96": 96_000, "192": 192_000,
    ]

    /// The extensions of headerless recordings.
    package static var headerlessExtensions: [String] {
        headerless.keys + linearRatesHertz.keys.map { "sln" + $0 }
    }
}
