import CSQLite
import Glibc
import Recordings

/// A connection to an SQLite database; closed on deinit.
///
/// Errors become `FileSystemError` with the system's `errno`, or `isDamagedRecord`. Not
/// thread-safe: its owner holds a lock around each use. Proof for the pointers: `handle` lives as
/// long as the value, a statement as long as `statements` holds it, and neither leaves this file
/// but as a `Row`, which is lent for one call.
struct Database: ~Copyable {
    let path: Pathname
    let handle: OpaquePointer
    /// The rows that were asked for last, since the next is mostly of the same; valid until a
    /// transaction is undone or rows are deleted.
    var ids: (folder: (path: Pathname, id: Int64)?, recipe: (recipe: Recipe, id: Int64)?)
    /// Compiled statements, by their text.
    private var statements: [String: OpaquePointer] = [:]

    enum Access: Hashable {
        case readOnly, readWrite, create, memory
        /// For a file that nobody writes to, in a folder where nothing can be made.
        case unchanging
    }

    /// A value to bind to a parameter.
    enum Value {
        case null
        case integer(Int64)
        case text(String)
        case bytes([UInt8])
    }

    /// Opens a database; the path must be free of symlinks.
    init(_ path: Pathname, _ access: Access) throws(FileSystemError) {
        let flags =
            switch access {
            case .readOnly: SQLITE_OPEN_READONLY
            case .unchanging: SQLITE_OPEN_READONLY | SQLITE_OPEN_URI
            case .readWrite: SQLITE_OPEN_READWRITE
            case .create: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
            case .memory: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_MEMORY
            }
        var opened: OpaquePointer?
        let place = access == .unchanging ? path.uri(query: "immutable=1") : path
        let code = place.withCString {
            sqlite3_open_v2(
                $0, &opened, flags | SQLITE_OPEN_NOFOLLOW | SQLITE_OPEN_EXRESCODE, nil)
        }
        guard code == SQLITE_OK, let opened else {
            let error = FileSystemError(
                path, sqlite: code, system: opened.map(sqlite3_system_errno))
            sqlite3_close(opened)
            throw error
        }
        handle = opened
        ids = (nil, nil)
        self.path = path
        sqlite3_busy_timeout(handle, Database.patienceMilliseconds)
    }

    /// How long to wait for another process that holds a lock.
    private static let patienceMilliseconds: Int32 = 20_000

    deinit {
        for statement in statements.values { sqlite3_finalize(statement) }
        sqlite3_close(handle)
    }

    /// Executes statements without parameters or results.
    func execute(_ sql: String) throws(FileSystemError) {
        errno = 0
        let code = sqlite3_exec(handle, sql, nil, nil, nil)
        guard code == SQLITE_OK else { throw error(code) }
    }

    /// Executes one statement, which may have parameters.
    mutating func run(_ sql: String, _ values: Value...) throws(FileSystemError) {
        try forEachRow(sql, values) { _ in }
    }

    /// Lends each row of a query.
    mutating func forEach(
        _ sql: String, _ values: Value..., body: (Row) throws(FileSystemError) -> Void
    ) throws(FileSystemError) {
        try forEachRow(sql, values, body)
    }

    /// As above, with any number of values.
    mutating func forEach(
        _ sql: String, _ values: [Value], body: (Row) throws(FileSystemError) -> Void
    ) throws(FileSystemError) {
        try forEachRow(sql, values, body)
    }

    /// The first row of a query; `nil` if there is none.
    mutating func first<Result>(
        _ sql: String, _ values: Value..., read: (Row) -> Result
    ) throws(FileSystemError) -> Result? {
        var first: Result?
        try forEachRow(sql, values) { row in first = first ?? read(row) }
        return first
    }

    private mutating func forEachRow(
        _ sql: String, _ values: [Value], _ body: (Row) throws(FileSystemError) -> Void
    ) throws(FileSystemError) {
        errno = 0
        let statement = try statement(sql)
        defer {
            sqlite3_reset(statement)
            sqlite3_clear_bindings(statement)
        }
        for (index, value) in values.enumerated() {
            let code = Database.bind(value, to: Int32(index + 1), of: statement)
            guard code == SQLITE_OK else { throw error(code) }
        }
        while true {
            switch sqlite3_step(statement) {
            case SQLITE_ROW: try body(Row(statement: statement))
            case SQLITE_DONE: return
            case let code: throw error(code)
            }
        }
    }

