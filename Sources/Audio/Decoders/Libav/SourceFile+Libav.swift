import Recordings

extension SourceFile {
    /// Whether the first bytes may be those of a container that libav alone reads.
    ///
    /// That libav is needed is not said of a text or a picture, nor are such files taken for raw
    /// samples before libav was asked.
    var beginsLikeLibavs: Bool {
        let start = bytes(at: 0, count: 2)
        // ADTS, with and without a checksum, of MPEG-4 and MPEG-2; AC-3.
        let marks: [[UInt8]] = [
            [0xFF, 0xF1], [0xFF, 0xF0], [0xFF, 0xF9], [0xFF, 0xF8], [0x0B, 0x77],
        ]
        return hasMarkOfLibavs || marks.contains(start)
    }

    /// Whether the first bytes are a mark that samples do not have by chance.
    var hasMarkOfLibavs: Bool {
        let start = bytes(at: 0, count: 16)
        let marks: [[UInt8]] = [
            // EBML: Matroska and WebM.
            [0x1A, 0x45, 0xDF, 0xA3],
            // ASF: WMA.
            [0x30, 0x26, 0xB2, 0x75, 0x8E, 0x66, 0xCF, 0x11],
        ]
        let texts = [
            "#!AMR", "wvpk", "MAC ", "TTA1", "tBaK", "MPCK", "MP+", "BW64", "FLV\u{1}", "\u{2}dss",
            "\u{3}dss",
        ]
        // An MPEG transport stream has packets of 188 bytes.
        let isTransport = (0..<4).allSatisfy { bytes(at: 188 * $0, count: 1) == [0x47] }
        return start.has("ftyp", at: 4) || start.has("moov", at: 4) || start.has("mdat", at: 4)
            || marks.contains { start.starts(with: $0) } || texts.contains { start.has($0) }
            || isTransport
    }
}
