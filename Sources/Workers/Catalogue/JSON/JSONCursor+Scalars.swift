// Numbers and strings, as JSON spells them.

import Glibc

/// Powers of ten that a `Double` holds exactly.
private let powersOfTen: [Double] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
    1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
]

extension JSONCursor {
    /// A number by its parts, which are all of it where `isExact`.
    struct Number {
        /// All digits before the exponent, as one integer.
        var mantissa: UInt64 = 0
        /// By what power of ten that is to be multiplied.
        var exponent = 0
        var isNegative = false
        /// Whether the mantissa holds all digits, and the exponent is all of it.
        var isExact = true
        /// Whether there is neither point nor exponent.
        var isInteger = true
    }

    /// A number, correctly rounded; one beyond all that fits is none.
    mutating func number() throws(Malformed) -> Double {
        _ = peek()
        let start = place
        let number = try spelledNumber()
        // Both are exact, so that one division or multiplication rounds correctly (Clinger, "How to
        // Read Floating Point Numbers Accurately", 1990).
        let power = Int(number.exponent.magnitude)
        if number.isExact, number.mantissa <= 1 << 53, power < powersOfTen.count {
            let mantissa = Double(number.isNegative ? -1 : 1) * Double(number.mantissa)
            return number.exponent < 0
                ? mantissa / powersOfTen[power] : mantissa * powersOfTen[power]
        }
        let digits = UnsafeBufferPointer(rebasing: bytes[start..<place])
        guard let value = Double(String(decoding: digits, as: UTF8.self)), value.isFinite else {
            throw malformed
        }
        return value
    }

    /// A number that is spelled as an integer and that 64 bits hold.
    mutating func integer() throws(Malformed) -> Int64 {
        let number = try spelledNumber()
        guard number.isExact, number.isInteger else { throw malformed }
        if let value = Int64(exactly: number.mantissa) { return number.isNegative ? -value : value }
        guard number.isNegative, number.mantissa == Int64.min.magnitude else { throw malformed }
        return .min
    }

    /// Passes over a number: JSON has no `+1`, `.5`, `1.` or `01`.
    mutating func spelledNumber() throws(Malformed) -> Number {
        var number = Number()
        if peek() == UInt8(ascii: "-") {
            number.isNegative = true
            place += 1
        }
        let start = place
        var digits = passDigits(&number.mantissa)
        guard digits == 1 || digits > 1 && bytes[start] != UInt8(ascii: "0") else {
            throw malformed
        }
        if isAt(".", ".") {
            place += 1
            let decimals = passDigits(&number.mantissa)
            guard decimals > 0 else { throw malformed }
            number.isInteger = false
            number.exponent = -decimals
            digits += decimals
        }
        // Nineteen digits fit into 64 bits, whichever they are.
        number.isExact = digits <= 19
        if isAt("e", "E") {
            place += 1
            number.isInteger = false
            try passExponent(&number)
        }
        return number
    }

    private mutating func passExponent(_ number: inout Number) throws(Malformed) {
        let isNegative = isAt("-", "-")
        if isAt("+", "-") { place += 1 }
        var exponent: UInt64 = 0
        let digits = passDigits(&exponent)
        guard digits > 0 else { throw malformed }
        guard digits <= 4 else {
            number.isExact = false
            return
        }
        number.exponent += isNegative ? -Int(exponent) : Int(exponent)
    }

    /// Passes over digits, which are put behind those of `value`; tells how many there were.
    @inline(__always)
    private mutating func passDigits(_ value: inout UInt64) -> Int {
        let start = place
        while place < bytes.count, case let digit = bytes[place] &- UInt8(ascii: "0"), digit <= 9 {
            value = value &* 10 &+ UInt64(digit)
            place += 1
        }
        return place - start
    }

    @inline(__always)
    private func isAt(_ one: Unicode.Scalar, _ other: Unicode.Scalar) -> Bool {
        guard place < bytes.count else { return false }
        return bytes[place] == UInt8(ascii: one) || bytes[place] == UInt8(ascii: other)
    }
}

