import Dispatch
import Glibc
import Jobs
import Recordings
import Synchronization

/// `tapedeck clean`: deletes what was made of recordings that have been gone for long.
package struct CleanSession: Sendable {
    /// A recording that is gone, and whose outputs are not.
    package struct Leftover: Hashable, Sendable {
        package var folder: Pathname
        package var name: Pathname
        /// When a run noticed, since 1970.
        package var goneSeconds: Int64
        /// Of the files that were made of it.
        package var files: Int
        package var bytes: Int64
    }

    package struct Outcome: Sendable {
        package var removed = 0
        /// Files that were modified, and stay; relative to the output.
        package var spared: [Pathname] = []
        package var failures: [(folder: Pathname, failure: RecordingFailure)] = []
    }

    private let tree: ResultTree
    private let root: Pathname

    package init(_ tree: ResultTree) throws(RunRefusal) {
        self.tree = tree
        root = try tree.root()
    }

    /// What would be deleted, in order of folder and name; writes nothing.
    ///
    /// A recording that is back is none of them, although no run has noticed yet.
    /// - Parameter limit: recordings that were gone by then, in seconds since 1970.
    package func find(goneBefore limit: Int64) throws(RunRefusal) -> [Leftover] {
        let record = try tree.record()
        defer { record.close() }
        let all = try OutputRecord.reading(tree.shownOutput) { () throws(FileSystemError) in
            try record.gone(before: limit, below: tree.folder)
        }
        guard !all.isEmpty else { return [] }
        try RunPlaces.requireRecordings(in: root, beside: tree.output)
        return all.filter(isGone)
    }

    /// Whether there is no such file; one that cannot be looked at may be there.
    private func isGone(_ leftover: Leftover) -> Bool {
        let path = root.appending(leftover.folder).appending(leftover.name)
        do throws(FileSystemError) {
            _ = try FileSystem.status(path, followingLink: false)
            return false
        } catch {
            return [ENOENT, ENOTDIR].contains(error.code)
        }
    }

    /// Deletes the outputs of these recordings, and forgets them; no run may work in the output
    /// meanwhile.
    ///
    /// As after every run: what is recorded first is that they are obsolete, so that after a crash
    /// the next run finishes it. Files that were modified stay.
    package func remove(_ leftovers: [Leftover]) throws(RunRefusal) -> Outcome {
        let folder = try OutputFolder(tree.output, root: root)
        let record = folder.record
        // A run may have found some of them meanwhile.
        let outcome = Result { () throws(RunRefusal) in
            try write(leftovers.filter(isGone), record)
        }
        _ = folder.closeRecord()
        folder.release()
        return try outcome.get()
    }

    private func write(
        _ leftovers: [Leftover], _ record: OutputRecord
    ) throws(RunRefusal) -> Outcome {
        let places = RunPlaces(root: root, output: tree.output, targets: [.folder(.empty)])
        let queue = DispatchQueue(label: "tapedeck.clean")
        let manifests = ManifestQueue(OutputOwnership(places, record), record, on: queue)
        let outcome = Mutex(Outcome())
        let settings = try record.settings(of: places)
        for (path, gone) in Dictionary(grouping: leftovers, by: \.folder) {
            var order = ManifestOrder(folder: path, recipe: settings.recipes[path])
            for leftover in gone { order.changes[leftover.name] = .forgotten }
            order.isLast = try isLast(path, gone.count, record)
            manifests.write(order) { result in
                outcome.withLock { outcome in
                    switch result {
                    case .success(let spared):
                        outcome.removed += gone.count
                        outcome.spared += spared.map(path.appending)
                    case .failure(let failure): outcome.failures.append((path, failure))
                    }
                }
            }
        }
        queue.sync {}
        return outcome.withLock(\.self)
    }

    /// Whether nothing is left of a folder, neither recordings nor results of any.
    private func isLast(
        _ folder: Pathname, _ gone: Int, _ record: OutputRecord
    ) throws(RunRefusal) -> Bool {
        let results = try OutputRecord.reading(tree.shownOutput) { () throws(FileSystemError) in
            try record.entries(in: folder).count
        }
        return results == gone && (try? FileSystem.status(root.appending(folder))) == nil
    }
}

extension OutputRecord {
    /// The recordings that are gone and have outputs, in order of folder and name.
    fileprivate func gone(
        before limit: Int64, below top: Pathname
    ) throws(FileSystemError) -> [CleanSession.Leftover] {
        try read { (database) throws(FileSystemError) in
            var found: [CleanSession.Leftover] = []
            try database.forEach(
                """
                SELECT f.path, e.name, e.changedSeconds, e.entry FROM entries e
                JOIN folders f ON f.id = e.folder
                WHERE e.status = 'sourceMissing' AND e.changedSeconds <= ?
                ORDER BY f.path, e.name
                """, .integer(limit)
            ) { row in
                let folder = row.path(0)
                guard top.contains(folder), let entry = row.entry(3) else { return }
                found.append(
                    CleanSession.Leftover(
                        folder: folder, name: row.path(1), goneSeconds: row.integer(2),
                        files: entry.files.count, bytes: entry.files.map(\.bytes).reduce(0, +)))
            }
            return found
        }
    }
}
