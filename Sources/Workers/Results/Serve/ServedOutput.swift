import Glibc
import Jobs
import Recordings
import Reports
import Synchronization

/// Why a request is not answered with what it asks for.
package enum ServedRefusal: Error, Hashable, Sendable {
    /// Nothing that a page shows is there.
    case notFound
    /// A link leads out of the recordings or the output.
    case outside
    /// The recording is gone, or no longer what it was when it was processed.
    case changed
    /// The output is no longer there.
    case gone
    /// The record, or a file, cannot be read.
    case unreadable(detail: String)
}

/// An output and its recordings, as the pages of a server show them; nothing is ever written.
///
/// Pages are made from the record when they are asked for. Of files, only those are opened that the
/// record knows: recordings, their copies, and manifests. All calls block on the disk.
package final class ServedOutput: Sendable {
    private let tree: ResultTree
    /// Whether a run of this process has the record open: it ends if that is replaced, and until
    /// then nobody else here may open the file, as closing it would drop the locks on it.
    private let isOfRun: Bool
    private let current: Mutex<OpenOutput>
    /// The rows of some folders, as they were asked for last.
    private let rows = Mutex<[Pathname: (version: String, text: ServedText)]>([:])

    /// The number of folders whose rows are held: they are large, and asked for by many at once.
    private static let mostRows = 4

    /// Opens the output of a path, with a record of its own.
    package init(_ tree: ResultTree) throws(RunRefusal) {
        (self.tree, isOfRun) = (tree, false)
        current = Mutex(try OpenOutput(tree, number: 0))
    }

    /// Opens the output of a run of this process.
    package convenience init(_ places: RunPlaces, _ record: OutputRecord) throws(RunRefusal) {
        try self.init(places, record, isRemote: OutputRecord.isOnShare(places.output))
    }

    /// - Parameter isRemote: whether the output is on a network share, where not even this process
    ///   may open the record a second time.
    init(_ places: RunPlaces, _ record: OutputRecord, isRemote: Bool) throws(RunRefusal) {
        let tree = ResultTree(output: places.output)
        let reader = try OutputRecord.reading(places.shownOutput) { () throws(FileSystemError) in
            isRemote ? record : try record.reader()
        }
        (self.tree, isOfRun) = (tree, true)
        current = Mutex(
            try OpenOutput(
                tree, reader, root: places.root, places.rules, ownsRecord: !isRemote, number: 0))
    }

    /// The output, opened again if another record is in its place; throws while there is none.
    func opened() throws(FileSystemError) -> OpenOutput {
        try current.withLock { open throws(FileSystemError) in
            guard !isOfRun, open.record.hasMoved() else { return open }
            guard OutputRecord.isThere(in: tree.output),
                let new = try? OpenOutput(tree, number: open.number + 1)
            else { throw .outputGone(tree.output) }
            open.close()
            open = new
            return open
        }
    }

    package func close() { current.withLock { $0.close() } }

    package func body(for target: ServedTarget) throws(ServedRefusal) -> any ServedBody {
        do throws(FileSystemError) {
            let open = try opened()
            if target.place == .recordings { return try open.recording(target) }
            if target.path.lastComponent == ReportPage.rows, !target.isFolder {
                return try rows(of: target.path.parent, open)
            }
            return try open.page(target)
        } catch {
            switch error.code {
            case ENOENT, ENOTDIR: throw .notFound
            case EXDEV, ELOOP: throw .outside
            case ESTALE: throw .changed
            case FileSystemError.outputGone(tree.output).code: throw .gone
            default: throw .unreadable(detail: error.detail)
            }
        }
    }

    /// All rows of a folder, made once for all who ask.
    private func rows(
        of folder: Pathname, _ open: OpenOutput
    ) throws(FileSystemError) -> ServedText {
        try rows.withLock { rows throws(FileSystemError) in
            let version = try open.version()
            if let known = rows[folder], known.version == version { return known.text }
            let changes = try open.record.changes(in: folder, since: 0)
            let text = OpenOutput.script("rows", open.rows(of: folder, changes))
            if rows.count >= ServedOutput.mostRows { rows = [:] }
            rows[folder] = (version, text)
            return text
        }
    }
}
