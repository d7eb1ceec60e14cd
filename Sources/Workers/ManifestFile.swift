import Jobs
import Recordings
import ReducerKit

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// `manifest.json`: one object with sorted keys, one recording a line.
///
/// A line a recording, so that two versions differ by the lines of what changed.
enum ManifestFile {
    /// Writes the manifest an order describes under a temporary name.
    static func stage(
        _ order: ManifestOrder, in output: Pathname
    ) throws(FileSystemError) -> StagedManifest {
        let folder = output.appending(order.folder)
        let text = bytes(of: manifest(for: order))
        let isThere = (try? FileSystem.contents(of: folder.appending(OutputNames.manifest))) == text
        let file = isThere ? nil : try stage(text, in: folder, below: output)
        return StagedManifest(
            output: output, place: order.folder, file: file, obsolete: order.obsolete,
            pruned: order.pruned, isLast: order.isLast)
    }

    private static func stage(
        _ text: [UInt8], in folder: Pathname, below output: Pathname
    ) throws(FileSystemError) -> StagedFile {
        let staged = try StagedOutput(
            OutputNames.manifest, in: folder, below: output, tag: "manifest")
        _ = try staged.write { (put) throws(FileSystemError) in try put(text) }
        return staged.leave()
    }

    /// The manifest in an output folder; throws where there is none that can be understood.
    static func read(in folder: Pathname) throws -> Manifest {
        let text = try FileSystem.contents(of: folder.appending(OutputNames.manifest))
        return try JSONCursor.read(text) { (json) throws(JSONCursor.Malformed) in
            let manifest = try Manifest(&json)
            guard manifest.version == Manifest.currentVersion else { throw json.malformed }
            return manifest
        }
    }

    /// The manifest in an output folder; `nil` where there is none, or none that can be understood.
    ///
    /// Throws where it is there and cannot be read just now: what it knows is not lost for that.
    static func readIfSound(in folder: Pathname) throws(FileSystemError) -> Manifest? {
        do {
            return try read(in: folder)
        } catch let error as FileSystemError where !error.isNoManifest {
            throw error
        } catch {
            return nil
        }
    }

    private static func manifest(for order: ManifestOrder) -> Manifest {
        Manifest(
            folder: order.folder, recipe: order.recipe.value,
            recipeFingerprint: fingerprint(of: order.recipe.value),
            recordings: order.entries.map(\.value))
    }

    /// SHA-256 of the recipe as the manifest spells it.
    static func fingerprint(of recipe: Recipe) -> String {
        var json = JSONWriter()
        json.put(recipe)
        return SHA256.hexadecimal(of: json.bytes)
    }

    /// How the text of every manifest begins.
    private static var beginning: JSONWriter {
        var json = JSONWriter()
        json.raw("{\"folder\":")
        return json
    }

    /// Whether there is a manifest in an output folder, of whatever folder, whole or damaged.
    static func isThere(in folder: Pathname) -> Bool {
        isThere(in: folder, beginningWith: beginning.bytes)
    }

    private static func isThere(in folder: Pathname, beginningWith bytes: [UInt8]) -> Bool {
        let path = folder.appending(OutputNames.manifest)
        return FileSystem.beginning(of: path, bytes: bytes.count) == bytes
    }

    /// How the text of a folder's manifest begins.
    private static func beginning(of folder: Pathname) -> JSONWriter {
        var json = beginning
        json.put(folder.isEmpty ? "." : folder)
        json.raw(",\"recipe\":")
        return json
    }

    /// Whether a folder's manifest is there and begins like it, whole or damaged.
    static func isThere(for folder: Pathname, in output: Pathname) -> Bool {
        isThere(in: output.appending(folder), beginningWith: beginning(of: folder).bytes)
    }

    /// The manifest's text.
    static func bytes(of manifest: Manifest) -> [UInt8] {
        var json = beginning(of: manifest.folder)
        json.put(manifest.recipe)
        json.raw(",\"recipeFingerprint\":")
        json.string(manifest.recipeFingerprint)
        json.raw(",\"recordings\":[")
        for place in manifest.recordings.indices {
            json.raw(place == 0 ? "\n" : ",\n")
            json.put(manifest.recordings[place])
        }
        json.raw(manifest.recordings.isEmpty ? "]" : "\n]")
        json.raw(",\"version\":")
        json.integer(manifest.version)
        json.raw("}\n")
        return json.bytes
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
