import Glibc
import Jobs
import Recordings
import ReducerKit

/// `manifest.json`, as it is found and put in its place; `ManifestText` is what it says.
enum ManifestFile {
    /// Writes the manifest an order describes under a temporary name.
    static func stage(
        _ order: ManifestOrder, _ ownership: OutputOwnership
    ) throws(RecordingFailure) -> StagedManifest {
        let folder = try ownership.hold(order.folder, making: true)
        let file = try inStage(.manifest) { () throws(FileSystemError) in
            try stage(ManifestText(order), in: folder)
        }
        return StagedManifest(folder, order, file)
    }

    /// `nil` where the manifest that is there says all of it.
    private static func stage(
        _ text: ManifestText, in folder: DirectoryHandle
    ) throws(FileSystemError) -> StagedFile? {
        if text.isAll(of: folder.path.appending(OutputNames.manifest)) { return nil }
        let staged = try StagedOutput(OutputNames.manifest, in: folder)
        _ = try staged.write { (put) throws(FileSystemError) in try text.write(to: put) }
        return try staged.leave()
    }

    /// What a later run goes on from.
    /// - Parameter isWanted: whether what was made of a recording is; the rest is left out.
    static func earlier(
        in folder: Pathname, where isWanted: (Pathname) -> Bool
    ) throws(FileSystemError) -> EarlierManifest? {
        let skimmed = try readIfSound(in: folder, into: [SettledEntry]()) {
            (entries, json) throws(JSONCursor.Malformed) in
            let entry = try ManifestEntry(&json)
            if isWanted(entry.name) { entries.append(SettledEntry(entry)) }
        }
        return skimmed.map { EarlierManifest(recipe: $0.recipe, entries: $0.entries) }
    }

    /// The manifest in an output folder; `nil` where there is none, or none that can be understood.
    ///
    /// Throws where it is there and cannot be read just now: what it knows is not lost for that.
    /// - Parameter none: what the first entry is added to.
    static func readIfSound<Entries>(
        in folder: Pathname, into none: Entries, _ add: ManifestSkimmer.Adder<Entries>
    ) throws(FileSystemError) -> ManifestSkimmer.Skimmed<Entries>? {
        do throws(FileSystemError) {
            let path = folder.appending(OutputNames.manifest)
            let result = try ManifestSkimmer.read(path, into: none, add)
            guard case .success(let skimmed) = result else { return nil }
            // Each that was written says which folder it is of.
            return skimmed.folder.isEmpty ? nil : skimmed
        } catch {
            guard error.isNoManifest else { throw error }
            return nil
        }
    }

    /// SHA-256 of the recipe as the manifest spells it.
    static func fingerprint(of recipe: Recipe) -> String {
        var json = JSONWriter()
        json.put(recipe)
        return SHA256.hexadecimal(of: json.bytes)
    }

    /// Whether there is a manifest in an output folder, of whatever folder, whole or damaged;
    /// damaged only where it begins as it is written.
    static func isThere(in folder: Pathname) -> Bool {
        isThere(in: folder, beginningWith: ManifestText.beginning.bytes)
            || folderOfAny(in: folder) != nil
    }

    /// Which folder a manifest is of, relative to the root, "." for the root itself, however it is
    /// spelled; `nil` where there is none that can be understood.
    private static func folderOfAny(in folder: Pathname) -> Pathname? {
        let manifest = try? readIfSound(in: folder, into: ()) {
            (_, json) throws(JSONCursor.Malformed) in try json.passOver()
        }
        return manifest?.folder
    }

    private static func isThere(in folder: Pathname, beginningWith bytes: [UInt8]) -> Bool {
        let path = folder.appending(OutputNames.manifest)
        return FileSystem.beginning(of: path, bytes: bytes.count) == bytes
    }

    /// Whether a folder's manifest is there, whole or damaged, as `isThere(in:)`.
    static func isThere(for folder: Pathname, in output: Pathname) -> Bool {
        let place = output.appending(folder)
        return isThere(in: place, beginningWith: ManifestText.beginning(of: folder).bytes)
            || folderOfAny(in: place) == folder.orDot
    }

    /// The manifest's text as a whole.
    static func bytes(of manifest: Manifest) -> [UInt8] {
        var bytes: [UInt8] = []
        ManifestText(manifest).write { bytes += $0 }
        return bytes
    }

    /// A recording as its line in a manifest has it, without what separates lines.
    static func line(of entry: ManifestEntry) -> [UInt8] {
        var json = JSONWriter()
        json.put(entry)
        return json.bytes
    }

    /// A fact as a line of the journal has it, without the line's end.
    static func line(of fact: JournalFact) -> [UInt8] {
        var json = JSONWriter()
        json.put(fact)
        return json.bytes
    }
}

extension FileSystemError {
    /// Whether there is no file to be read, rather than one that cannot be.
    fileprivate var isNoManifest: Bool { isMissing || code == EISDIR || code == ELOOP }
}
