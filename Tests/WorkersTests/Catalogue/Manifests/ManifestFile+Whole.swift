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
}
