import Glibc
import Jobs
import Recordings
import ReducerKit

/// `manifest.json`, as it is found and put in its place; `ManifestText` is what it says.
enum ManifestFile {
    /// Prints a folder's manifest under a temporary name.
    static func stage(
        _ order: ManifestOrder, of record: OutputRecord, _ ownership: OutputOwnership
    ) throws(RecordingFailure) -> StagedManifest {
        let folder = try ownership.hold(order.folder, making: true)
        return try inStage(.manifest) { () throws(FileSystemError) in
            let staged = try StagedOutput(OutputNames.manifest, in: folder)
            _ = try staged.write { (put) throws(FileSystemError) in
                try ManifestText.write(order.folder, order.recipe.value, of: record, to: put)
            }
            let isSame = FileSystem.areEqual(
                staged.file.path, folder.path.appending(OutputNames.manifest))
            let file = isSame ? nil : try staged.leave()
            return StagedManifest(
                folder, order, file, obsolete: try record.obsoleteFiles(in: order.folder))
        }
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

    /// Whether a folder's manifest is there, as this program prints it.
    static func isThere(for folder: Pathname, in output: Pathname) -> Bool {
        isThere(
            in: output.appending(folder), beginningWith: ManifestText.beginning(of: folder).bytes)
    }

    /// Whether the file of a manifest's name has contents that this program has not printed.
    static func isForeign(_ found: FileSystem.Status?, in place: Pathname) -> Bool {
        guard let found, found.kind == .regular, found.stamp.bytes > 0 else { return false }
        return !isThere(in: place, beginningWith: ManifestText.beginning.bytes)
    }

    private static func isThere(in place: Pathname, beginningWith start: [UInt8]) -> Bool {
        FileSystem.beginning(of: place.appending(OutputNames.manifest), bytes: start.count) == start
    }

    /// A recording as its line in a manifest has it, without what separates lines.
    static func line(of entry: ManifestEntry) -> [UInt8] {
        var json = JSONWriter()
        json.put(entry)
        return json.bytes
    }

    static func line(of recipe: Recipe) -> [UInt8] {
        var json = JSONWriter()
        json.put(recipe)
        return json.bytes
    }
}

extension FileSystemError {
    /// Whether there is no file to be read, rather than one that cannot be.
    fileprivate var isNoManifest: Bool { isMissing || code == EISDIR || code == ELOOP }
}
