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
