import Dispatch
import Glibc
import Recordings

/// What an output knows: the results of each recording, and every file that was made of it.
///
/// One SQLite database, `.tapedeck` at the top of the output; it also marks the folder as one. All
/// methods may be called from any thread; each is one read or one transaction.
///
/// Proof that it may be sent: its variables are used only by who holds `lock`.
package final class OutputRecord: @unchecked Sendable {
    /// Its name at the top of an output.
    static let name: Pathname = ".tapedeck"

    private let lock = DispatchSemaphore(value: 1)
    /// `nil` once it is closed.
    private var database: Database?
    private var sawDamage = false
    /// The number of this process among those that held the record; `nil` if that is not counted.
    var epoch: Int64?

    init(_ database: consuming Database) {
        self.database = .some(database)
    }

    /// An empty record in memory.
    convenience init() throws(FileSystemError) {
        var memory = try Database(":memory:", .memory)
        try memory.makeTables()
        self.init(memory)
    }

    /// Reads in one transaction: what others write meanwhile is not seen.
    func read<Result>(
        _ body: (inout Database) throws(FileSystemError) -> Result
    ) throws(FileSystemError) -> Result {
        try use { (database) throws(FileSystemError) in
            try database.transaction(.reading, body)
        }
    }

    private func use<Result>(
        _ body: (inout Database) throws(FileSystemError) -> Result
    ) throws(FileSystemError) -> Result {
        lock.wait()
        defer { lock.signal() }
        guard var opened = database.take() else {
            throw FileSystemError(OutputRecord.name, code: EBADF)
        }
        do throws(FileSystemError) {
            let result = try body(&opened)
            database = consume opened
            return result
        } catch {
            database = consume opened
            if error.isDamagedRecord { sawDamage = true }
            throw error
        }
    }

    /// Closes the database, which takes away what SQLite keeps beside it.
    package func close() {
        lock.wait()
        defer { lock.signal() }
        database = nil
    }

    /// Whether damage was found on the way.
    var isDamaged: Bool {
        lock.wait()
        defer { lock.signal() }
        return sawDamage
    }

    func write<Result>(
        _ purpose: Database.Purpose = .writing,
        _ body: (inout Database) throws(FileSystemError) -> Result
    ) throws(FileSystemError) -> Result {
        try use { (database) throws(FileSystemError) in
            // What is written to a file without a name is lost.
            if database.hasMoved {
                // A shard that others took over may have been merged, and deleted.
                let folder = database.path.parent
                throw epoch == nil ? .outputGone(folder) : .takenOver(folder)
            }
            return try database.transaction(purpose) { (database) throws(FileSystemError) in
                if let epoch, try database.epoch != epoch { throw .takenOver(database.path.parent) }
                return try body(&database)
            }
        }
    }

    /// Writes with the tables of other databases at hand, each by its name and an underscore.
    /// - Parameter purpose: with `.reading`, they are read only, and others may read them too.
    func write(
        _ purpose: Database.Purpose = .writing, attaching others: [(name: String, path: Pathname)],
        _ body: (inout Database) throws(FileSystemError) -> Void
    ) throws(FileSystemError) {
        func each(
            _ change: (inout Database, String, Pathname) throws(FileSystemError) -> Void
        ) throws(FileSystemError) {
            try use { (database) throws(FileSystemError) in
                for (name, path) in others { try change(&database, name + "_", path) }
            }
        }
        try each { (database, name, path) throws(FileSystemError) in
            try database.attach(path, as: name)
        }
        defer {
            try? each { (database, name, _) throws(FileSystemError) in
                try database.execute("DETACH \(name)")
            }
        }
        try write(purpose, body)
    }
}

extension Database {
    mutating func makeTables() throws(FileSystemError) {
        try transaction { (database) throws(FileSystemError) in
            try database.execute(RecordSchema.tables + RecordSchema.views)
            try database.execute(
                "PRAGMA application_id = \(RecordSchema.applicationID);"
                    + "PRAGMA user_version = \(RecordSchema.version)")
        }
    }

    /// Throws unless it is a record of a version that this one knows.
    /// - Returns: whether it is of the present version, and not to be migrated.
    @discardableResult
    mutating func requireRecord() throws(FileSystemError) -> Bool {
        let id = try first("PRAGMA application_id") { $0.integer(0) }
        guard id == RecordSchema.applicationID else { throw .damagedRecord(path) }
        let version = try first("PRAGMA user_version") { $0.integer(0) } ?? 0
        guard version <= RecordSchema.version else { throw .laterRecord(path) }
        return version == RecordSchema.version
    }

    /// Changes the tables of an earlier version into those of this one.
    mutating func migrate() throws(FileSystemError) {
        let version = try first("PRAGMA user_version") { $0.integer(0) } ?? 0
        try transaction { (database) throws(FileSystemError) in
            try database.execute(
                RecordSchema.migration(from: version) + RecordSchema.views
                    + "PRAGMA user_version = \(RecordSchema.version)")
            if version < 4 { try database.addSegments() }
        }
    }

    /// Adds the segments that earlier versions did not record; manifests are printed again.
    private mutating func addSegments() throws(FileSystemError) {
        var ids: [Int64] = []
        try forEach("SELECT id FROM entries") { ids.append($0.integer(0)) }
        for id in ids.map({ Value.integer($0) }) {
            let entry = try first("SELECT entry FROM entries WHERE id = ?", id) { $0.entry(0) }
            guard var entry = entry ?? nil, entry.addSegments() else { continue }
            try run(
                "UPDATE entries SET entry = CAST(? AS TEXT) WHERE id = ?",
                .bytes(JSONLine.bytes(entry)), id)
        }
        try execute("UPDATE folders SET printedBytes = NULL")
    }
}

// MARK: - The root

extension OutputRecord {
    /// Where the recordings are, as seen from the output; `nil` if unknown.
    var wayToRoot: Pathname? {
        get throws(FileSystemError) {
            try meta("root").map(Pathname.init(bytes:))
        }
    }

    func setWayToRoot(_ way: Pathname) throws(FileSystemError) {
        try setMeta("root", way.bytes)
    }

    /// A value of the output as a whole; `nil` if there is none.
    func meta(_ key: String) throws(FileSystemError) -> [UInt8]? {
        try read { (database) throws(FileSystemError) in
            try database.first("SELECT value FROM meta WHERE key = ?", .text(key)) { $0.bytes(0) }
        }
    }

    /// Sets a value of the output as a whole; writes nothing if it is that already.
    func setMeta(_ key: String, _ value: [UInt8]) throws(FileSystemError) {
        guard try meta(key) != value else { return }
        try write { (database) throws(FileSystemError) in
            try database.run(
                "INSERT OR REPLACE INTO meta(key, value) VALUES (?, ?)", .text(key), .bytes(value))
        }
    }
}