// MARK: - Strings

extension JSONCursor {
    /// The name of a member, as bytes in the text.
    struct Key {
        let bytes: UnsafeBufferPointer<UInt8>

        @inline(__always)
        static func ~= (name: StaticString, key: Key) -> Bool {
            guard name.utf8CodeUnitCount == key.bytes.count, let start = key.bytes.baseAddress
            else { return false }
            return memcmp(name.utf8Start, start, key.bytes.count) == 0
        }
    }

    /// The name of a member, with the colon behind it.
    @inline(__always)
    mutating func key() throws(Malformed) -> Key {
        let key = Key(bytes: try rawString().bytes)
        try expect(":")
        return key
    }

    /// The bytes between the quotes, and whether any of them is an escape.
    mutating func rawString() throws(Malformed) -> (
        bytes: UnsafeBufferPointer<UInt8>, isEscaped: Bool
    ) {
        try expect("\"")
        let start = place
        var isEscaped = false
        passPlainBytes()
        while place < bytes.count, bytes[place] != UInt8(ascii: "\"") {
            isEscaped = true
            place += 2
            passPlainBytes()
        }
        guard place < bytes.count else { throw malformed }
        defer { place += 1 }
        return (UnsafeBufferPointer(rebasing: bytes[start..<place]), isEscaped)
    }

    /// Goes on to the next quote or backslash, eight bytes at a time.
    @inline(__always)
    private mutating func passPlainBytes() {
        let text = UnsafeRawBufferPointer(bytes)
        while place + 8 <= text.count {
            let word = UInt64(
                littleEndian: text.loadUnaligned(fromByteOffset: place, as: UInt64.self))
            let found = zeros(word ^ 0x2222_2222_2222_2222) | zeros(word ^ 0x5C5C_5C5C_5C5C_5C5C)
            if found != 0 {
                place += found.trailingZeroBitCount / 8
                return
            }
            place += 8
        }
        while place < text.count, text[place] != UInt8(ascii: "\""),
            text[place] != UInt8(ascii: "\\")
        {
            place += 1
        }
    }

    func unescaped(
        _ bytes: UnsafeBufferPointer<UInt8>
    ) throws(Malformed) -> [UInt8] {
        var result: [UInt8] = []
        var rest = bytes[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "\\") else {
                result.append(byte)
                continue
            }
            guard let scalar = JSONCursor.escape(&rest) else { throw malformed }
            result += Array(String(scalar).utf8)
        }
        return result
    }

    /// What follows a backslash.
    private static func escape(_ rest: inout Slice<UnsafeBufferPointer<UInt8>>) -> Unicode.Scalar? {
        switch rest.popFirst() {
        case UInt8(ascii: "\""): return "\""
        case UInt8(ascii: "\\"): return "\\"
        case UInt8(ascii: "/"): return "/"
        case UInt8(ascii: "b"): return "\u{8}"
        case UInt8(ascii: "f"): return "\u{c}"
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "u"):
            guard let unit = codeUnit(&rest) else { return nil }
            guard (0xD800..<0xDC00).contains(unit) else { return Unicode.Scalar(unit) }
            guard rest.popFirst() == UInt8(ascii: "\\"), rest.popFirst() == UInt8(ascii: "u"),
                let low = codeUnit(&rest), (0xDC00..<0xE000).contains(low)
            else { return nil }
            return Unicode.Scalar(0x10000 + (unit - 0xD800) << 10 + (low - 0xDC00))
        default: return nil
        }
    }

    private static func codeUnit(_ rest: inout Slice<UnsafeBufferPointer<UInt8>>) -> UInt32? {
        guard rest.count >= 4 else { return nil }
        defer { rest = rest.dropFirst(4) }
        return UInt32(String(decoding: rest.prefix(4), as: UTF8.self), radix: 16)
    }
}

/// The highest bit of each zero byte, exact up to the lowest of them.
@inline(__always)
private func zeros(_ word: UInt64) -> UInt64 {
    (word &- 0x0101_0101_0101_0101) & ~word & 0x8080_8080_8080_8080
}
