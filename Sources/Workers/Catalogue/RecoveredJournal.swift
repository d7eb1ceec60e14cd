import Jobs
import Recordings

/// The journal in which a version without a record noted what its run had done.
///
/// It is there if that run was interrupted. Each line stands alone: damage costs its own fact, and
/// that recording is done again.
enum RecoveredJournal {
    static let name: Pathname = ".tapedeck.journal"

    /// Lends each fact of the journal at the top of an output, in order of writing.
    ///
    /// None if there is no journal. Throws if a later version wrote it.
    static func forEachFact(
        in output: Pathname, _ body: (JournalFact) throws(FileSystemError) -> Void
    ) throws(FileSystemError) {
        let opened = try ifThere { () throws(FileSystemError) in
            try DirectoryHandle(output).openRegular(name)
        }
        guard let opened else { return }
        let file = ReadableFile(opened, output.appending(name))
        let lines = LineReader(file)
        // A crash leaves the last line unfinished.
        while let line = try lines.next(), line.isTerminated {
            guard let json = JournalLine.json(in: line.bytes[...]) else { continue }
            if let version = JournalLine.version(inJSON: json) {
                guard version <= JournalLine.version else { throw .laterRecord(file.path) }
            } else if let fact = fact(json) {
                try body(fact)
            }
        }
    }

    /// `nil` if it cannot be read, or leads out of the output.
    private static func fact(_ json: [UInt8]) -> JournalFact? {
        let fact = try? JSONCursor.read(json) { (json) throws(JSONCursor.Malformed) in
            try JournalFact(&json)
        }
        return fact?.folder.staysBelow == true ? fact : nil
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
                    try Pathname(nameIn: &json)
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
            case "temporary": temporary = try Pathname(nameIn: &json)
            case "name": name = try Pathname(nameIn: &json)
            default: try json.skip()
            }
        }
        self.init(temporary: try json.require(temporary), name: try json.require(name))
    }
}
