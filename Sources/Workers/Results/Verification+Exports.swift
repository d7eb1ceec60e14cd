import Jobs
import Recordings

extension Verification {
    /// The checks of split files beside a folder's results.
    func splitChecks(in folder: Pathname) throws(FileSystemError) -> [FileCheck] {
        let shown = folder.appending(SplitLine.folderName)
        let place = tree.output.appending(shown)
        return try SplitLine.lines(in: place).map { line in
            let name = Pathname(line.name)
            return FileCheck(
                shown: shown.appending(name), path: place.appending(name), temporary: nil,
                promise: .bytes(line.bytes, sha256: line.sha256))
        }
    }
}
