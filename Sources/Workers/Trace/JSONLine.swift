import FoundationEssentials

/// Encodes and decodes values as JSON lines.
package enum JSONLine {
    /// Without a line end.
    package static func text(_ value: some Encodable) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // A trace may contain values that no recording has.
        encoder.nonConformingFloatEncodingStrategy = .convertToString(
            positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
        do {
            return String(decoding: try encoder.encode(value), as: UTF8.self)
        } catch {
            // Non-finite numbers are encoded as strings, and every key is a string.
            preconditionFailure("a value could not be spelled as JSON: \(error)")
        }
    }

    /// The bytes of a text, for a record or a manifest.
    static func bytes(_ value: some Encodable) -> [UInt8] { Array(text(value).utf8) }

    /// Bytes in base64 (RFC 4648).
    static func base64(_ bytes: [UInt8]) -> String { Data(bytes).base64EncodedString() }

    /// Decodes a line; `nil` if it is invalid.
    package static func read<Value: Decodable>(_ type: Value.Type, from line: [UInt8]) -> Value? {
        let decoder = JSONDecoder()
        decoder.nonConformingFloatDecodingStrategy = .convertFromString(
            positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
        return try? decoder.decode(type, from: Data(line))
    }
}
