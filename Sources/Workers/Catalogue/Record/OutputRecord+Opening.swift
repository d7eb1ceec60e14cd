import Glibc
import Jobs
import Recordings

extension OutputRecord {
    /// SQLite's own files beside the record.
    private static let companions = ["-wal", "-shm", "-journal"].map { name.adding(suffix: $0) }

    /// Opens the record of an output whose lock this process holds.
    ///
    /// Makes it if it is missing or of an earlier version, from manifests and journal. From then on
    /// the process opens the file by SQLite alone: closing any other descriptor would drop its
    /// locks.
    /// - Parameters:
    ///   - isRemote: whether the output is on a network share; `nil` to find out.
    ///   - isOfShard: whether another process may hold it too, where locks do not reach.
    /// - Returns: the record, and the new name of a damaged one that it replaces.
    static func open(
        in folder: DirectoryHandle, isRemote: Bool? = nil, isOfShard: Bool = false
    ) throws(FileSystemError) -> (record: OutputRecord, setAside: Pathname?) {
        let isRemote = isRemote ?? isOnShare(folder.path)
        let sharing: Sharing = !isRemote ? .memory : isOfShard ? .file : .nothing
        let links = try requireOwn(name, in: folder)
        for companion in companions { _ = try requireOwn(companion, in: folder) }
        guard try isDatabase(in: folder) else {
            let mark = try folder.beginning(of: name, bytes: OutputMark.mostBytes)
            let isSound = mark.isEmpty || OutputMark.root(in: mark) != nil
            let aside = isSound ? nil : try setAside(in: folder)
            return (try make(in: folder, sharing), aside)
        }
        do throws(FileSystemError) {
            let record = try openDatabase(in: folder, sharing, links: links)
            _ = try record.wayToRoot
            return (record, nil)
        } catch {
            guard error.isDamagedRecord else { throw error }
            let aside = try setAside(in: folder)
            return (try make(in: folder, sharing), aside)
        }
    }

    /// What processes that have the record open have in common.
    private enum Sharing {
        /// One machine's memory, as WAL needs.
        case memory
        /// The file, which each reads anew when another has written.
        case file
        /// Nothing: machines share no memory, and not always locks; this process keeps the lock.
        case nothing
    }

    static func isOnShare(_ folder: Pathname) -> Bool {
        (try? FileSystem.isRemote(folder)) ?? false
    }

    /// Opens the record of an output to look at it; nothing is changed.
    static func forReading(
        _ output: Pathname, isRemote: Bool? = nil
    ) throws(FileSystemError) -> OutputRecord {
        let isRemote = isRemote ?? isOnShare(output)
        do throws(FileSystemError) {
            return try openedForReading(output, isRemote)
        } catch {
            // On a share, a run has the record for itself; manifests are printed meanwhile.
            guard error.code == EBUSY, isRemote else { throw error }
            return try EarlierOutput(output).imported()
        }
    }

    private static func openedForReading(
        _ output: Pathname, _ isRemote: Bool
    ) throws(FileSystemError) -> OutputRecord {
        let folder = try DirectoryHandle(output)
        guard try isDatabase(in: folder) else { return try EarlierOutput(output).imported() }
        let path = try FileSystem.resolve(output).appending(name)
        // As a writer, which takes its own traces away when it closes the file.
        var database = try Database(path, .readWrite)
        let isCurrent: Bool
        do throws(FileSystemError) {
            let patience = isRemote ? "; PRAGMA busy_timeout = 500" : ""
            try database.execute("PRAGMA query_only = 1" + patience)
            isCurrent = try database.requireRecord()
        } catch {
            // Who may not write here cannot make the files that all who read and write share; where
            // there are none, nobody else has the record open.
            guard [ENOENT, EACCES, EPERM, EROFS].contains(error.code),
                try folder.status(of: companions[0]) == nil,
                try folder.status(of: companions[2]) == nil
            else { throw error }
            database = try Database(path, .unchanging)
            isCurrent = try database.requireRecord()
        }
        if isCurrent { return OutputRecord(database) }
        // Only a run migrates it; until then, manifests say the same, but for settings and root.
        let record = try EarlierOutput(output).imported()
        try database.forEach("SELECT key, value FROM meta") { (row) throws(FileSystemError) in
            try record.setMeta(row.text(0), row.bytes(1))
        }
        return record
    }

    /// Where the recordings of an output are, as seen from it; `nil` if unknown.
    static func wayToRoot(of output: Pathname) throws(FileSystemError) -> Pathname? {
        if try isDatabase(in: DirectoryHandle(output)) {
            let record = try forReading(output)
            defer { record.close() }
            return try record.wayToRoot
        }
        return OutputMark.root(
            in: try FileSystem.beginning(of: output.appending(name), bytes: OutputMark.mostBytes))
    }

