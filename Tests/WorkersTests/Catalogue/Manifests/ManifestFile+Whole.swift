import FoundationEssentials
import Recordings
import TestSupport

@testable import Workers

extension ManifestFile {
    /// The manifest in an output folder as the general decoder reads it.
    static func read(in folder: Pathname) throws -> Manifest {
        let text = try FileSystem.contents(of: folder.appending("manifest.json"))
        return try JSONDecoder().decode(Manifest.self, from: Data(text))
    }

    /// The text of a manifest whose entries are in no record, as earlier versions wrote it too.
    static func bytes(of manifest: Manifest) -> [UInt8] {
        var text = ManifestText.beginning(of: manifest.folder).bytes + line(of: manifest.recipe)
        var json = JSONWriter()
        json.raw(",\"recipeFingerprint\":")
        json.string(manifest.recipeFingerprint)
        json.raw(",\"recordings\":[")
        text += json.bytes
        for (number, entry) in manifest.recordings.enumerated() {
            text += (number == 0 ? "\n" : ",\n").utf8
            text += line(of: entry)
        }
        if !manifest.recordings.isEmpty { text += "\n".utf8 }
        return text + "],\"version\":\(manifest.version)}\n".utf8
    }
}
