import Recordings

/// The text of a file, as far as it is not written yet.
package struct ExportText: Sendable {
    package private(set) var bytes: [UInt8] = []

    package init() {}

    package mutating func add(_ text: String) { bytes += text.utf8 }

    package mutating func add(bytes: [UInt8]) { self.bytes += bytes }

    /// Adds fields as one line.
    package mutating func addLine(_ fields: String..., separator: String = "\t") {
        add(fields.joined(separator: separator) + "\n")
    }

    /// Returns what was added since the last call.
    package mutating func take() -> [UInt8] {
        defer { bytes.removeAll(keepingCapacity: true) }
        return bytes
    }
}

/// How names and times are written.
package enum ExportValue {
    /// Seconds with six decimals: a frame at 192 kHz lasts five millionths.
    package static func seconds(_ seconds: Double) -> String {
        let micros = Int64((seconds * 1e6).rounded())
        return "\(micros / 1_000_000)." + padded(micros % 1_000_000, to: 6)
    }

    /// A number with some decimals.
    package static func decimal(_ number: Double, _ decimals: Int) -> String {
        let scale = decimals == 1 ? 10.0 : 100.0
        let units = Int64((abs(number) * scale).rounded())
        let sign = number < 0 && units > 0 ? "-" : ""
        return sign + "\(units / Int64(scale))."
            + padded(units % Int64(scale), to: decimals)
    }

    /// A number with leading zeros.
    package static func padded(_ number: Int64, to digits: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(0, digits - text.count)) + text
    }

    /// "01:02:03.456".
    package static func clock(_ seconds: Double, point: String) -> String {
        let millis = Int64((seconds * 1000).rounded())
        let whole = millis / 1000
        let fields = [whole / 3600, whole / 60 % 60, whole % 60].map { padded($0, to: 2) }
        return fields.joined(separator: ":") + point + padded(millis % 1000, to: 3)
    }

    /// A path as text in one line.
    package static func line(_ path: Pathname) throws(ExportObstacle) -> String {
        guard path.isUTF8, !path.bytes.contains(where: { $0 < 0x20 || $0 == 0x7F }) else {
            throw .name
        }
        return path.text
    }

    /// A path as text, line breaks included.
    package static func text(_ path: Pathname) throws(ExportObstacle) -> String {
        guard path.isUTF8 else { throw .name }
        return path.text
    }

    /// A path as one word: white space, control characters, `%` and bytes that are not UTF-8 are
    /// written as `%20` and the like, so that no two paths are written alike.
    package static func word(_ path: Pathname) -> String {
        guard path.isUTF8 else { return path.bytes.map(escaped).joined() }
        return path.text.unicodeScalars.map { scalar in
            let isPlain =
                !scalar.properties.isWhitespace && scalar.value >= 0x20
                && scalar.value != 0x7F && scalar != "%"
            return isPlain
                ? String(scalar) : String(scalar).utf8.map { percent($0) }.joined()
        }.joined()
    }

    private static func escaped(_ byte: UInt8) -> String {
        (0x21...0x7E).contains(byte) && byte != UInt8(ascii: "%")
            ? String(UnicodeScalar(byte)) : percent(byte)
    }

    private static func percent(_ byte: UInt8) -> String {
        let text = String(byte, radix: 16, uppercase: true)
        return byte < 16 ? "%0" + text : "%" + text
    }

    /// A `file:` URL (RFC 8089).
    package static func url(_ path: Pathname) -> String { "file://" + reference(path) }

    /// A path as part of a URL (RFC 3986).
    package static func reference(_ path: Pathname) -> String {
        let plain = Set("/-._~".utf8)
        return path.bytes.map { byte in
            let isPlain =
                plain.contains(byte) || (0x30...0x39).contains(byte)
                || (0x41...0x5A).contains(byte & 0xDF)
            return isPlain ? String(UnicodeScalar(byte)) : percent(byte)
        }.joined()
    }

    /// A JSON string with its quotes.
    package static func json(_ text: String) -> String {
        var quoted = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": quoted += "\\\""
            case "\\": quoted += "\\\\"
            case "\n": quoted += "\\n"
            case _ where scalar.value < 0x20:
                quoted +=
                    "\\u00" + (scalar.value < 16 ? "0" : "")
                    + String(scalar.value, radix: 16)
            default: quoted.unicodeScalars.append(scalar)
            }
        }
        return quoted + "\""
    }

    /// A cell of a comma-separated line (RFC 4180).
    package static func cell(_ text: String) -> String {
        let isPlain = !text.contains { $0 == "," || $0 == "\"" || $0.isNewline }
        return isPlain ? text : "\"\(text.replacing("\"", with: "\"\""))\""
    }
}
