import Jobs
import Recordings

/// Finds in a manifest how a recording's trimmed copy was cut; only ever reads.
package enum EditLookup {
    /// A recording that has a copy, and how their times belong together.
    package struct Found: Hashable, Sendable {
        package var name: Pathname
        package var format: AudioFormat
        package var map: TimeMap
    }

    /// How many names are told where the one asked for is unknown.
    private static let toldNames = 3

    /// What a manifest, and the journal of its output since, say of a recording.
    /// - Parameters:
    ///   - path: of the manifest, of the folder that holds it, or of one above it: an output, or
    ///     a folder of recordings whose results are in the default place.
    ///   - name: the recording's name, alone or behind its folders, or that of its copy.
    package static func find(
        _ asked: Pathname, inManifest path: Pathname
    ) throws(MapRefusal) -> Found {
        let name = asked.isAbsolute ? asked : asked.withoutDots
        let (manifest, folder) = try locate(path, of: name)
        let entries = try entries(in: folder, of: manifest)
        let wanted = name.lastComponent
        let isElsewhere = !name.parent.isEmpty && !isFolder(name.parent, of: entries.folder)
        let entry =
            isElsewhere
            ? nil
            : entries.all.first { $0.name == wanted }
                ?? entries.all.first { $0.value.copies.contains { $0.path == wanted } }
        guard let entry else {
            throw .recordingUnknown(
                name, manifest: manifest, some: entries.all.prefix(toldNames).map(\.name),
                count: entries.all.count)
        }
        return try found(entry.value, as: wanted, manifest)
    }

    private static func found(
        _ entry: ManifestEntry, as name: Pathname, _ manifest: Pathname
    ) throws(MapRefusal) -> Found {
        // Of one that has failed since, the copy is of what it was before. Of any other an earlier
        // one is to go, and is meant only where its own name is given.
        let copies = entry.generations.filter { $0.trimmed != nil }
        let asked = copies.first { $0.trimmed?.path == name && name != entry.name }
        let hasCopy = entry.trimmed != nil || entry.failure != nil
        if let made = asked ?? (hasCopy ? copies.first : nil) {
            guard let trimmed = made.trimmed, let format = made.format,
                let map = TimeMap(trimmed.edits, of: format.frames)
            else { throw .editsDamaged(entry.name, manifest: manifest) }
            return Found(name: entry.name, format: format, map: map)
        }
        if let refusal = entry.notTrimmed { throw .notTrimmed(entry.name, refusal) }
        guard let failure = entry.failure else {
            throw .editsDamaged(entry.name, manifest: manifest)
        }
        throw .failed(entry.name, failure)
    }

    /// The manifest's path as the user would write it, and the folder it is in.
    private static func locate(
        _ path: Pathname, of name: Pathname
    ) throws(MapRefusal) -> (manifest: Pathname, folder: Pathname) {
        do throws(FileSystemError) {
            let isFolder = try FileSystem.status(path).kind == .folder
            let manifest = isFolder ? try self.manifest(in: path, of: name) : path
            return (manifest, manifest.parent.isEmpty ? "." : manifest.parent)
        } catch {
            throw error.isMissing
                ? .manifestMissing(error.path)
                : .manifestUnreadable(error.path, .unreadable(detail: error.detail))
        }
    }

    /// The first manifest that is there; where none is, it is the folder's own that is missed.
    private static func manifest(
        in folder: Pathname, of name: Pathname
    ) throws(FileSystemError) -> Pathname {
        for place in places(in: folder, of: name) {
            let manifest = place.appending(OutputNames.manifest)
            let status = try ifThere { () throws(FileSystemError) in
                try FileSystem.status(manifest)
            }
            if status != nil { return manifest }
        }
        let own = folder.appending(OutputNames.manifest)
        _ = try FileSystem.status(own)
        return own
    }

    /// Where the manifest may be that knows a recording by its way from a folder, and then by its
    /// name alone; in the results of that folder before what else it may hold.
    private static func places(in folder: Pathname, of name: Pathname) -> [Pathname] {
        let results = folder.appending(RunPlaces.defaultOutput)
        let tops = OutputFolder.isMarked(results) ? [results, folder] : [folder]
        guard !name.parent.isEmpty, !name.isAbsolute else { return tops }
        return tops.flatMap { [$0.appending(name.parent), $0] }
    }

    /// The folder, relative to the root, as the manifest spells it, and all that is said of it.
    private static func entries(
        in folder: Pathname, of path: Pathname
    ) throws(MapRefusal) -> (folder: Pathname, all: [SettledEntry]) {
        do throws(ResultTrouble) {
            let skimmed = try skimmed(path)
            let manifest = EarlierManifest(recipe: skimmed.recipe, entries: skimmed.entries)
            let works = EarlierResults.merge(manifest: manifest, facts: facts(in: folder))
            return (skimmed.folder, works.map(\.entry))
        } catch {
            throw .manifestUnreadable(path, error)
        }
    }

    private static func skimmed(
        _ path: Pathname
    ) throws(ResultTrouble) -> ManifestSkimmer.Skimmed<[SettledEntry]> {
        let skimmed: Result<ManifestSkimmer.Skimmed<[SettledEntry]>, ResultTrouble>
        do throws(FileSystemError) {
            skimmed = try ManifestSkimmer.read(path) { (json) throws(JSONCursor.Malformed) in
                SettledEntry(try ManifestEntry(&json))
            }
        } catch {
            throw .unreadable(detail: error.detail)
        }
        return try skimmed.get()
    }

    /// What the journal tells of a folder in an output; nothing elsewhere, or where it cannot be
    /// read.
    private static func facts(in folder: Pathname) -> [EarlierFact] {
        guard let place = try? FileSystem.resolve(folder),
            let output = OutputFolder.markedFolder(atOrAbove: place),
            let journal = try? RecoveredJournal.read(in: output),
            let facts = try? journal.earlierFacts(in: output.relative(place) ?? .empty)
        else { return [] }
        return facts
    }

    /// Whether a path may lead to a folder of a given way from the root.
    private static func isFolder(_ path: Pathname, of folder: Pathname) -> Bool {
        let way = folder == "." ? [] : folder.components
        return path.components.suffix(way.count).elementsEqual(way)
    }
}

extension ManifestEntry {
    /// The copy, and what is left of one.
    fileprivate var copies: [TrimmedFile] { generations.compactMap(\.trimmed) }
}

extension Pathname {
    /// Without the names that lead nowhere, as in `./-b.wav`.
    fileprivate var withoutDots: Pathname {
        components.filter { $0 != "." }.reduce(.empty) { $0.appending($1) }
    }
}
