import Crypto
import Jobs
import Recordings

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// `manifest.json`: one object with sorted keys, one recording a line.
///
/// A line a recording, so that two versions differ by the lines of what changed.
enum ManifestFile {
    /// Writes the manifest an order describes, complete and on the disk before it is seen, and then
    /// removes the outputs that no entry names any more.
    ///
    /// A manifest that says all of it already is left alone, so that nothing seems new where nothing
    /// is: a recording that failed before and fails again changes nothing.
    static func write(_ order: ManifestOrder, in output: Pathname) throws(FileSystemError) {
        let folder = output.appending(order.folder)
        let text = bytes(of: manifest(for: order))
        if (try? FileSystem.contents(of: folder.appending(OutputNames.manifest))) != text {
            try replace(in: folder, with: text)
        }
        for name in order.obsolete { try FileSystem.remove(folder.appending(name)) }
    }

    private static func replace(
        in folder: Pathname, with text: [UInt8]
    ) throws(FileSystemError) {
        let staged = try StagedOutput(OutputNames.manifest, in: folder, tag: "manifest")
        _ = try staged.write(syncing: true) { (put) throws(FileSystemError) in
            try put(text)
        }
        try staged.commitAndSync()
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

    private static func manifest(for order: ManifestOrder) -> Manifest {
        Manifest(
            folder: order.folder, recipe: order.recipe,
            recipeFingerprint: fingerprint(of: order.recipe), recordings: order.entries)
    }

    /// SHA-256 of the recipe as the manifest spells it.
    static func fingerprint(of recipe: Recipe) -> String {
        SHA256.hash(data: json(recipe)).hexadecimal
    }

    /// The manifest's text.
    static func bytes(of manifest: Manifest) -> [UInt8] {
        var text: [UInt8] = []
        func put(_ part: String) { text += Array(part.utf8) }
        put("{\"folder\":")
        text += json(manifest.folder)
        put(",\"recipe\":")
        text += json(manifest.recipe)
        put(",\"recipeFingerprint\":\"\(manifest.recipeFingerprint)\",\"recordings\":[")
        for (index, entry) in manifest.recordings.enumerated() {
            put(index == 0 ? "\n" : ",\n")
            text += json(entry)
        }
        put(manifest.recordings.isEmpty ? "]" : "\n]")
        put(",\"version\":\(manifest.version)}\n")
        return text
    }

    /// A value as manifests and journals spell it, on one line with sorted keys.
    static func json(_ value: some Encodable) -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        do {
            return try encoder.encode(value)
        } catch {
            // Every number in a manifest is finite and every key a string.
            preconditionFailure("a manifest could not be spelled: \(error)")
        }
    }
}
