/// A path or a single name, as the bytes the file system gave.
///
/// Not a `String`: Swift compares strings by canonical equivalence, so two files whose names differ
/// only in Unicode normalisation would become one, and a name that is not UTF-8 could not be held
/// at all. Equality, hashing and order are those of the bytes.
package struct Pathname: Hashable, Sendable {
    /// The bytes, without a terminating zero.
    package let bytes: [UInt8]

    package init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    package init(_ text: String) {
        self.bytes = Array(text.utf8)
    }

    /// The path with no components: a root folder, relative to itself.
    package static let empty = Pathname(bytes: [])

    package var isEmpty: Bool { bytes.isEmpty }

    /// The path as text, with U+FFFD where the bytes are not UTF-8.
    ///
    /// For people, not for opening.
    package var text: String { String(decoding: bytes, as: UTF8.self) }

    /// Whether `text` holds everything the bytes hold.
    package var isUTF8: Bool {
        bytes.allSatisfy { $0 < 0x80 } || String(validating: bytes, as: UTF8.self) != nil
    }

    /// Lower-case hexadecimal of the bytes: the spelling of a name that text cannot hold.
    package var hexadecimal: String {
        let digits = Array("0123456789abcdef".utf8)
        let pairs = bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
        return String(decoding: pairs, as: UTF8.self)
    }

    /// The inverse of `hexadecimal`; `nil` where the text is no such spelling.
    package init?(hexadecimal text: String) {
        let digits = text.utf8.map { Character(UnicodeScalar($0)).hexDigitValue }
        guard digits.count.isMultiple(of: 2), !digits.contains(nil) else { return nil }
        let values = digits.compactMap { $0 }
        bytes = stride(from: 0, to: values.count, by: 2).map {
            UInt8(values[$0] << 4 | values[$0 + 1])
        }
    }
}

extension Pathname: ExpressibleByStringLiteral, CustomStringConvertible {
    package init(stringLiteral value: String) {
        self.init(value)
    }

    package var description: String { text }
}

// MARK: - Components

extension Pathname {
    private static let slash = UInt8(ascii: "/")
    private static let dot = UInt8(ascii: ".")

    /// The names between the slashes.
    package var components: [Pathname] {
        bytes.split(separator: Pathname.slash).map { Pathname(bytes: Array($0)) }
    }

    /// Whether it leads to a place in the folder that it is relative to, or to that folder.
    package var staysBelow: Bool {
        !isAbsolute && !components.contains { $0 == "." || $0 == ".." }
    }

    package var isAbsolute: Bool { bytes.first == Pathname.slash }

    /// The last name; empty for a root.
    package var lastComponent: Pathname {
        let range = lastRange
        return range.count == bytes.count ? self : Pathname(bytes: Array(bytes[range]))
    }

    /// Where the last name is.
    private var lastRange: Range<Int> {
        var end = bytes.count
        while end > 0, bytes[end - 1] == Pathname.slash { end -= 1 }
        var start = end
        while start > 0, bytes[start - 1] != Pathname.slash { start -= 1 }
        return start..<end
    }

    /// The path without its last name; the path itself where it has only a root.
    package var parent: Pathname {
        let parts = components.dropLast()
        let joined = Array(parts.map(\.bytes).joined(separator: [Pathname.slash]))
        return Pathname(bytes: isAbsolute ? [Pathname.slash] + joined : joined)
    }

    /// `self/other`; either may be empty.
    package func appending(_ other: Pathname) -> Pathname {
        if bytes.isEmpty { return other }
        if other.bytes.isEmpty { return self }
        var joined: [UInt8] = []
        joined.reserveCapacity(bytes.count + 1 + other.bytes.count)
        joined += bytes
        if bytes.last != Pathname.slash { joined.append(Pathname.slash) }
        joined += other.bytes
        return Pathname(bytes: joined)
    }

    /// The name with `suffix` written behind it, as in `b.wav` → `b.wav.dat`.
    package func adding(suffix: String) -> Pathname {
        Pathname(bytes: bytes + suffix.utf8)
    }

    /// Whether `other` is this path or lies below it.
    package func contains(_ other: Pathname) -> Bool {
        other.components.starts(with: components)
    }

    /// What is left of `other` below this path; `nil` where it does not lie there.
    package func relative(_ other: Pathname) -> Pathname? {
        guard contains(other) else { return nil }
        let rest = other.components.dropFirst(components.count)
        return Pathname(bytes: Array(rest.map(\.bytes).joined(separator: [Pathname.slash])))
    }

    /// Whether this names something in a folder itself, not below or beside it.
    package var isSingleName: Bool {
        guard !bytes.isEmpty, !bytes.contains(where: { $0 == Pathname.slash || $0 == 0 }) else {
            return false
        }
        return bytes.count > 2 || !bytes.allSatisfy { $0 == Pathname.dot }
    }

    /// Whether the name begins with a dot.
    package var isHidden: Bool { bytes.first == Pathname.dot }

    /// The text behind the last dot in lower case, ASCII only; empty where there is none.
    package var fileExtension: String {
        let name = lastRange
        guard let last = bytes[name].lastIndex(of: Pathname.dot), last > name.lowerBound else {
            return ""
        }
        let end = bytes[(last + 1)..<name.upperBound].map { (65...90).contains($0) ? $0 + 32 : $0 }
        return String(decoding: end, as: UTF8.self)
    }
}

// MARK: - System calls

extension Pathname {
    /// Lends the bytes with a zero behind them, as the system wants them, for one call.
    package func withCString<Result>(_ body: (UnsafePointer<CChar>) -> Result) -> Result {
        withUnsafeTemporaryAllocation(byteCount: bytes.count + 1, alignment: 1) { buffer in
            buffer.copyBytes(from: bytes)
            buffer[bytes.count] = 0
            // Proof: the buffer holds at least the zero, so it has an address.
            return body(buffer.baseAddress.unsafelyUnwrapped.assumingMemoryBound(to: CChar.self))
        }
    }
}

// MARK: - JSON

extension Pathname: Codable {
    /// Writes a string, or `{"bytes": "<hexadecimal>"}` where a string cannot hold the name.
    package func encode(to encoder: any Encoder) throws {
        if isUTF8 {
            var container = encoder.singleValueContainer()
            try container.encode(text)
        } else {
            try HexadecimalName(bytes: hexadecimal).encode(to: encoder)
        }
    }

    package init(from decoder: any Decoder) throws {
        if let text = try? decoder.singleValueContainer().decode(String.self) {
            self.init(text)
            return
        }
        let spelling = try HexadecimalName(from: decoder).bytes
        guard let path = Pathname(hexadecimal: spelling) else {
            throw DecodingError.dataCorrupted(
                .init(codingPath: decoder.codingPath, debugDescription: "not hexadecimal"))
        }
        self = path
    }

    private struct HexadecimalName: Codable {
        let bytes: String
    }
}
