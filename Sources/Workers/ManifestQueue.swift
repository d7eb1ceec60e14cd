import Dispatch
import Jobs
import Recordings
import Synchronization

/// Writes manifests, as many at once as have been ordered by then: one sync does for all of them.
final class ManifestQueue: Sendable {
    typealias Answer = @Sendable (FileSystemError?) -> Void

    private let output: Pathname
    private let queue = DispatchQueue(label: "tapedeck.manifests")
    private let waiting = Mutex<[(order: ManifestOrder, answer: Answer)]>([])

    init(output: Pathname) {
        self.output = output
    }

    /// Orders a manifest; the answer comes once it is in its place, with what went wrong if it is
    /// not.
    func write(_ order: ManifestOrder, _ answer: @escaping Answer) {
        waiting.withLock { $0.append((order, answer)) }
        queue.async { self.writeAll() }
    }

    private func writeAll() {
        let orders = waiting.withLock { waiting in
            defer { waiting = [] }
            return waiting
        }
        guard !orders.isEmpty else { return }
        var staged: [Pathname: StagedManifest] = [:]
        var errors: [Pathname: FileSystemError] = [:]
        for (order, _) in orders {
            do throws(FileSystemError) {
                staged[order.folder] = try ManifestFile.stage(order, in: output)
            } catch {
                errors[order.folder] = error
            }
        }
        do throws(FileSystemError) {
            try FileSystem.syncAll(at: Set(staged.values.filter(\.isNew).map(\.folder)))
        } catch {
            for (order, _) in orders { errors[order.folder] = errors[order.folder] ?? error }
        }
        for (order, answer) in orders {
            let manifest = staged[order.folder]
            do throws(FileSystemError) {
                if let error = errors[order.folder] { throw error }
                try manifest?.publish()
                answer(nil)
            } catch {
                manifest?.discard()
                answer(error)
            }
        }
    }
}

/// A manifest that is written and not in its place yet.
struct StagedManifest {
    let folder: Pathname
    /// `nil` where the manifest says all of it already, so that nothing seems new where nothing is:
    /// a recording that failed before and fails again changes nothing.
    let file: StagedFile?
    let obsolete: [Pathname]
    let pruned: [Pathname]
    /// Where the manifest goes with its folder, the output in which the folder lies.
    let output: Pathname?

    var isNew: Bool { file != nil }

    /// Puts it in its place, and then removes the outputs that no entry names any more.
    func publish() throws(FileSystemError) {
        for name in pruned { try FileSystem.remove(folder.appending(name)) }
        // A loss of power must not bring them back without an entry that names them.
        if !pruned.isEmpty { try FileSystem.syncFolder(folder) }
        if let file {
            try FileSystem.rename(
                folder.appending(file.temporary), to: folder.appending(file.name))
        }
        for name in obsolete { try FileSystem.remove(folder.appending(name)) }
        if let output { try vanish(from: output) }
    }

    /// Removes the manifest, and the folders that have nothing in them any more.
    private func vanish(from output: Pathname) throws(FileSystemError) {
        try FileSystem.remove(folder.appending(OutputNames.manifest))
        var empty: [Pathname] = []
        var place = folder
        while place != output, output.contains(place) {
            empty.insert(place, at: 0)
            place = place.parent
        }
        FileSystem.removeEmptyFolders(empty)
    }

    func discard() {
        if let file { try? FileSystem.remove(folder.appending(file.temporary)) }
    }
}
