import Glibc
import Jobs
import Recordings

/// Has the next run make corrupt outputs again, which it would take for sound.
package enum OutputRepair {
    /// Deletes files that are corrupt and can be made again.
    ///
    /// These are exports, and the outputs of recordings that are done and still there. Others may
    /// be all that is left of a recording, and stay.
    /// - Parameter corrupt: relative to the output.
    /// - Returns: those that stay.
    package static func discard(
        _ corrupt: [Pathname], of tree: ResultTree
    ) throws(RunRefusal) -> [Pathname] {
        guard !corrupt.isEmpty else { return [] }
        let (record, root) = try tree.recordAndRoot()
        defer { record.close() }
        var mendable: Set<Pathname> = []
        try OutputRecord.reading(tree.shownOutput) { () throws(FileSystemError) in
            try record.forEachExport { mendable.insert($0.path) }
            for folder in Set(corrupt.map(\.parent)) {
                for entry in try record.entries(in: folder)
                where entry.status == .done && entry.failure == nil {
                    let source = root.appending(folder).appending(entry.name)
                    guard (try? FileSystem.status(source)) != nil else { continue }
                    for file in entry.files { mendable.insert(folder.appending(file.path)) }
                }
            }
        }
        for name in corrupt where mendable.contains(name) {
            let path = tree.output.appending(name)
            guard path.withCString({ unlink($0) }) == 0 || errno == ENOENT else {
                throw .pathUnreadable(path, detail: FileSystemError(path).detail)
            }
        }
        return corrupt.filter { !mendable.contains($0) }
    }
}
