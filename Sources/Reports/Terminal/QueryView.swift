import Exports
import Jobs
import Recordings

/// The output of `tapedeck query` as text.
package enum QueryView {
    /// Lines of a table without line ends: columns padded to their widest value, numbers to the
    /// right.
    ///
    /// What recordings say of themselves may hold anything, so each cell is printable.
    package static func table(_ columns: [String], _ rows: [[String]], isNumber: [Bool]) -> [String]
    {
        let (columns, rows) = (columns.map(cell), rows.map { $0.map(cell) })
        let widths = columns.indices.map { column in
            ([columns[column]] + rows.map { $0[column] }).map(\.count).max() ?? 0
        }
        let rule = widths.map { String(repeating: "-", count: $0) }
        return ([columns, rule] + rows).map { cells in
            let padded = cells.indices.map { column in
                let space = String(repeating: " ", count: widths[column] - cells[column].count)
                return isNumber[column] ? space + cells[column] : cells[column] + space
            }
            let line = padded.joined(separator: "  ")
            return String(line.reversed().drop { $0 == " " }.reversed())
        }
    }

    private static func cell(_ text: String) -> String {
        text.isEmpty ? "" : Pathname(text).displayText
    }

    /// A line of comma-separated values as in RFC 4180, without its end.
    package static func csv(_ cells: [String]) -> String {
        cells.map(ExportValue.cell).joined(separator: ",")
    }

    package static func sentence(for refusal: QueryRefusal) -> String {
        switch refusal {
        case .wrong(let message): "the query is wrong: \(message); see docs/query.md for the tables"
        case .notOneStatement: "a query is one SELECT statement"
        case .notOnlyReading: "a query may only read; write one SELECT statement"
        case .unreadable(let detail): "the record of results cannot be read: \(detail)"
        }
    }
}
