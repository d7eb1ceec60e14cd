import FoundationEssentials

/// A value as a line of JSON.
package enum JSONLine {
    /// Without a line end.
    package static func text(_ value: some Encodable) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // A trace may hold what no recording has.
        encoder.nonConformingFloatEncodingStrategy = .convertToString(
            positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
        do {
            return String(decoding: try encoder.encode(value), as: UTF8.self)
        } catch {
            // Infinities have a spelling, and every key is a string.
            preconditionFailure("a value could not be spelled as JSON: \(error)")
        }
    }

    /// What a line says; `nil` where it does not say it.
    static func read<Value: Decodable>(_ type: Value.Type, from line: [UInt8]) -> Value? {
        let decoder = JSONDecoder()
        decoder.nonConformingFloatDecodingStrategy = .convertFromString(
            positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
        return try? decoder.decode(type, from: Data(line))
    }
}
