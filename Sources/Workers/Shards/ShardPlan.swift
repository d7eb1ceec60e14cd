import Glibc
import Jobs
import Recordings

/// Which recordings each shard of an output works on, in a file that is written once.
///
/// An SQLite database: one row for each recording, in the order of the listing, and for each shard
/// the first and the last of its rows. As it never changes, it is read without locks, which not
/// every share has.
package struct ShardPlan: Sendable {
    package struct Facts: Codable, Hashable, Sendable {
        package var count: Int
        /// The version of this program: others may write other bytes.
        package var version: String
        package var settings: OutputSettings
        package var targets: [FolderScan.Target]
        package var recordings: Int64 = 0
        /// Tells the plan from earlier ones, so that a record that one left counts for nothing.
        var id = UInt64.random(in: .min ... .max)
    }

    /// The folder of plan and shards, at the top of an output.
    package static let folder: Pathname = ".tapedeck.shards"
    static let name: Pathname = "plan"

    package let output: Pathname
    package let facts: Facts
    /// Why folders were left to the merge, if this process has made the plan.
    package var unread: [FileSystemError] = []

    var path: Pathname { ShardPlan.path(in: output) }

    static func path(in output: Pathname) -> Pathname {
        output.appending(folder).appending(name)
    }

    /// Where a shard's record and lock are.
    static func catalogue(of shard: Shard, in output: Pathname) -> Pathname {
        output.appending(folder).appending(shard.folderName)
    }

    /// What a shard's record has noted when all of it is done.
    var finishedMark: [UInt8] { Array(String(facts.id).utf8) }

    /// The shards that have a record, ascending.
    var begun: [(number: Int, catalogue: Pathname)] {
        (1...facts.count).compactMap { number in
            Shard(number, of: facts.count).map {
                (number, ShardPlan.catalogue(of: $0, in: output))
            }
        }.filter { OutputFolder.isMarked($0.1) }
    }

    /// The plan of an output; `nil` if there is none.
    package static func find(in output: Pathname) throws(RunRefusal) -> ShardPlan? {
        let path = path(in: output)
        return try reading(path) { () throws(FileSystemError) in
            let found = try ifThere { () throws(FileSystemError) in
                try FileSystem.status(path, followingLink: false)
            }
            guard found?.kind == .regular else { return nil }
            var plan = try Database(path, .unchanging)
            let bytes = try plan.first("SELECT value FROM facts") { $0.bytes(0) }
            guard let facts = bytes.flatMap({ JSONLine.read(Facts.self, from: $0) }) else {
                throw .damagedRecord(path)
            }
            return ShardPlan(output: output, facts: facts)
        }
    }

    /// Refuses to work on an output as a whole while shards have results of their own.
    package static func requireNone(in output: Pathname) throws(RunRefusal) {
        guard let plan = try find(in: output) else { return }
        throw .shards(RunPlaces.shown(output), .unmerged(count: plan.facts.count))
    }

    /// What a shard works on, in the order of the listing.
    func targets(of shard: Shard) throws(RunRefusal) -> [FolderScan.Target] {
        try ShardPlan.reading(path) { () throws(FileSystemError) in
            var plan = try Database(path, .unchanging)
            var targets: [FolderScan.Target] = []
            try plan.forEach(
                """
                SELECT f.path, r.name FROM shards AS s
                CROSS JOIN recordings AS r ON r.id BETWEEN s.first AND s.last
                CROSS JOIN folders AS f ON f.id = r.folder WHERE s.number = ? ORDER BY r.id
                """, .integer(Int64(shard.number))
            ) { targets.append(.recording(folder: $0.path(0), name: $0.path(1))) }
            return targets
        }
    }

    static func reading<Result>(
        _ path: Pathname, _ body: () throws(FileSystemError) -> Result
    ) throws(RunRefusal) -> Result {
        do throws(FileSystemError) {
            return try body()
        } catch {
            throw .shards(path, .unreadable(RunPlaces.shown(path), detail: error.detail))
        }
    }
}

// MARK: - Making it

