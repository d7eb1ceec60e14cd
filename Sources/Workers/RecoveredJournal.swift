import Jobs
import Recordings

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// What a journal tells of a run that did not end.
///
/// Holds the file's bytes and where the facts in it are; entries are read when they are asked for.
package struct RecoveredJournal: Sendable {
    private let text: [UInt8]
    /// Where the JSON of each fact is, in order of writing, by the facts' folder.
    private let places: [Pathname: [Range<Int>]]
    /// Lines before the last, counted from 1, that do not hold; each costs its own fact alone.
    package let damaged: [Int]
    /// Whether the last line was never finished, as a crash leaves it.
    package let hasTornTail: Bool

    /// Whether there is a file, if only with a line that was never finished.
    private var isThere = false
    /// The folders that there are facts about, ascending.
    package let folders: [Pathname]

    /// Reads the journal at the top of an output folder; one that is missing tells nothing.
    package static func read(
        in output: Pathname
    ) throws(FileSystemError) -> RecoveredJournal {
        let path = output.appending(JournalFile.name)
        do throws(FileSystemError) {
            // It would lead elsewhere.
            guard try FileSystem.status(path, followingLink: false).kind != .link else {
                throw FileSystemError(path, code: ELOOP)
            }
            var journal = try RecoveredJournal(try FileSystem.contents(of: path), at: path)
            journal.isThere = true
            return journal
        } catch {
            guard error.code == ENOENT else { throw error }
            return try RecoveredJournal([], at: path)
        }
    }

    /// Finds the lines of a journal and checks each; throws where a later version wrote it.
    init(_ text: [UInt8], at path: Pathname) throws(FileSystemError) {
        var lines = Lines()
        text.withUnsafeBytes { lines.read($0) }
        if lines.isOfLaterVersion { throw .laterJournal(path) }
        self.text = text
        places = lines.places
        damaged = lines.damaged
        hasTornTail = lines.hasTornTail
        folders = lines.places.keys.sorted()
    }

    /// What a run has to know of it as it begins.
    package var contents: JournalContents {
        JournalContents(folders: folders, damagedLines: damaged, isThere: isThere)
    }

    /// The facts about recordings of a folder, in order of writing: of a recording's entries the
    /// last one counts, of its obsolete outputs all.
    package func facts(in folder: Pathname) -> [JournalFact] {
        values(in: folder) { (json) throws(JSONCursor.Malformed) in try JournalFact(&json) }
    }

    /// What is wanted of each entry of a folder, in order of writing.
    /// - Parameter entry: reads it, and passes over the rest.
    func read<Entry>(
        in folder: Pathname, _ entry: (inout JSONCursor) throws(JSONCursor.Malformed) -> Entry
    ) -> [Entry] {
        values(in: folder) { (json) throws(JSONCursor.Malformed) in
            var value: Entry?
            try json.object { (json, key) throws(JSONCursor.Malformed) in
                if case "entry" = key { value = try entry(&json) } else { try json.passOver() }
            }
            return try json.require(value)
        }
    }

    private func values<Value>(
        in folder: Pathname, _ value: (inout JSONCursor) throws(JSONCursor.Malformed) -> Value
    ) -> [Value] {
        // An entry that cannot be read though its line holds is as good as none: the recording is
        // done again.
        (places[folder] ?? []).compactMap { try? JSONCursor.read(Array(text[$0]), value) }
    }

    /// The lines about these folders, spelled as they were, without a header.
    func text(keeping folders: Set<Pathname>) -> [UInt8] {
        let kept = folders.flatMap { places[$0] ?? [] }.sorted { $0.lowerBound < $1.lowerBound }
        return kept.reduce(into: []) { $0 += JournalLine.line(text[$1]) }
    }
}

/// What is found in a journal line by line.
private struct Lines {
    var places: [Pathname: [Range<Int>]] = [:]
    var damaged: [Int] = []
    var hasTornTail = false
    var isOfLaterVersion = false

    mutating func read(_ text: UnsafeRawBufferPointer) {
        guard let base = text.baseAddress else { return }
        var number = 0
        var start = 0
        var isLastLost = false
        while start < text.count {
            number += 1
            let found = memchr(base + start, Int32(JournalLine.newline), text.count - start)
            guard let found else {
                hasTornTail = true
                return
            }
            let end = found - UnsafeMutableRawPointer(mutating: base)
            isLastLost = !take(text[start..<end], number)
            start = end + 1
        }
        // A line of which the end reached the disk and the middle did not.
        if isLastLost {
            damaged.removeLast()
            hasTornTail = true
        }
    }

    /// Whether anything could be read from a line.
    private mutating func take(_ line: Slice<UnsafeRawBufferPointer>, _ number: Int) -> Bool {
        if let json = JournalLine.json(in: line), take(json, of: line.base) { return true }
        damaged.append(number)
        guard let json = JournalLine.jsonAtEnd(of: line) else { return false }
        return take(json, of: line.base)
    }

    /// Whether the JSON is a fact or a header.
    private mutating func take(_ place: Range<Int>, of text: UnsafeRawBufferPointer) -> Bool {
        let json = Array(text[place])
        if let version = JournalLine.version(inJSON: json) {
            if version > JournalLine.version { isOfLaterVersion = true }
            return true
        }
        guard let folder = folder(in: json) else { return false }
        places[folder, default: []].append(place)
        return true
    }

    /// The folder of a fact; the rest of it is passed over, as that is quicker.
    private func folder(in json: [UInt8]) -> Pathname? {
        try? JSONCursor.read(json) { (json) throws(JSONCursor.Malformed) in
            var folder: Pathname?
            try json.object { (json, key) throws(JSONCursor.Malformed) in
                if case "folder" = key {
                    folder = try Pathname(&json)
                } else {
                    try json.passOver()
                }
            }
            return try json.require(folder)
        }
    }
}

extension JournalFact {
    init(_ json: inout JSONCursor) throws(JSONCursor.Malformed) {
        var folder: Pathname?
        var entry: ManifestEntry?
        var staged: [StagedFile] = []
        var obsolete: [Pathname] = []
        try json.object { (json, key) throws(JSONCursor.Malformed) in
            switch key {
            case "folder": folder = try Pathname(&json)
            case "entry": entry = try ManifestEntry(&json)
            case "staged":
                staged = try json.array { (json) throws(JSONCursor.Malformed) in
                    try StagedFile(&json)
                }
            case "obsolete":
                obsolete = try json.array { (json) throws(JSONCursor.Malformed) in
                    try Pathname(&json)
                }
            default: try json.skip()
            }
        }
        self.init(
            folder: try json.require(folder), entry: try json.require(entry), staged: staged,
            obsolete: obsolete)
    }
}

extension StagedFile {
    fileprivate init(_ json: inout JSONCursor) throws(JSONCursor.Malformed) {
        var temporary: Pathname?
        var name: Pathname?
        try json.object { (json, key) throws(JSONCursor.Malformed) in
            switch key {
            case "temporary": temporary = try Pathname(&json)
            case "name": name = try Pathname(&json)
            default: try json.skip()
            }
        }
        self.init(temporary: try json.require(temporary), name: try json.require(name))
    }
}
