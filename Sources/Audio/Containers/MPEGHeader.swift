/// The four bytes before every MPEG audio frame (ISO 11172-3, 2.4.1.3, and 13818-3).
struct MPEGHeader {
    private let word: UInt32
    /// Bytes of the entire frame.
    let byteCount: Int
    /// Bytes of a frame of this bit rate on the average: some are padded.
    let meanByteCount: Double
    /// Samples per channel.
    let samples: Int

    /// 1, 2 or 3; layer 3 is MP3.
    var layer: Int { 4 - Int(word >> 17 & 3) }
    /// Whether this is MPEG-1, not MPEG-2 or 2.5 with half or quarter sampling frequencies.
    var isFirstVersion: Bool { word >> 19 & 3 == 3 }
    var channels: Int { word >> 6 & 3 == 3 ? 1 : 2 }
    /// Whether a two-byte checksum follows the header.
    var hasChecksum: Bool { word >> 16 & 1 == 0 }
    /// Bytes of side information, which layer III needs to decode the rest of the frame.
    var sideInformationByteCount: Int {
        switch (isFirstVersion, channels) {
        case (true, 1): 17
        case (true, _): 32
        case (false, 1): 9
        case (false, _): 17
        }
    }

    /// Parses a header; `nil` if it is invalid, or if the bit rate is not declared.
    init?(_ bytes: ArraySlice<UInt8>) {
        guard bytes.count >= 4 else { return nil }
        word = bytes.withUnsafeBytes {
            UInt32(bigEndian: $0.loadUnaligned(fromByteOffset: 0, as: UInt32.self))
        }
        guard word >> 21 == 0x7FF else { return nil }
        let version = Int(word >> 19 & 3)
        let layer = 4 - Int(word >> 17 & 3)
        let rate = Int(word >> 12 & 15)
        let frequency = Int(word >> 10 & 3)
        guard version != 1, layer != 4, rate != 0, rate != 15, frequency != 3, word & 3 != 2
        else { return nil }
        let isFirstVersion = version == 3
        let kilobits =
            MPEGHeader.kilobits[14 * (isFirstVersion ? layer - 1 : layer == 1 ? 3 : 4) + rate - 1]
        let hertz = MPEGHeader.hertz[frequency] >> (isFirstVersion ? 0 : version == 2 ? 1 : 2)
        let padding = Int(word >> 9 & 1)
        samples = layer == 1 ? 384 : layer == 3 && !isFirstVersion ? 576 : 1152
        meanByteCount = Double(samples * 125 * kilobits) / Double(hertz)
        byteCount =
            layer == 1
            ? (12000 * kilobits / hertz + padding) * 4
            : samples / 8 * 1000 * kilobits / hertz + padding
    }

    private static let hertz = [44100, 48000, 32000]

    /// Bit rates by header index: MPEG-1 layers I to III, then layer I and layers II and III of
    /// later versions.
    private static let kilobits = [
        32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448,
        32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384,
        32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320,
        32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256,
        8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160,
    ]

    /// Whether version, layer and sampling frequency equal those of an earlier frame.
    func continues(_ other: MPEGHeader) -> Bool {
        (word ^ other.word) & 0xFFFE_0C00 == 0
    }

    /// The length declared by a Xing, Info or VBRI header in this frame; `nil` if there is none.
    func promise(in frame: ArraySlice<UInt8>) -> Promise? {
        let xing = frame.dropFirst(4 + sideInformationByteCount).prefix(16)
        if xing.count == 16, xing.starts(with: "Xing".utf8) || xing.starts(with: "Info".utf8) {
            let flags = xing[xing.startIndex + 7]
            guard flags & 1 != 0 else { return Promise(frames: 0) }
            let words = xing.dropFirst(8)
            return Promise(
                frames: Int64(integer(words.prefix(4), bigEndian: true)),
                bytes: flags & 2 != 0 ? Int64(integer(words.suffix(4), bigEndian: true)) : nil)
        }
        let vbri = frame.dropFirst(4 + 32).prefix(18)
        if vbri.count == 18, vbri.starts(with: "VBRI".utf8) {
            return Promise(frames: Int64(integer(vbri.suffix(4), bigEndian: true)))
        }
        return nil
    }

    struct Promise {
        /// Frames with sound; 0 if not declared.
        ///
        /// Some programs also count the frame that holds the header.
        var frames: Int64
        /// Bytes of all frames, including the one that holds the header.
        var bytes: Int64?
    }
}
