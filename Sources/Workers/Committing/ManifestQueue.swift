import Dispatch
import Jobs
import Recordings
import Synchronization

/// Writes manifests, as many at once as have been ordered by then: one sync does for all of them.
final class ManifestQueue: Sendable {
    /// Takes the names of what was to be removed and stays, or what went wrong.
    typealias Answer = @Sendable (Result<[Pathname], RecordingFailure>) -> Void

    private let ownership: OutputOwnership
    private let queue = DispatchQueue(label: "tapedeck.manifests")
    private let waiting = Mutex<[(order: ManifestOrder, answer: Answer)]>([])

    init(_ ownership: OutputOwnership) {
        self.ownership = ownership
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
        var errors: [Pathname: RecordingFailure] = [:]
        for (order, _) in orders {
            do throws(RecordingFailure) {
                var manifest = try ManifestFile.stage(order, ownership)
                // Kept before what can go wrong next, so that it is discarded where that does.
                staged[order.folder] = manifest
                try manifest.prepare(ownership)
                staged[order.folder] = manifest
            } catch {
                errors[order.folder] = error
            }
        }
        do throws(RecordingFailure) {
            let changed = Set(staged.values.filter(\.hasChanged).map(\.folder))
            try inStage(.manifest) { () throws(FileSystemError) in
                try FileSystem.syncAll(at: changed)
            }
        } catch {
            for (order, _) in orders { errors[order.folder] = errors[order.folder] ?? error }
        }
        // Who answers goes on with what follows, so none does before all are in their place.
        let results = orders.map { publish(staged[$0.order.folder], errors[$0.order.folder]) }
        for ((_, answer), result) in zip(orders, results) { answer(result) }
    }

    /// Puts a manifest in its place unless it could not be written.
    private func publish(
        _ manifest: StagedManifest?, _ error: RecordingFailure?
    ) -> Result<[Pathname], RecordingFailure> {
        var manifest = manifest
        do throws(RecordingFailure) {
            if let error { throw error }
            try manifest?.publish(ownership)
            return .success(manifest?.spared ?? [])
        } catch {
            manifest?.discard(ownership)
            return .failure(error)
        }
    }
}
