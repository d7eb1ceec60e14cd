import Jobs
import Recordings

/// Looks up the edits of a recording's trimmed copy in a manifest; read-only.
package enum EditLookup {
    /// A recording with a trimmed copy, and the time map between them.
    package struct Found: Hashable, Sendable {
        package var name: Pathname
        package var format: AudioFormat
        package var map: TimeMap
    }

    /// How many names to list if the requested one is unknown.
    private static let toldNames = 3

    /// Finds a recording in the record, or in a manifest outside an output.
    /// - Parameters:
    ///   - path: of the manifest, its folder, or a folder above: an output, or a folder of
    ///     recordings with results in the default place.
    ///   - name: the recording's name, with or without its folders, or its copy's name.
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
                ?? entries.all.first { $0.copies.contains { $0.path == wanted } }
        guard let entry else {
            throw .recordingUnknown(
                name, manifest: manifest, some: entries.all.prefix(toldNames).map(\.name),
                count: entries.all.count)
        }
        return try found(entry, as: wanted, manifest)
    }

    private static func found(
        _ entry: ManifestEntry, as name: Pathname, _ manifest: Pathname
    ) throws(MapRefusal) -> Found {
        // After a failure, the copy is from an earlier version. Otherwise an earlier copy is
        // obsolete, and used only if named itself.
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

    /// The manifest's path as the user would write it, and its folder.
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

    /// The first manifest that exists, or will; if there is none, the error names the folder's own.
    private static func manifest(
        in folder: Pathname, of name: Pathname
    ) throws(FileSystemError) -> Pathname {
        for place in places(in: folder, of: name) {
            let manifest = place.appending(OutputNames.manifest)
            let status = try ifThere { () throws(FileSystemError) in
                try FileSystem.status(manifest)
            }
            // The record has it before it is printed.
            if status != nil || (try? recorded(in: place)) != nil { return manifest }
        }
        let own = folder.appending(OutputNames.manifest)
        _ = try FileSystem.status(own)
        return own
    }

    /// The folders to search for a recording's manifest: by its path, then by its name alone; the
    /// folder's results come before its other contents.
    private static func places(in folder: Pathname, of name: Pathname) -> [Pathname] {
        let results = folder.appending(RunPlaces.defaultOutput)
        let tops = OutputFolder.isMarked(results) ? [results, folder] : [folder]
        guard !name.parent.isEmpty, !name.isAbsolute else { return tops }
        return tops.flatMap { [$0.appending(name.parent), $0] }
    }

    /// The folder's path below the root as in the manifest, and its entries: by the record, or
    /// outside an output by the manifest.
    private static func entries(
        in folder: Pathname, of path: Pathname
    ) throws(MapRefusal) -> (folder: Pathname, all: [ManifestEntry]) {
        if let known = try? recorded(in: folder) { return known }
        let result: Result<Manifest, ResultTrouble>
        do throws(FileSystemError) {
            result = try ManifestFile.read(path)
        } catch {
            throw .manifestUnreadable(path, .unreadable(detail: error.detail))
        }
        switch result {
        case .success(let manifest): return (manifest.folder, manifest.recordings)
        case .failure(let trouble): throw .manifestUnreadable(path, trouble)
        }
    }

    private static func recorded(
        in folder: Pathname
    ) throws(FileSystemError) -> (folder: Pathname, all: [ManifestEntry])? {
        let place = try FileSystem.resolve(folder)
        guard let output = OutputFolder.markedFolder(atOrAbove: place) else { return nil }
        let folder = output.relative(place) ?? .empty
        let record = try OutputRecord.forReading(output)
        defer { record.close() }
        let entries = try record.entries(in: folder)
        return entries.isEmpty ? nil : (folder.orDot, entries)
    }

    /// Whether a path ends in a folder's path below the root.
    private static func isFolder(_ path: Pathname, of folder: Pathname) -> Bool {
        let way = folder == "." ? [] : folder.components
        return path.components.suffix(way.count).elementsEqual(way)
    }
}

extension ManifestEntry {
    /// The trimmed copy and those of earlier versions.
    fileprivate var copies: [TrimmedFile] { generations.compactMap(\.trimmed) }
}

extension Pathname {
    /// Without "." components, as in `./-b.wav`.
    fileprivate var withoutDots: Pathname {
        components.filter { $0 != "." }.reduce(.empty) { $0.appending($1) }
    }
}
