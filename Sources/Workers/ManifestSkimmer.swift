import Jobs
import Recordings

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Reads of a manifest only what is wanted, in a fraction of the time that all of it takes.
enum ManifestSkimmer {
    struct Skimmed<Entry> {
        /// Relative to the root, "." for the root itself; empty where the manifest does not say.
        var folder: Pathname
        var recipe: Recipe
        var entries: [Entry]
    }

    /// The manifest in an output folder; `nil` where there is none.
    /// - Parameter entry: reads what is wanted of an entry and passes over the rest.
    static func read<Entry>(
        in folder: Pathname,
        _ entry: (inout JSONCursor) throws(JSONCursor.Malformed) -> Entry
    ) throws(ResultTrouble) -> Skimmed<Entry>? {
        let text: [UInt8]
        do throws(FileSystemError) {
            text = try FileSystem.contents(of: folder.appending(OutputNames.manifest))
        } catch {
            guard error.code != ENOENT else { return nil }
            throw .unreadable(detail: error.detail)
        }
        return try read(text, entry)
    }

    /// A manifest from its text.
    static func read<Entry>(
        _ text: [UInt8], _ entry: (inout JSONCursor) throws(JSONCursor.Malformed) -> Entry
    ) throws(ResultTrouble) -> Skimmed<Entry> {
        var version: Int64 = 0
        let skimmed: Skimmed<Entry>
        do throws(JSONCursor.Malformed) {
            skimmed = try JSONCursor.read(text) { (json) throws(JSONCursor.Malformed) in
                try skim(&json, version: &version, entry)
            }
        } catch {
            throw version > Manifest.currentVersion ? .ofLaterVersion : .damaged(byte: error.offset)
        }
        guard version <= Manifest.currentVersion else { throw .ofLaterVersion }
        return skimmed
    }

    private static func skim<Entry>(
        _ json: inout JSONCursor, version: inout Int64,
        _ entry: (inout JSONCursor) throws(JSONCursor.Malformed) -> Entry
    ) throws(JSONCursor.Malformed) -> Skimmed<Entry> {
        var folder: Pathname?
        var recipe: Recipe?
        var entries: [Entry]?
        try json.object { (json, key) throws(JSONCursor.Malformed) in
            switch key {
            case "folder": folder = try Pathname(&json)
            case "recipe": recipe = try Recipe(&json)
            case "recordings": entries = try json.array(entry)
            case "version": version = try json.integer()
            default: try json.passOver()
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
            case "name": name = try Pathname(&json)
            case "status": status = try json.spelled()
            case "format": outcome.durationSeconds = try json.duration() ?? 0
            case "trimmed": outcome.trimmedSeconds = try json.duration()
            case "silence": outcome.isSilent = try json.isSilent()
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
