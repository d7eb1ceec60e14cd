/// Numbers that were written as text.
enum PackedFloats {
    /// The bytes that base 64 (RFC 4648) stands for; characters that are none of it are passed
    /// over.
    static func bytes(base64 text: String) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(text.utf8.count / 4 * 3)
        let sextets = (0...UInt8.max).map { sextet($0) }
        var bits: UInt32 = 0
        var count = 0
        for character in text.utf8 {
            guard let value = sextets[Int(character)] else { continue }
            bits = bits << 6 | value
            count += 6
            if count >= 8 {
                count -= 8
                result.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
            }
        }
        return result
    }

    /// CRC-32 as in zlib and PNG.
    static func checksum(_ bytes: [UInt8]) -> UInt32 {
        let remainders = (0...UInt32(UInt8.max)).map { byte in
            (0..<8).reduce(byte) { value, _ in
                value >> 1 ^ (value & 1 == 1 ? 0xEDB8_8320 : 0)
            }
        }
        return ~bytes.reduce(UInt32.max) { sum, byte in
            sum >> 8 ^ remainders[Int(UInt8(truncatingIfNeeded: sum) ^ byte)]
        }
    }

    /// Numbers in half precision, least byte first.
    static func floats(halves bytes: [UInt8]) -> [Float] {
        stride(from: 0, to: bytes.count - 1, by: 2).map {
            float(half: UInt16(bytes[$0]) | UInt16(bytes[$0 + 1]) << 8)
        }
    }

    /// One number; by hand, since not every platform has the type.
    ///
    /// Neither infinities nor NaN are meant.
    private static func float(half: UInt16) -> Float {
        let sign: Float = half & 0x8000 == 0 ? 1 : -1
        let exponent = Int(half >> 10 & 31)
        let fraction = Float(half & 1023) / 1024
        // 2^-14 is the smallest number that is not short of digits.
        let scale = Float(sign: .plus, exponent: max(1, exponent) - 15, significand: 1)
        return sign * (exponent == 0 ? fraction : 1 + fraction) * scale
    }

    private static func sextet(_ character: UInt8) -> UInt32? {
        switch character {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(character) - 65
        case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(character) - 71
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(character) + 4
        case UInt8(ascii: "+"): 62
        case UInt8(ascii: "/"): 63
        default: nil
        }
    }
}
