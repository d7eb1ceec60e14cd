import Glibc
import Jobs
import Recordings
import Synchronization

/// What a journal tells of a run that did not end.
///
/// Holds where in the file the facts are, some 16 bytes each; they are read when they are asked
/// for, from the same file, whatever its name leads to by then. A run may add lines to it.
package struct RecoveredJournal: Sendable {
    static let name: Pathname = ".tapedeck.journal"

    private let held: HeldFile
    private let isThere: Bool
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
        do throws(FileSystemError) {
            // Asked first, as a folder that is held takes a file more, of which there may be few.
            _ = try FileSystem.status(output.appending(name), followingLink: false)
            return try read(in: try DirectoryHandle(output))
        } catch {
            guard error.code == ENOENT else { throw error }
            return empty
        }
    }

    static func read(in output: DirectoryHandle) throws(FileSystemError) -> RecoveredJournal {
        let descriptor = try output.openRegular(name)
        let path = output.path.appending(name)
        return try RecoveredJournal(ReadableFile(descriptor, path))
    }

    /// The journal that tells nothing.
    static let empty = RecoveredJournal(nil, JournalPlaces())

    /// Finds the lines of a journal and checks each; throws where a later version wrote it.
    private init(_ file: ReadableFile) throws(FileSystemError) {
        var lines = JournalPlaces()
        let reader = LineReader(file)
        while let line = try reader.next() { lines.take(line) }
        lines.end()
        if lines.isOfLaterVersion { throw .laterRecord(file.path) }
        self.init(file, lines)
    }

    private init(_ file: ReadableFile?, _ lines: JournalPlaces) {
        held = HeldFile(file)
        isThere = file != nil
        places = lines.places
        damaged = lines.damaged
        hasTornTail = lines.hasTornTail
        folders = lines.places.keys.sorted()
    }

    /// Lends the facts about recordings of a folder one by one, in order of writing.
    func forEachFact(
        in folder: Pathname, _ body: (JournalFact) -> Void
    ) throws(FileSystemError) {
        try forEachValue(
            in: folder, { (json) throws(JSONCursor.Malformed) in try JournalFact(&json) }, body)
    }

    private func forEachValue<Value>(
        in folder: Pathname, _ value: (inout JSONCursor) throws(JSONCursor.Malformed) -> Value,
        _ body: (Value) -> Void
    ) throws(FileSystemError) {
        guard let file = held.file.withLock({ $0 }) else { return }
        for place in places[folder] ?? [] {
            let json = try json(at: place, of: file)
            // An entry that cannot be read though its line holds is as good as none: the recording
            // is done again.
            if let value = try? JSONCursor.read(Array(json), value) { body(value) }
        }
    }

    /// A fact's JSON, which still has to be what the line's checksum says.
    private func json(
        at place: Range<Int>, of file: ReadableFile
    ) throws(FileSystemError) -> ArraySlice<UInt8> {
        let line = try file.bytes(in: place.lowerBound - JournalLine.sumBytes..<place.upperBound)
        guard let json = line.withUnsafeBytes({ JournalLine.json(in: $0[...]) }) else {
            throw FileSystemError(file.path, code: EIO)
        }
        return line[json]
    }
}

/// The journal's file, for all who have the same journal; `nil` where there is none any more.
private final class HeldFile: Sendable {
    let file: Mutex<ReadableFile?>

    init(_ file: ReadableFile?) { self.file = Mutex(file) }
}

extension JournalFact {
    init(_ json: inout JSONCursor) throws(JSONCursor.Malformed) {
        var folder: Pathname?
        var entry: ManifestEntry?
        var staged: [StagedFile] = []
        var obsolete: [Pathname] = []
        var earlier: [EarlierOutputs]?
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
                    try Pathname(nameIn: &json)
                }
            case "earlier":
                earlier = try json.array { (json) throws(JSONCursor.Malformed) in
                    try EarlierOutputs(&json)
                }
            default: try json.skip()
            }
        }
        self.init(
            folder: try json.require(folder), entry: try json.require(entry), staged: staged,
            obsolete: obsolete, earlier: earlier)
    }
}

extension StagedFile {
    fileprivate init(_ json: inout JSONCursor) throws(JSONCursor.Malformed) {
        var temporary: Pathname?
        var name: Pathname?
        try json.object { (json, key) throws(JSONCursor.Malformed) in
            switch key {
            case "temporary": temporary = try Pathname(nameIn: &json)
            case "name": name = try Pathname(nameIn: &json)
            default: try json.skip()
            }
        }
        self.init(temporary: try json.require(temporary), name: try json.require(name))
    }
}