    /// Whether an output has a record, and not one of a version that had none of SQLite.
    static func isThere(in output: Pathname) -> Bool {
        guard let folder = try? DirectoryHandle(output) else { return false }
        return (try? isDatabase(in: folder)) == true
    }

    private static func isDatabase(
        in folder: DirectoryHandle
    ) throws(FileSystemError) -> Bool {
        let magic = Array("SQLite format 3".utf8)
        return try folder.beginning(of: name, bytes: magic.count) == magic
    }

    private static func openDatabase(
        in folder: DirectoryHandle, _ sharing: Sharing, links: Int = 1
    ) throws(FileSystemError) -> OutputRecord {
        let path = folder.path.appending(name)
        // A file with further names, in a backup of hard links or elsewhere, is never written to.
        if links > 1 {
            let temporary = try unusedName(in: folder)
            do {
                var old = try Database(path, .readOnly)
                try old.requireRecord()
                try old.run(
                    "VACUUM INTO CAST(? AS TEXT)", .bytes(folder.path.appending(temporary).bytes))
            }
            // SQLite does not sync what it makes so.
            try FileSystem.syncAll(at: [folder.path])
            try put(temporary, in: folder)
        }
        var database = try Database(path, .readWrite)
        if sharing == .nothing { try database.execute("PRAGMA locking_mode = EXCLUSIVE") }
        if try !database.requireRecord() { try database.migrate() }
        try database.execute(
            "PRAGMA journal_mode = \(sharing == .memory ? "WAL" : "TRUNCATE"); PRAGMA synchronous = FULL"
        )
        if sharing == .nothing { try database.execute("BEGIN EXCLUSIVE; COMMIT") }
        try database.execute(RecordSchema.changeIndex)
        return OutputRecord(database)
    }

    /// Makes a record of what manifests and journal say, complete before it has its name.
    private static func make(
        in folder: DirectoryHandle, _ sharing: Sharing
    ) throws(FileSystemError) -> OutputRecord {
        _ = try requireOwn(RecoveredJournal.name, in: folder)
        let temporary = try unusedName(in: folder)
        do throws(FileSystemError) {
            var database = try Database(folder.path.appending(temporary), .create)
            try database.execute("PRAGMA synchronous = FULL")
            try database.makeTables()
            try EarlierOutput(folder.path).add(to: OutputRecord(database))
            try put(temporary, in: folder)
        } catch {
            try? folder.remove(temporary)
            throw error
        }
        try? folder.remove(RecoveredJournal.name)
        return try openDatabase(in: folder, sharing)
    }

    private static func unusedName(in folder: DirectoryHandle) throws(FileSystemError) -> Pathname {
        let (name, made) = try StagedOutput.unused { (name) throws(FileSystemError) in
            try folder.create(name)
        }
        Glibc.close(made)
        return name
    }

    /// Puts a closed database in the record's place; companions of another would corrupt it.
    private static func put(
        _ temporary: Pathname, in folder: DirectoryHandle
    ) throws(FileSystemError) {
        for name in companions { try folder.remove(name) }
        try folder.rename(temporary, to: name)
        try folder.sync()
    }

    /// Gives a damaged record another name, and returns that; an empty file in its place has the
    /// next run make it anew.
    static func setAsideDamaged(in folder: DirectoryHandle) throws(FileSystemError) -> Pathname {
        let aside = try setAside(in: folder)
        Glibc.close(try folder.create(name))
        return aside
    }

    /// Gives a damaged record another name, and returns that.
    private static func setAside(in folder: DirectoryHandle) throws(FileSystemError) -> Pathname {
        let aside = try folder.setAside(name, suffix: ".damaged")
        for companion in companions { try folder.remove(companion) }
        return aside
    }

    /// Throws if something is there that is not a file of our own.
    /// - Returns: the number of its names; 0 if it is missing.
    private static func requireOwn(
        _ name: Pathname, in folder: DirectoryHandle
    ) throws(FileSystemError) -> Int {
        do throws(FileSystemError) {
            let (descriptor, links) = try folder.openOwn(name, O_RDONLY)
            Glibc.close(descriptor)
            return links
        } catch {
            guard error.code == ENOENT else { throw error }
            return 0
        }
    }
}

extension OutputRecord {
    /// Opens the record for a dry run; empty if there is no output yet.
    package static func forReading(of places: RunPlaces) throws(RunRefusal) -> OutputRecord {
        try reading(places.shownOutput) { () throws(FileSystemError) in
            OutputFolder.isMarked(places.output)
                ? try forReading(places.output) : try OutputRecord()
        }
    }

    /// Converts errors of reading a record to refusals.
    static func reading<Result>(
        _ output: Pathname, _ body: () throws(FileSystemError) -> Result
    ) throws(RunRefusal) -> Result {
        do throws(FileSystemError) {
            return try body()
        } catch {
            throw .recordUnreadable(output, detail: error.isLaterRecord ? nil : error.detail)
        }
    }
}
