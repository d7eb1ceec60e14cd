import Recordings

extension SourceFile {
    /// Whether the first bytes are those of a container that libav reads and libsndfile does not.
    ///
    /// Only words depend on this: that libav is needed is not said of a text or a picture.
    var beginsLikeLibavs: Bool {
        let start = bytes(at: 0, count: 16)
        let marks: [[UInt8]] = [
            // EBML: Matroska and WebM.
            [0x1A, 0x45, 0xDF, 0xA3],
            // ASF: WMA.
            [0x30, 0x26, 0xB2, 0x75, 0x8E, 0x66, 0xCF, 0x11],
            // ADTS, with and without a checksum, of MPEG-4 and MPEG-2.
            [0xFF, 0xF1], [0xFF, 0xF0], [0xFF, 0xF9], [0xFF, 0xF8],
            // AC-3.
            [0x0B, 0x77],
        ]
        let texts = ["#!AMR", "wvpk", "MAC ", "TTA1", "tBaK", "MPCK", "MP+", "BW64"]
        return start.has("ftyp", at: 4) || start.has("moov", at: 4) || start.has("mdat", at: 4)
            || marks.contains { start.starts(with: $0) } || texts.contains { start.has($0) }
    }
}
