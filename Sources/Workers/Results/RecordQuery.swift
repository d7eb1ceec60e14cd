import Jobs
import Recordings

/// A question in SQL to the record of an output; read-only.
package struct RecordQuery {
    package enum Value: Hashable, Sendable {
        case null
        case integer(Int64)
        case real(Double)
        case text(String)
    }

    private let record: OutputRecord
    private let sql: String

    /// - Parameter sql: one SELECT statement.
    package init(_ sql: String, of tree: ResultTree) throws(RunRefusal) {
        self.sql = sql
        record = try tree.record()
    }

    /// Lends the names of the columns, then each row.
    /// - Parameter row: returns whether to go on.
    package func run(
        columns: ([String]) -> Void, row: ([Value]) -> Bool
    ) throws(QueryRefusal) {
        defer { record.close() }
        let answer: Result<Void, QueryRefusal>
        do throws(FileSystemError) {
            answer = try record.read { (database) throws(FileSystemError) in
                database.ask(sql, columns: columns, row: row)
            }
        } catch {
            throw .unreadable(detail: error.detail)
        }
        try answer.get()
    }
}
