import Recordings

extension Pathname {
    /// The path as one printable line.
    ///
    /// Control and invisible characters are escaped (`\n`, `\u{202e}`), and bytes that are not
    /// UTF-8 as `\xff`, so that a name can neither break a line nor inject terminal sequences.
    package var displayText: String {
        if isEmpty { return "." }
        var text = ""
        var rest = bytes[...]
        var parser = Unicode.UTF8.ForwardParser()
        var iterator = bytes.makeIterator()
        while true {
            switch parser.parseScalar(from: &iterator) {
            case .valid(let encoded):
                text += Pathname.spelling(of: Unicode.UTF8.decode(encoded))
                rest = rest.dropFirst(encoded.count)
            case .error(let length):
                for byte in rest.prefix(length) {
                    text += "\\x" + Pathname(bytes: [byte]).hexadecimal
                }
                rest = rest.dropFirst(length)
            case .emptyInput: return text
            }
        }
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
        case .format where joins(scalar): return String(scalar)
        case .control, .lineSeparator, .paragraphSeparator, .format:
            return "\\u{" + String(scalar.value, radix: 16) + "}"
        default: return String(scalar)
        }
    }

    /// Whether a format character is part of a word or an emoji; the others are invisible or change
    /// the writing direction.
    private static func joins(_ scalar: Unicode.Scalar) -> Bool {
        [0x200C, 0x200D].contains(scalar.value) || (0xE0020...0xE007F).contains(scalar.value)
    }
}
