/// How FLAC streams and their frames begin, as RFC 9639 lays them out.
enum FLACStart {
    /// How every stream begins, but for the bit that says whether the first block of metadata, of
    /// 34 bytes, is the last one, too (8.1).
    static let beginning = Array("fLaC".utf8) + [0, 0, 0, 34]

    /// Whether a stream begins somewhere within these bytes.
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

    /// Bytes with which a frame may begin, so that it can be told: none has a longer header.
    static let mostHeaderBytes = 16

    /// Whether a frame begins with these bytes, of whatever stream and number (9.1).
    static func ofFrame(_ bytes: [UInt8]) -> Bool {
        guard bytes.count > 4, bytes[0] == 0xff, bytes[1] & 0xfe == 0xf8 else { return false }
        // The number is coded as UTF-8 codes one, in up to seven bytes; what has no code of its own
        // among sizes and rates stands behind it.
        let ones = (~bytes[4]).leadingZeroBitCount
        let (size, rate) = (bytes[2] >> 4, bytes[2] & 0xf)
        let sizeBytes = size == 6 ? 1 : size == 7 ? 2 : 0
        let rateBytes = rate == 12 ? 1 : rate == 13 || rate == 14 ? 2 : 0
        let count = 4 + max(1, ones) + sizeBytes + rateBytes
        return ones != 1 && ones < 8 && bytes.count > count
            && checksum(bytes[..<count]) == bytes[count]
    }

    /// The checksum of a frame's header: the remainder by x⁸ + x² + x + 1.
    static func checksum(_ bytes: ArraySlice<UInt8>) -> UInt8 {
        bytes.reduce(0) { sum, byte in
            (0..<8).reduce(sum ^ byte) { sum, _ in sum << 1 ^ (sum & 0x80 == 0 ? 0 : 0x07) }
        }
    }
}
