import FoundationEssentials
import Jobs
import Recordings

/// The file format of traces: a run as the facts that happened and the orders that followed.
///
/// JSON lines. The first is the header, `{"trace":4,"version":"0.1.0","configuration":{}}` with
/// more in the configuration. Then each action has a line of its own, `{"action":{}}`, written
/// before the action is reduced, and its commands have the next, `{"commands":[]}`: where reducing
/// an action stops the program, that action is the last line.
enum TraceFile {
    /// Grows when a reader of the file would have to change.
    static let currentFormat = 5

    /// How every trace begins, and nothing else is likely to.
    static let mark = Array("{\"trace\":".utf8)

    /// What the first line says; `trace` is its format.
    struct Header: Codable {
        var trace: Int
        var version: String
        var configuration: JobStore.Configuration
    }

    /// The part of the header that no format changes.
    struct FormatOnly: Codable {
        var trace: Int
    }

    /// Every other line; it has one of the two.
    struct Line: Codable {
        var action: JobStore.Action?
        var commands: [JobStore.Command]?
    }

    /// The header as a line, whose first key is the mark.
    static func text(version: String, _ configuration: JobStore.Configuration) -> [UInt8] {
        mark + Array("\(currentFormat),\"version\":".utf8) + json(version)
            + Array(",\"configuration\":".utf8) + json(configuration) + Array("}\n".utf8)
    }

    /// Any other line.
    static func text(_ line: Line) -> [UInt8] { Array(json(line)) + [UInt8(ascii: "\n")] }

    private static func json(_ value: some Encodable) -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        encoder.nonConformingFloatEncodingStrategy = .convertToString(
            positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
        do {
            return try encoder.encode(value)
        } catch {
            // Infinities have a spelling, and every key is a string.
            preconditionFailure("a line of a trace could not be spelled: \(error)")
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
