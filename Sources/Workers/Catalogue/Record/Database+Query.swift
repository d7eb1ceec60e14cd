import CSQLite
import Jobs
import Recordings

extension Database {
    /// Asks what a user has written; only reading is allowed.
    ///
    /// Proof for the pointers: the statement lives until it is finalised here, and all texts are
    /// copied before the next call.
    func ask(
        _ sql: String, columns: ([String]) -> Void, row: ([RecordQuery.Value]) -> Bool
    ) -> Result<Void, QueryRefusal> {
        // Not even ATTACH, which would make a file, or a PRAGMA.
        sqlite3_set_authorizer(
            handle,
            { _, action, _, _, _, _ in
                [SQLITE_SELECT, SQLITE_READ, SQLITE_FUNCTION, SQLITE_RECURSIVE].contains(action)
                    ? SQLITE_OK : SQLITE_DENY
            }, nil)
        defer { sqlite3_set_authorizer(handle, nil, nil) }
        var prepared: OpaquePointer?
        var isMore = false
        let code = sql.withCString { text in
            var rest: UnsafePointer<CChar>?
            let code = sqlite3_prepare_v2(handle, text, -1, &prepared, &rest)
            isMore =
                rest.map { String(cString: $0).contains { !$0.isWhitespace && $0 != ";" } } == true
            return code
        }
        defer { sqlite3_finalize(prepared) }
        guard code == SQLITE_OK else { return .failure(refusal(code)) }
        guard let prepared, !isMore else { return .failure(.notOneStatement) }
        let count = sqlite3_column_count(prepared)
        columns((0..<count).map { String(cString: sqlite3_column_name(prepared, $0)) })
        while true {
            switch sqlite3_step(prepared) {
            case SQLITE_ROW:
                guard row((0..<count).map { Database.value($0, of: prepared) }) else {
                    return .success(())
                }
            case SQLITE_DONE: return .success(())
            case let code: return .failure(refusal(code))
            }
        }
    }

    /// Whether the question is at fault, or the record.
    private func refusal(_ code: Int32) -> QueryRefusal {
        switch code & 0xFF {
        case SQLITE_AUTH: .notOnlyReading
        case SQLITE_CORRUPT, SQLITE_NOTADB, SQLITE_IOERR, SQLITE_BUSY, SQLITE_CANTOPEN:
            .unreadable(detail: FileSystemError(path, sqlite: code, system: nil).detail)
        default: .wrong(String(cString: sqlite3_errmsg(handle)))
        }
    }

    private static func value(_ column: Int32, of statement: OpaquePointer) -> RecordQuery.Value {
        switch sqlite3_column_type(statement, column) {
        case SQLITE_NULL: return .null
        case SQLITE_INTEGER: return .integer(sqlite3_column_int64(statement, column))
        case SQLITE_FLOAT: return .real(sqlite3_column_double(statement, column))
        default:
            guard let text = sqlite3_column_text(statement, column) else { return .text("") }
            let count = Int(sqlite3_column_bytes(statement, column))
            return .text(
                String(decoding: UnsafeBufferPointer(start: text, count: count), as: UTF8.self))
        }
    }
}
