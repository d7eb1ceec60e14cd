import Dispatch
import Jobs
import Recordings
import Synchronization

/// Writes manifests, as many at once as have been ordered by then: one sync does for all of them.
final class ManifestQueue: Sendable {
    /// Takes the names of what was to be removed and stays, or what went wrong.
    typealias Answer = @Sendable (Result<[Pathname], RecordingFailure>) -> Void

    private let output: Pathname
    private let claims: OutputClaims
    private let queue = DispatchQueue(label: "tapedeck.manifests")
    private let waiting = Mutex<[(order: ManifestOrder, answer: Answer)]>([])

    init(output: Pathname, _ claims: OutputClaims) {
        self.output = output
        self.claims = claims
    }

    /// Orders a manifest; the answer comes once it is in its place, or cannot come there.
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
        // Who answers goes on with what follows, so none does before all are in their place.
        let results = orders.map { publish(staged[$0.order.folder], errors[$0.order.folder]) }
        for ((_, answer), result) in zip(orders, results) { answer(result) }
    }

    /// Puts a manifest in its place unless it could not be written.
    private func publish(
        _ manifest: StagedManifest?, _ error: FileSystemError?
    ) -> Result<[Pathname], RecordingFailure> {
        do throws(RecordingFailure) {
            if let error { throw RecordingFailure(error, in: .manifest) }
            return .success(try manifest?.publish(claims) ?? [])
        } catch {
            manifest?.discard()
            return .failure(error)
        }
    }
}

/// A manifest that is written and not in its place yet.
struct StagedManifest {
    let output: Pathname
    /// The folder's path below the output.
    let place: Pathname
    /// `nil` where the manifest says all of it already, so that nothing seems new where nothing is:
    /// a recording that failed before and fails again changes nothing.
    let file: StagedFile?
    let obsolete: [Pathname]
    let pruned: [Pathname]
    /// Whether the manifest goes again, with its folder.
    let isLast: Bool

    var folder: Pathname { output.appending(place) }
    var isNew: Bool { file != nil }

    /// Puts it in its place, and then removes the outputs that no entry names any more.
    /// - Returns: those that stay, as they are not as they were written.
    func publish(_ claims: OutputClaims) throws(RecordingFailure) -> [Pathname] {
        let held = try claims.hold(place)
        var spared: [Pathname] = []
        try inStage(.manifest) { () throws(FileSystemError) in
            try requireNoOther(held)
            // As long as the manifest is there that says what they are.
            let obsolete = try removable(obsolete, held, claims, &spared)
            let pruned = try removable(pruned, held, claims, &spared)
            for name in pruned { try held.remove(name) }
            // A loss of power must not bring them back without an entry that names them.
            if !pruned.isEmpty { try held.sync() }
            if let file { try held.rename(file.temporary, to: file.name) }
            for name in obsolete { try held.remove(name) }
            if isLast { try held.remove(OutputNames.manifest) }
        }
        if isLast { removeEmptyFolders() }
        return spared
    }

    /// Throws where a file lies there that is no manifest of this program.
    ///
    /// Many programs give their files that name. What was there when the folder was listed, and
    /// could not be read, is kept under another by now.
    private func requireNoOther(_ held: borrowing HeldFolder) throws(FileSystemError) {
        let found = try held.status(of: OutputNames.manifest)
        guard let found, found.kind == .regular, found.stamp.bytes > 0,
            !ManifestFile.isThere(in: folder)
        else { return }
        throw .nameTaken(folder.appending(OutputNames.manifest))
    }

    /// Those that may be removed: a recording may have been moved there that bears the name.
    private func removable(
        _ names: [Pathname], _ held: borrowing HeldFolder, _ claims: OutputClaims,
        _ spared: inout [Pathname]
    ) throws(FileSystemError) -> [Pathname] {
        var removable: [Pathname] = []
        for name in names {
            if try claims.mayRemove(name, in: held, of: place) {
                removable.append(name)
            } else {
                spared.append(name)
            }
        }
        return removable
    }

    /// Removes the folders that have nothing in them any more.
    private func removeEmptyFolders() {
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
