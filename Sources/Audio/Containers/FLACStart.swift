/// The first bytes of FLAC streams and frames, as defined by RFC 9639.
enum FLACStart {
    /// The first bytes of every stream, except the bit that marks the first metadata block (34
    /// bytes) as the last one (8.1).
    static let beginning = Array("fLaC".utf8) + [0, 0, 0, 34]

    /// Whether a stream begins anywhere within these bytes.
    static func ofStream(within bytes: [UInt8]) -> Bool {
        bytes.indices.contains { place in
            guard bytes[place] == beginning[0], place + beginning.count <= bytes.count,
                bytes[place + 1] == beginning[1]
            else { return false }
            var found = bytes[place..<place + beginning.count]
            found[place + 4] &= 0x7f
            return found.elementsEqual(beginning)
        }
    }

    /// The bytes needed to recognise a frame: no header is longer.
    static let mostHeaderBytes = 16

    /// Whether these bytes begin with a frame of any stream and number (9.1).
    static func ofFrame(_ bytes: [UInt8]) -> Bool {
        guard bytes.count > 4, bytes[0] == 0xff, bytes[1] & 0xfe == 0xf8 else { return false }
        // The number is coded like UTF-8, in up to seven bytes. Sizes and rates without a code of
        // their own follow it.
        let ones = (~bytes[4]).leadingZeroBitCount
        let (size, rate) = (bytes[2] >> 4, bytes[2] & 0xf)
        let sizeBytes = size == 6 ? 1 : size == 7 ? 2 : 0
        let rateBytes = rate == 12 ? 1 : rate == 13 || rate == 14 ? 2 : 0
        let count = 4 + max(1, ones) + sizeBytes + rateBytes
        return ones != 1 && ones < 8 && bytes.count > count
            && checksum(bytes[..<count]) == bytes[count]
    }

    /// The CRC-8 of a frame header, with polynomial x⁸ + x² + x + 1.
    static func checksum(_ bytes: ArraySlice<UInt8>) -> UInt8 {
        bytes.reduce(0) { sum, byte in
            (0..<8).reduce(sum ^ byte) { sum, _ in sum << 1 ^ (sum & 0x80 == 0 ? 0 : 0x07) }
        }
    }
}
