import Recordings

extension Pathname {
    /// The path as one line of readable text.
    ///
    /// Control characters, and marks that are not to be seen, are spelled out (`\n`,
    /// `\u{202e}`), bytes that are not UTF-8 as `\xff`, so that a name can neither break a line nor
    /// play tricks on a terminal.
    package var displayText: String {
        if isEmpty { return "." }
        var text = ""
        var rest = bytes[...]
        while !rest.isEmpty {
            let (scalar, length) = Pathname.firstScalar(of: rest)
            if let scalar {
                text += Pathname.spelling(of: scalar)
            } else {
                text += "\\x" + Pathname(bytes: [rest[rest.startIndex]]).hexadecimal
            }
            rest = rest.dropFirst(length)
        }
        return text
    }

    /// The first scalar and its length in bytes; no scalar where the first byte begins none.
    private static func firstScalar(of bytes: ArraySlice<UInt8>) -> (Unicode.Scalar?, Int) {
        for length in 1...4 where length <= bytes.count {
            guard let text = String(validating: bytes.prefix(length), as: UTF8.self) else {
                continue
            }
            return (text.unicodeScalars.first, length)
        }
        return (nil, 1)
    }

    private static func spelling(of scalar: Unicode.Scalar) -> String {
        switch scalar {
        case "\n": return "\\n"
        case "\r": return "\\r"
        case "\t": return "\\t"
        case "\\": return "\\\\"
        default: break
        }
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator:
            return "\\u{" + String(scalar.value, radix: 16) + "}"
        case .format where !joins(scalar):
            return "\\u{" + String(scalar.value, radix: 16) + "}"
        default:
            return String(scalar)
        }
    }

    /// Whether a mark is part of how a word or an emoji is written: the others are not to be seen,
    /// or turn the direction of writing.
    private static func joins(_ scalar: Unicode.Scalar) -> Bool {
        [0x200C, 0x200D].contains(scalar.value) || (0xE0020...0xE007F).contains(scalar.value)
    }
}
