/// The checksum of an Ogg page: the remainder by the generator 0x04C11DB7, highest bit first.
///
/// Taken byte by byte, each would wait for the one before. Sixteen at once come out of as many
/// tables, as in M. E. Kounavis and F. L. Berry, "A Systematic Approach to Building High
/// Performance, Software-based, CRC Generators" (ISCC 2005). It takes a sixth of the time.
struct OggChecksum {
    private static let bytesAtOnce = 16
    /// By how many bytes follow, and then by the byte: what it adds to the remainder.
    private static let tables: [UInt32] = {
        var tables = (0..<256).map { byte in
            (0..<8).reduce(UInt32(byte) << 24) { remainder, _ in
                remainder & 0x8000_0000 != 0 ? remainder << 1 ^ 0x04C1_1DB7 : remainder << 1
            }
        }
        for index in 256..<256 * bytesAtOnce {
            let before = tables[index - 256]
            tables.append(before << 8 ^ tables[Int(before >> 24)])
        }
        return tables
    }()

    private(set) var value: UInt32 = 0

    /// Takes in what comes next.
    mutating func take(_ bytes: ArraySlice<UInt8>) {
        var sum = value
        bytes.withUnsafeBytes { bytes in
            OggChecksum.tables.withUnsafeBufferPointer { tables in
                var place = 0
                while place + OggChecksum.bytesAtOnce <= bytes.count {
                    sum = OggChecksum.sum(of: bytes, at: place, behind: sum, tables)
                    place += OggChecksum.bytesAtOnce
                }
                for byte in bytes[place...] {
                    sum = sum << 8 ^ tables[Int(UInt8(sum >> 24) ^ byte)]
                }
            }
        }
        value = sum
    }

    @inline(__always)
    private static func sum(
        of bytes: UnsafeRawBufferPointer, at place: Int, behind sum: UInt32,
        _ tables: UnsafeBufferPointer<UInt32>
    ) -> UInt32 {
        // Whoever calls this has seen that the bytes are there; no index is beyond 16 times 256.
        let behind = UInt64(sum) << 32
        let first = bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self).bigEndian ^ behind
        let second = bytes.loadUnaligned(fromByteOffset: place + 8, as: UInt64.self).bigEndian
        var result: UInt32 = 0
        for index in 0..<8 {
            let shift = UInt64(8 * index)
            let (near, far) = (Int(second >> shift & 0xFF), Int(first >> shift & 0xFF))
            result ^= tables[256 * index + near] ^ tables[256 * (8 + index) + far]
        }
        return result
    }
}
