import ArgumentParser
import Jobs
import Recordings
import Reports
import Workers

/// `tapedeck query`: answers a question in SQL from the record of an output.
struct QueryCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "query",
        abstract: "Ask the results a question in SQL.",
        discussion: """
            The tables are recordings, segments, silences, outputs and failures; docs/query.md lists their \
            columns. Reads only, also beside a run.

            Exit status: 0 printed, 1 the record could not be read, 64 wrong usage or query.

            Example: tapedeck query "SELECT folder, sum(durationSeconds) / 3600 AS hours \
            FROM recordings GROUP BY folder" ~/interviews
            """
    )

    @Argument(help: ArgumentHelp("One SELECT statement.", valueName: "sql"))
    var sql: String

    @Argument(help: ArgumentHelp("An output, or a folder of recordings.", valueName: "path"))
    var path: Pathname = "."

    @Flag(help: "Print comma-separated values with a header.")
    var csv = false

    @Flag(help: "Print one JSON object per line (NDJSON).")
    var json = false

    func validate() throws {
        try requirePath(path)
        guard !(csv && json) else { throw ValidationError("choose --csv or --json, not both") }
    }

    func run() throws {
        try ExitStatus.end(saying: FailureText.sentence(for:)) { () throws(RunRefusal) in
            let query = try RecordQuery(sql, of: try ResultTree.find(path))
            do throws(QueryRefusal) {
                try answer(query)
                return .allWell
            } catch {
                StandardStream.complain(QueryView.sentence(for: error))
                if case .unreadable = error { return .couldNotRun }
                return .usage
            }
        }
    }

    private func answer(_ query: RecordQuery) throws(QueryRefusal) {
        var columns: [String] = []
        var rows: [[RecordQuery.Value]] = []
        try query.run {
            columns = $0
            if csv { StandardStream.output.write(QueryView.csv($0) + "\n") }
        } row: { row in
            if csv {
                StandardStream.output.write(QueryView.csv(row.map(\.text)) + "\n")
            } else if json {
                StandardStream.output.write(JSONLine.text(QueryRow(columns, row)) + "\n")
            } else {
                rows.append(row)
            }
            return !StandardStream.hasLostOutput
        }
        guard !csv, !json else { return }
        let isNumber = columns.indices.map { column in
            rows.allSatisfy { $0[column].isNumber || $0[column] == .null }
        }
        let lines = QueryView.table(
            columns, rows.map { $0.map(\.text) }, isNumber: isNumber)
        StandardStream.output.write(lines.joined(separator: "\n") + "\n")
    }
}

/// A row as a JSON object, with NULL as `null`.
private struct QueryRow: Encodable {
    private let members: [String: RecordQuery.Value]

    init(_ columns: [String], _ row: [RecordQuery.Value]) {
        members = Dictionary(zip(columns, row)) { $1 }
    }

    func encode(to encoder: any Encoder) throws { try members.encode(to: encoder) }
}

extension RecordQuery.Value: Encodable {
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .integer(let value): try container.encode(value)
        case .real(let value): try container.encode(value)
        case .text(let value): try container.encode(value)
        }
    }

    fileprivate var isNumber: Bool {
        switch self {
        case .integer, .real: true
        case .null, .text: false
        }
    }

    /// As printed in tables and CSV; empty for NULL.
    fileprivate var text: String {
        switch self {
        case .null: ""
        case .integer(let value): String(value)
        case .real(let value): CountText.plain((value * 1e6).rounded() / 1e6)
        case .text(let value): value
        }
    }
}
