import Jobs
import Recordings

extension Verification {
    /// The checks of exports that runs keep up to date.
    func exportChecks() -> [FileCheck] {
        var checks: [FileCheck] = []
        // A record that cannot be read is reported for its folders.
        try? record.forEachExport { export in
            guard tree.folder.contains(export.path.parent) else { return }
            checks.append(
                FileCheck(
                    shown: export.path, path: tree.output.appending(export.path), temporary: nil,
                    promise: .bytes(
                        export.stamp.bytes, sha256: export.sha256,
                        modifiedNanoseconds: export.stamp.modifiedNanoseconds),
                    role: .export))
        }
        return checks
    }

    /// The checks of split files beside a folder's results.
    func splitChecks(in folder: Pathname) throws(FileSystemError) -> [FileCheck] {
        let shown = folder.appending(SplitLine.folderName)
        let place = tree.output.appending(shown)
        return try SplitLine.lines(in: place).compactMap { $0 }.map { line in
            let name = Pathname(line.name)
            return FileCheck(
                shown: shown.appending(name), path: place.appending(name), temporary: nil,
                promise: .bytes(
                    line.bytes, sha256: line.sha256,
                    modifiedNanoseconds: line.source.modifiedNanoseconds),
                role: .export)
        }
    }
}
