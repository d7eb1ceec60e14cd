import Jobs

/// The file format of traces, which record a run's actions and commands.
///
/// NDJSON. The first line is the header, `{"trace":{}}`. Each action has a line, `{"action":{}}`,
/// written before it is reduced; the next line has its commands, `{"commands":[]}`. If reducing an
/// action crashes the program, that action is the last line.
enum TraceFile {
    /// Increased by changes that readers must handle.
    static let currentFormat = 5

    /// The first bytes of every trace, unlikely in any other file.
    static let mark = Array("{\"trace\":".utf8)

    struct Header: Codable {
        var format = TraceFile.currentFormat
        var version: String
        var configuration: JobStore.Configuration
    }

    /// The part of the header that is the same in all formats.
    struct FormatLine: Decodable {
        struct Header: Decodable {
            var format: Int
        }

        var trace: Header
    }

    /// A line, with exactly one of these fields.
    struct Line: Codable {
        var trace: Header?
        var action: JobStore.Action?
        var commands: [JobStore.Command]?
    }

    static func text(_ line: Line) -> [UInt8] { Array((JSONLine.text(line) + "\n").utf8) }
}
