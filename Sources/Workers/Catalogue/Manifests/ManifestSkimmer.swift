import Glibc
import Jobs
import Recordings

/// Reads manifests: of each entry what is wanted, in a fraction of the time that all of it takes.
enum ManifestSkimmer {
    struct Skimmed<Entries> {
        /// Relative to the root, "." for the root itself; empty where the manifest does not say.
        var folder: Pathname
        var recipe: Recipe
        /// What was taken of the entries.
        var entries: Entries
    }

    /// Reads what is wanted of an entry and passes over the rest.
    typealias Reader<Entry> = (inout JSONCursor) throws(JSONCursor.Malformed) -> Entry
    /// Reads an entry, and adds what is wanted of it.
    typealias Adder<Entries> =
        (inout Entries, inout JSONCursor) throws(JSONCursor.Malformed) -> Void

    /// A manifest by its path.
    static func read<Entry>(
        _ path: Pathname, _ entry: Reader<Entry>
    ) throws(ResultTrouble) -> Skimmed<[Entry]> {
        let skimmed: Result<Skimmed<[Entry]>, ResultTrouble>
        do throws(FileSystemError) {
            skimmed = try read(path, into: []) { (entries, json) throws(JSONCursor.Malformed) in
                entries.append(try entry(&json))
            }
        } catch {
            throw .unreadable(detail: error.detail)
        }
        return try skimmed.get()
    }

    /// A manifest by its path, or what is wrong with what it says.
    ///
    /// Of one that is not as it is written, so much is read that a line may be long.
    /// - Parameter none: what the first entry is added to.
    static func read<Entries>(
        _ path: Pathname, into none: Entries, _ add: Adder<Entries>
    ) throws(FileSystemError) -> Result<Skimmed<Entries>, ResultTrouble> {
        let text = try FileSystem.contents(of: path, atMost: LineReader.mostLineBytes)
        guard let text else { return .failure(.damaged(byte: LineReader.mostLineBytes)) }
        return Result { () throws(ResultTrouble) in try read(text, into: none, add) }
    }

    /// A manifest from its text as a whole.
    static func read<Entries>(
        _ text: [UInt8], into none: Entries, _ add: Adder<Entries>
    ) throws(ResultTrouble) -> Skimmed<Entries> {
        try read(text) { (json) throws(JSONCursor.Malformed) in
            var entries = none
            _ = try json.array { (json) throws(JSONCursor.Malformed) -> Void in
                try add(&entries, &json)
            }
            return entries
        }
    }

    /// A manifest from its text.
    /// - Parameter entries: reads the array of all of them.
    static func read<Entries>(
        _ text: [UInt8], _ entries: Reader<Entries>
    ) throws(ResultTrouble) -> Skimmed<Entries> {
        var version: Int64 = 0
        let skimmed: Skimmed<Entries>
        do throws(JSONCursor.Malformed) {
            skimmed = try JSONCursor.read(text) { (json) throws(JSONCursor.Malformed) in
                try skim(&json, version: &version, entries)
            }
        } catch {
            throw version > Manifest.currentVersion ? .ofLaterVersion : .damaged(byte: error.offset)
        }
        guard version <= Manifest.currentVersion else { throw .ofLaterVersion }
        return skimmed
    }

    private static func skim<Entries>(
        _ json: inout JSONCursor, version: inout Int64, _ read: Reader<Entries>
    ) throws(JSONCursor.Malformed) -> Skimmed<Entries> {
        var folder: Pathname?
        var recipe: Recipe?
        var entries: Entries?
        try json.object { (json, key) throws(JSONCursor.Malformed) in
            switch key {
            case "folder": folder = try Pathname(&json)
            case "recipe": recipe = try Recipe(&json)
            case "recordings": entries = try read(&json)
            case "version": version = try json.integer()
            default: try json.skip()
            }
        }
        guard version > 0 else { throw json.malformed }
        return Skimmed(
            folder: folder ?? .empty, recipe: try json.require(recipe),
            entries: try json.require(entries))
    }
}

extension ResultOutcome {
    /// From a manifest's entry.
    init(_ json: inout JSONCursor) throws(JSONCursor.Malformed) {
        var name: Pathname?
        var status: ManifestEntry.Status?
        var outcome = ResultOutcome(name: .empty, status: .done)
        try json.object { (json, key) throws(JSONCursor.Malformed) in
            switch key {
            case "name": name = try Pathname(nameIn: &json)
            case "status": status = try json.spelled()
            case "format": outcome.durationSeconds = try json.duration() ?? 0
            case "trimmed": outcome.trimmedSeconds = try json.duration()
            case "silence": outcome.isSilent = try json.isSilent()
            case "warnings":
                outcome.warning = try json.array { (json) throws(JSONCursor.Malformed) in
                    try RecordingWarning(&json)
                }.first
            case "failure": outcome.failure = try RecordingFailure(&json)
            case "recipe": outcome.recipe = try Recipe(&json)
            default: try json.passOver()
            }
        }
        outcome.name = try json.require(name)
        outcome.status = try json.require(status)
        self = outcome
    }
}

extension JSONCursor {
    /// What an object says under `durationSeconds`.
    fileprivate mutating func duration() throws(Malformed) -> Double? {
        var duration: Double?
        try object { (json, key) throws(Malformed) in
            if case "durationSeconds" = key {
                duration = try json.number()
            } else {
                try json.passOver()
            }
        }
        return duration
    }

    fileprivate mutating func isSilent() throws(Malformed) -> Bool {
        var isSilent = false
        try object { (json, key) throws(Malformed) in
            if case "silent" = key { isSilent = try json.bool() } else { try json.passOver() }
        }
        return isSilent
    }
}
