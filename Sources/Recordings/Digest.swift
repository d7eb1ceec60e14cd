/// A SHA-256 digest in 32 bytes; hexadecimal text would take three times the memory.
package struct Digest: Hashable, Sendable {
    package static let byteCount = 32

    /// Big-endian: the first byte is the highest of the first word.
    package let words: SIMD4<UInt64>

    package init(words: SIMD4<UInt64>) { self.words = words }

    /// A digest of its first `byteCount` bytes.
    package init(bytes: ArraySlice<UInt8>) {
        var words = SIMD4<UInt64>()
        var place = 0
        for byte in bytes.prefix(Digest.byteCount) {
            words[place / 8] = words[place / 8] << 8 | UInt64(byte)
            place += 1
        }
        self.words = words
    }

    /// A digest from 64 lower-case hexadecimal digits; `nil` for any other text.
    package init?(hexadecimal text: String) {
        var text = text
        let words: SIMD4<UInt64>? = text.withUTF8 { digits in
            guard digits.count == 2 * Digest.byteCount else { return nil }
            var words = SIMD4<UInt64>()
            for word in 0..<4 {
                var bits: UInt64 = 0
                for digit in digits[16 * word..<16 * word + 16] {
                    guard let value = Digest.value(of: digit) else { return nil }
                    bits = bits << 4 | value
                }
                words[word] = bits
            }
            return words
        }
        guard let words else { return nil }
        self.words = words
    }

    private static func value(of digit: UInt8) -> UInt64? {
        switch digit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt64(digit - UInt8(ascii: "0"))
        case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt64(digit - UInt8(ascii: "a") + 10)
        default: nil
        }
    }

    package var bytes: [UInt8] {
        (0..<Digest.byteCount).map {
            UInt8(truncatingIfNeeded: words[$0 / 8] >> UInt64(56 - $0 % 8 * 8))
        }
    }

    package var hexadecimal: String {
        // Proof: literals live forever, and each index is below 16.
        let digits = StaticString("0123456789abcdef").utf8Start
        return String(unsafeUninitializedCapacity: 2 * Digest.byteCount) { text in
            // Proof: the buffer has at least the requested capacity.
            for place in 0..<2 * Digest.byteCount {
                text[place] = digits[Int(words[place / 16] >> UInt64(60 - place % 16 * 4) & 15)]
            }
            return text.count
        }
    }
}
