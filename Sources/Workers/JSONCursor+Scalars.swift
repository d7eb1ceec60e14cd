// Numbers and strings, as JSON spells them.

extension JSONCursor {
    /// Powers of ten that a `Double` holds exactly.
    private static let powersOfTen: [Double] = (0...22).map { exponent in
        (0..<exponent).reduce(1.0) { product, _ in product * 10 }
    }

    /// A number, correctly rounded.
    mutating func number() throws(Malformed) -> Double {
        let digits = try numberBytes()
        if let value = JSONCursor.shortDecimal(digits) { return value }
        return try longDecimal(digits)
    }

    /// A decimal whose digits and power of ten a `Double` holds exactly, so that one division rounds
    /// correctly (Clinger, "How to Read Floating Point Numbers Accurately", 1990).
    private static func shortDecimal(_ digits: UnsafeBufferPointer<UInt8>) -> Double? {
        var mantissa: Int64 = 0
        var decimals = 0
        var isFraction = false
        let isNegative = digits.first == UInt8(ascii: "-")
        guard digits.count <= 17 else { return nil }
        for byte in isNegative ? digits.dropFirst() : digits[...] {
            if byte == UInt8(ascii: ".") {
                isFraction = true
            } else {
                guard (48...57).contains(byte) else { return nil }
                mantissa = mantissa * 10 + Int64(byte - 48)
                if isFraction { decimals += 1 }
            }
        }
        guard mantissa < 1 << 53 else { return nil }
        let value = Double(mantissa) / powersOfTen[decimals]
        return isNegative ? -value : value
    }

    private func longDecimal(
        _ digits: UnsafeBufferPointer<UInt8>
    ) throws(Malformed) -> Double {
        guard let value = Double(String(decoding: digits, as: UTF8.self)) else { throw malformed }
        return value
    }

    mutating func numberBytes() throws(Malformed) -> UnsafeBufferPointer<UInt8> {
        _ = peek()
        let start = place
        while place < bytes.count, JSONCursor.isNumberByte(bytes[place]) { place += 1 }
        let digits = UnsafeBufferPointer(rebasing: bytes[start..<place])
        guard JSONCursor.isNumber(digits) else {
            place = start
            throw malformed
        }
        return digits
    }

    /// Whether the bytes begin and end like a number: JSON has no `+1`, `.5` or `1.`.
    private static func isNumber(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        let first = bytes.first == UInt8(ascii: "-") ? bytes.dropFirst().first : bytes.first
        guard let first, let last = bytes.last else { return false }
        return (48...57).contains(first) && (48...57).contains(last)
    }

    private static func isNumberByte(_ byte: UInt8) -> Bool {
        switch byte {
        case 48...57, UInt8(ascii: "-"), UInt8(ascii: "+"), UInt8(ascii: "."), UInt8(ascii: "e"),
            UInt8(ascii: "E"):
            true
        default: false
        }
    }
}

// MARK: - Strings

extension JSONCursor {
    mutating func key() throws(Malformed) -> Key {
        Key(bytes: try rawString().bytes)
    }

    /// The bytes between the quotes, and whether any of them is an escape.
    mutating func rawString() throws(Malformed) -> (
        bytes: UnsafeBufferPointer<UInt8>, isEscaped: Bool
    ) {
        try expect("\"")
        let start = place
        var isEscaped = false
        while place < bytes.count, bytes[place] != UInt8(ascii: "\"") {
            if bytes[place] == UInt8(ascii: "\\") {
                isEscaped = true
                place += 1
            }
            place += 1
        }
        guard place < bytes.count else { throw malformed }
        defer { place += 1 }
        return (UnsafeBufferPointer(rebasing: bytes[start..<place]), isEscaped)
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
