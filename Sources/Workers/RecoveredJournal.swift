import Jobs
import Recordings

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// What a journal tells of a run that did not end.
///
/// Holds where in the file the facts are, some 16 bytes each; they are read when they are asked
/// for, from the same file, whatever its name leads to by then. A run may add lines to it.
package struct RecoveredJournal: Sendable {
    /// `nil` where there is none.
    private let file: ReadableFile?
    /// Where the JSON of each fact is, in order of writing, by the facts' folder.
    private let places: [Pathname: [Range<Int>]]
    /// Lines before the last, counted from 1, that do not hold; each costs its own fact alone.
    package let damaged: [Int]
    /// Whether the last line was never finished, as a crash leaves it.
    package let hasTornTail: Bool
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
            return try RecoveredJournal(try ReadableFile(path))
        } catch {
            guard error.code == ENOENT else { throw error }
            return RecoveredJournal(nil, Lines())
        }
    }

    /// Finds the lines of a journal and checks each; throws where a later version wrote it.
    private init(_ file: ReadableFile) throws(FileSystemError) {
        var lines = Lines()
        let reader = LineReader(file)
        while let line = try reader.next() { lines.take(line) }
        lines.end()
        if lines.isOfLaterVersion { throw .laterJournal(file.path) }
        self.init(file, lines)
    }

    private init(_ file: ReadableFile?, _ lines: Lines) {
        self.file = file
        places = lines.places
        damaged = lines.damaged
        hasTornTail = lines.hasTornTail
        folders = lines.places.keys.sorted()
    }

    /// What a run has to know of it as it begins.
    package var contents: JournalContents {
        JournalContents(folders: folders, damagedLines: damaged, isThere: file != nil)
    }

    /// The facts about recordings of a folder, in order of writing: of a recording's entries the
    /// last one counts, of its obsolete outputs all.
    package func facts(in folder: Pathname) throws(FileSystemError) -> [JournalFact] {
        var facts: [JournalFact] = []
        try forEachFact(in: folder) { facts.append($0) }
        return facts
    }

    /// As `facts`, in a fraction of the memory.
    func earlierFacts(in folder: Pathname) throws(FileSystemError) -> [EarlierFact] {
        var facts = EarlierFacts()
        try forEachFact(in: folder) { facts.add($0) }
        return facts.all
    }

    /// Lends the facts about recordings of a folder one by one, in order of writing.
    func forEachFact(
        in folder: Pathname, _ body: (JournalFact) -> Void
    ) throws(FileSystemError) {
        try forEachValue(
            in: folder, { (json) throws(JSONCursor.Malformed) in try JournalFact(&json) }, body)
    }

    /// What is wanted of each entry of a folder, in order of writing.
    /// - Parameter entry: reads it, and passes over the rest.
    func read<Entry>(
        in folder: Pathname, _ entry: (inout JSONCursor) throws(JSONCursor.Malformed) -> Entry
    ) throws(FileSystemError) -> [Entry] {
        func value(_ json: inout JSONCursor) throws(JSONCursor.Malformed) -> Entry {
            var value: Entry?
            try json.object { (json, key) throws(JSONCursor.Malformed) in
                if case "entry" = key { value = try entry(&json) } else { try json.passOver() }
            }
            return try json.require(value)
        }
        var entries: [Entry] = []
        try forEachValue(in: folder, value) { entries.append($0) }
        return entries
    }

    private func forEachValue<Value>(
        in folder: Pathname, _ value: (inout JSONCursor) throws(JSONCursor.Malformed) -> Value,
        _ body: (Value) -> Void
    ) throws(FileSystemError) {
        guard let file else { return }
        for place in places[folder] ?? [] {
            let json = try file.bytes(in: place)
            // An entry that cannot be read though its line holds is as good as none: the recording
            // is done again.
            if let value = try? JSONCursor.read(json, value) { body(value) }
        }
    }

    /// Whether there are facts about one of these folders.
    func tells(of folders: Set<Pathname>) -> Bool { folders.contains { places[$0] != nil } }

    /// Hands out the lines about these folders, spelled as they were, without a header.
    func forEachLine(
        about folders: Set<Pathname>, _ put: ([UInt8]) throws(FileSystemError) -> Void
    ) throws(FileSystemError) {
        guard let file else { return }
        let kept = folders.flatMap { places[$0] ?? [] }.sorted { $0.lowerBound < $1.lowerBound }
        for place in kept { try put(JournalLine.line(try file.bytes(in: place))) }
    }
}

/// What is found in a journal line by line.
private struct Lines {
    var places: [Pathname: [Range<Int>]] = [:]
    var damaged: [Int] = []
    var hasTornTail = false
    var isOfLaterVersion = false
    private var number = 0
    /// Where the next line begins.
    private var start = 0
    private var isLastLost = false

    mutating func take(_ line: LineReader.Line) {
        number += 1
        guard line.isTerminated else {
            hasTornTail = true
            return
        }
        isLastLost = !line.bytes.withUnsafeBytes { take($0[...]) }
        start += line.bytes.count + 1
    }

    /// Takes in that there are no more.
    mutating func end() {
        // A line of which the end reached the disk and the middle did not.
        guard isLastLost, !hasTornTail else { return }
        damaged.removeLast()
        hasTornTail = true
    }

    /// Whether anything could be read from a line.
    private mutating func take(_ line: Slice<UnsafeRawBufferPointer>) -> Bool {
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
        places[folder, default: []].append(start + place.lowerBound..<start + place.upperBound)
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
