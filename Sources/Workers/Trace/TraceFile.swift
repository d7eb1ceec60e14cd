import Jobs

/// The file format of traces: a run as the facts that happened and the orders that followed.
///
/// JSON lines. The first has the header, `{"trace":{}}`. Then each action has a line of its own,
/// `{"action":{}}`, written before the action is reduced, and its commands have the next,
/// `{"commands":[]}`: where reducing an action stops the program, that action is the last line.
enum TraceFile {
    /// Grows when a reader of the file would have to change.
    static let currentFormat = 5

    /// How every trace begins, and nothing else is likely to.
    static let mark = Array("{\"trace\":".utf8)

    struct Header: Codable {
        var format = TraceFile.currentFormat
        var version: String
        var configuration: JobStore.Configuration
    }

    /// The part of the first line that no format changes.
    struct FormatLine: Decodable {
        struct Header: Decodable {
            var format: Int
        }

        var trace: Header
    }

    /// A line; it has one of the three.
    struct Line: Codable {
        var trace: Header?
        var action: JobStore.Action?
        var commands: [JobStore.Command]?
    }

    static func text(_ line: Line) -> [UInt8] { Array((JSONLine.text(line) + "\n").utf8) }
}
