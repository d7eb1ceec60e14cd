import Jobs
import Recordings
import ReducerKit

@testable import Workers

extension OutputFolder {
    /// Makes a folder as an earlier run would have left it, by default of the folder it lies in.
    static func makeMarked(_ path: Pathname, root: Pathname? = nil) {
        do {
            let folder = try OutputFolder(path, root: root ?? path.parent)
            folder.release()
        } catch {
            preconditionFailure("\(path) cannot be made an output folder: \(error)")
        }
    }

    /// Changes the record of an output, as an earlier run did.
    static func change(
        _ path: Pathname, root: Pathname? = nil, _ change: (OutputRecord) throws -> Void
    ) throws {
        let folder = try OutputFolder(path, root: root ?? path.parent)
        try change(folder.record)
        folder.release()
    }

    /// Records results in an output, as an earlier run did that printed no manifest.
    static func settle(
        _ entries: [ManifestEntry], in folder: Pathname, of output: Pathname
    ) throws {
        try change(output) { try $0.put(entries, in: folder) }
    }
}