extension ShardPlan {
    static let tables = """
        CREATE TABLE facts(value BLOB NOT NULL) STRICT;
        CREATE TABLE folders(id INTEGER PRIMARY KEY, path BLOB NOT NULL) STRICT;
        -- work: of decoding it, about in bytes of PCM. The rest finds files that were moved.
        CREATE TABLE recordings(
            id INTEGER PRIMARY KEY, folder INTEGER NOT NULL, name BLOB NOT NULL,
            work INTEGER NOT NULL, bytes INTEGER NOT NULL, modifiedNanoseconds INTEGER,
            identity INTEGER
        ) STRICT;
        CREATE TABLE shards(
            number INTEGER PRIMARY KEY, first INTEGER NOT NULL, last INTEGER NOT NULL
        ) STRICT;
        """

    /// Lists the recordings of a run and writes the plan, whose output this process has locked.
    ///
    /// Memory does not grow with the number of recordings, but with that of folders.
    /// - Parameter record: the output's, which knows what was there before.
    package static func make(
        _ places: RunPlaces, _ record: OutputRecord, _ facts: Facts
    ) throws(RunRefusal) -> ShardPlan {
        let folder = places.output.appending(folder)
        let temporary = folder.appending("plan.partial")
        let hasEntries = try OutputLock.refusing(places.shownOutput) {
            () throws(FileSystemError) in try record.hasEntries
        }
        if hasEntries {
            try RunPlaces.requireRecordings(in: places.root, beside: places.output)
        }
        var facts = facts
        var unread: [FileSystemError] = []
        // A merge that was killed may have left records of shards that are merged.
        FileSystem.removeAll(at: folder)
        try OutputLock.refusing(places.shownOutput) { () throws(FileSystemError) in
            try FileSystem.makeFolder(folder)
        }
        do throws(FileSystemError) {
            var plan = try Database(temporary, .create)
            // What is half written is begun anew.
            try plan.execute("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF")
            try plan.execute(tables)
            unread = try plan.transaction { (plan) throws(FileSystemError) in
                try ShardLister(places, record).list(into: &plan, wantsIdentities: hasEntries)
            }
            if hasEntries { try record.leaveOutMoved(of: temporary) }
            try plan.transaction { (plan) throws(FileSystemError) in
                try plan.divide(among: &facts)
                try plan.run("INSERT INTO facts VALUES (?)", .bytes(JSONLine.bytes(facts)))
            }
        } catch {
            throw places.output.contains(error.path)
                ? .outputNotMade(places.shownOutput, detail: error.detail)
                : .pathUnreadable(RunPlaces.shown(error.path), detail: error.detail)
        }
        try OutputLock.refusing(places.shownOutput) { () throws(FileSystemError) in
            try FileSystem.syncAll(at: folder)
            try DirectoryHandle(folder).rename("plan.partial", to: name)
            try FileSystem.syncAll(at: folder)
        }
        return ShardPlan(output: places.output, facts: facts, unread: unread)
    }
}

extension Database {
    /// Divides the recordings into stretches of about equal work.
    fileprivate mutating func divide(among facts: inout ShardPlan.Facts) throws(FileSystemError) {
        let sums = try first("SELECT count(*), total(work) FROM recordings") {
            ($0.integer(0), $0.real(1))
        }
        guard let (recordings, work) = sums else { return }
        facts.recordings = recordings
        var stretches = Array(repeating: (first: Int64(0), last: Int64(-1)), count: facts.count)
        var before = 0.0
        try forEach("SELECT id, work FROM recordings ORDER BY id") { row in
            // It belongs to whom its middle belongs to.
            let own = row.real(1)
            let place = Int((before + own / 2) * Double(stretches.count) / max(work, 1))
            before += own
            let number = min(place, stretches.count - 1)
            if stretches[number].last < 0 { stretches[number].first = row.integer(0) }
            stretches[number].last = row.integer(0)
        }
        for (index, stretch) in stretches.enumerated() {
            try run(
                "INSERT INTO shards VALUES (?, ?, ?)", .integer(Int64(index + 1)),
                .integer(stretch.first), .integer(stretch.last))
        }
    }
}
