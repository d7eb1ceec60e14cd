import FoundationEssentials
import Recordings
import TestSupport

@testable import Workers

/// SHA-256 of a recipe as manifests spell it.
func fingerprint(of recipe: Recipe) -> String {
    SHA256.hexadecimal(of: JSONLine.bytes(recipe))
}

extension ManifestFile {
    /// The manifest in an output folder as the general decoder reads it.
    static func read(in folder: Pathname) throws -> Manifest {
        let text = try FileSystem.contents(of: folder.appending("manifest.json"))
        return try JSONDecoder().decode(Manifest.self, from: Data(text))
    }

    /// The text of a manifest whose entries are in no record, as earlier versions wrote it too.
    static func bytes(of manifest: Manifest) -> [UInt8] {
        var text = ManifestText.beginning(of: manifest.folder) + JSONLine.bytes(manifest.recipe)
        text += ",\"recipeFingerprint\":\"\(manifest.recipeFingerprint)\",\"recordings\":[".utf8
        for (number, entry) in manifest.recordings.enumerated() {
            text += (number == 0 ? "\n" : ",\n").utf8
            text += JSONLine.bytes(entry)
        }
        if !manifest.recordings.isEmpty { text += "\n".utf8 }
        return text + "],\"version\":\(manifest.version)}\n".utf8
    }
}