    private mutating func statement(_ sql: String) throws(FileSystemError) -> OpaquePointer {
        if let known = statements[sql] { return known }
        var made: OpaquePointer?
        let code = sqlite3_prepare_v3(
            handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &made, nil)
        guard code == SQLITE_OK, let made else { throw error(code) }
        statements[sql] = made
        return made
    }

    private static func bind(
        _ value: Value, to place: Int32, of statement: OpaquePointer
    ) -> Int32 {
        // SQLITE_TRANSIENT: SQLite copies the bytes. Proof: its header defines it as a destructor
        // of this bit pattern, which it compares and never calls.
        let copied = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
        switch value {
        case .null: return sqlite3_bind_null(statement, place)
        case .integer(let value): return sqlite3_bind_int64(statement, place, value)
        case .text(var text):
            return text.withUTF8 { utf8 in
                utf8.withMemoryRebound(to: CChar.self) {
                    sqlite3_bind_text64(
                        statement, place, $0.baseAddress, sqlite3_uint64($0.count), copied,
                        UInt8(SQLITE_UTF8))
                }
            }
        case .bytes(let bytes):
            // A null pointer would bind NULL.
            if bytes.isEmpty { return sqlite3_bind_zeroblob(statement, place, 0) }
            return bytes.withUnsafeBytes {
                sqlite3_bind_blob64(
                    statement, place, $0.baseAddress, sqlite3_uint64($0.count), copied)
            }
        }
    }

    private func error(_ code: Int32) -> FileSystemError {
        // The library does not note the cause of a failed commit, but leaves `errno` as it was.
        let cause = errno
        // It takes a disk that cannot be read for a damaged file.
        if code & 0xFF == SQLITE_CORRUPT, cause == EIO { return FileSystemError(path, code: EIO) }
        let system = sqlite3_system_errno(handle)
        return FileSystemError(path, sqlite: code, system: system == 0 ? cause : system)
    }
}

// MARK: - Transactions

extension Database {
    enum Purpose: String {
        case reading = "BEGIN"
        case writing = "BEGIN IMMEDIATE"
    }

    /// Runs `body` in a transaction, which is on the disk when this returns, or undone if it
    /// throws.
    mutating func transaction<Result>(
        _ purpose: Purpose = .writing, _ body: (inout Database) throws(FileSystemError) -> Result
    ) throws(FileSystemError) -> Result {
        try execute(purpose.rawValue)
        do throws(FileSystemError) {
            let result = try body(&self)
            try execute("COMMIT")
            return result
        } catch {
            ids = (nil, nil)
            // SQLite may have undone it already.
            if sqlite3_get_autocommit(handle) == 0 { try? execute("ROLLBACK") }
            throw error
        }
    }

    /// The row that was inserted last.
    var lastInserted: Int64 { sqlite3_last_insert_rowid(handle) }

    /// Whether the file is no longer at its path.
    var hasMoved: Bool {
        var moved: Int32 = 0
        let code = sqlite3_file_control(handle, "main", SQLITE_FCNTL_HAS_MOVED, &moved)
        return code == SQLITE_OK && moved != 0
    }
}

/// One row of a query's result, valid until the next.
struct Row {
    fileprivate let statement: OpaquePointer

    func integer(_ column: Int32) -> Int64 { sqlite3_column_int64(statement, column) }

    func real(_ column: Int32) -> Double { sqlite3_column_double(statement, column) }

    func isNull(_ column: Int32) -> Bool {
        sqlite3_column_type(statement, column) == SQLITE_NULL
    }

    /// A text's or blob's bytes; empty for NULL.
    func bytes(_ column: Int32) -> [UInt8] {
        // Proof: the pointer is read before the next call on the statement.
        guard let start = sqlite3_column_blob(statement, column) else { return [] }
        let count = Int(sqlite3_column_bytes(statement, column))
        return Array(UnsafeRawBufferPointer(start: start, count: count))
    }

    func path(_ column: Int32) -> Pathname { Pathname(bytes: bytes(column)) }
}
