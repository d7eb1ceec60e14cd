/// A path or a single name, as the bytes the file system gave.
///
/// Not a `String`: Swift compares strings by canonical equivalence, so two file names that differ
/// only in Unicode normalisation would be equal, and a name that is not UTF-8 could not be stored.
/// Equality, hashing and order compare bytes.
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

    /// The path as text for display only: U+FFFD replaces bytes that are not UTF-8.
    package var text: String { String(decoding: bytes, as: UTF8.self) }

    /// Whether `text` is lossless.
    package var isUTF8: Bool {
        bytes.allSatisfy { $0 < 0x80 } || String(validating: bytes, as: UTF8.self) != nil
    }

    /// The bytes in lower-case hexadecimal, for names that text cannot represent.
    package var hexadecimal: String {
        let digits = Array("0123456789abcdef".utf8)
        let pairs = bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
        return String(decoding: pairs, as: UTF8.self)
    }

    /// The inverse of `hexadecimal`; `nil` if the text is not hexadecimal.
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

    /// Whether the path is relative and without `.` or `..`, so it cannot leave its base folder.
    package var staysBelow: Bool {
        !isAbsolute && !components.contains { $0 == "." || $0 == ".." }
    }

    package var isAbsolute: Bool { bytes.first == Pathname.slash }

    /// The last component; empty for a root.
    package var lastComponent: Pathname {
        let range = lastRange
        return range.count == bytes.count ? self : Pathname(bytes: Array(bytes[range]))
    }

    /// The byte range of the last component.
    private var lastRange: Range<Int> {
        var end = bytes.count
        while end > 0, bytes[end - 1] == Pathname.slash { end -= 1 }
        var start = end
        while start > 0, bytes[start - 1] != Pathname.slash { start -= 1 }
        return start..<end
    }

    /// The path without its last component; a root is its own parent.
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

    /// The path with `suffix` appended, as in `b.wav` → `b.wav.dat`.
    package func adding(suffix: String) -> Pathname {
        Pathname(bytes: bytes + suffix.utf8)
    }

    /// Whether `other` is this path or lies below it.
    package func contains(_ other: Pathname) -> Bool {
        other.components.starts(with: components)
    }

    /// The rest of `other` below this path; `nil` if `other` is not below it.
    package func relative(_ other: Pathname) -> Pathname? {
        guard contains(other) else { return nil }
        let rest = other.components.dropFirst(components.count)
        return Pathname(bytes: Array(rest.map(\.bytes).joined(separator: [Pathname.slash])))
    }

    /// Whether this is the name of a direct child: no slash, no NUL, neither `.` nor `..`.
    package var isSingleName: Bool {
        guard !bytes.isEmpty, !bytes.contains(where: { $0 == Pathname.slash || $0 == 0 }) else {
            return false
        }
        return bytes.count > 2 || !bytes.allSatisfy { $0 == Pathname.dot }
    }

    /// Whether the name begins with a dot.
    package var isHidden: Bool { bytes.first == Pathname.dot }

    /// The extension in lower case (ASCII only), without the dot; empty if there is none.
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
    /// Passes the bytes, zero-terminated for a system call, to `body`; valid only during the call.
    package func withCString<Result>(_ body: (UnsafePointer<CChar>) -> Result) -> Result {
        withUnsafeTemporaryAllocation(byteCount: bytes.count + 1, alignment: 1) { buffer in
            buffer.copyBytes(from: bytes)
            buffer[bytes.count] = 0
            // Proof: the buffer holds at least the zero, so its base address is not `nil`.
            return body(buffer.baseAddress.unsafelyUnwrapped.assumingMemoryBound(to: CChar.self))
        }
    }
}

// MARK: - JSON

extension Pathname: Codable {
    /// Encodes a string, or `{"bytes": "<hexadecimal>"}` if the name is not UTF-8.
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
