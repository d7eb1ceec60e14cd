import Dispatch
import Jobs
import Recordings
import Synchronization

/// Writes manifests in batches: all those ordered so far share one sync.
final class ManifestQueue: Sendable {
    /// Receives the names of superseded files that were retained, or the failure.
    typealias Answer = @Sendable (Result<[Pathname], RecordingFailure>) -> Void

    private let ownership: OutputOwnership
    private let queue = DispatchQueue(label: "tapedeck.manifests")
    private let waiting = Mutex<[(order: ManifestOrder, answer: Answer)]>([])

    init(_ ownership: OutputOwnership) {
        self.ownership = ownership
    }

    /// Queues a manifest; the answer is called once it is in place or has failed.
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
                // Stored before the next step, so that it is discarded if that step fails.
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
        // An answer starts follow-up work, so publish all manifests before the first answer.
        let results = orders.map { publish(staged[$0.order.folder], errors[$0.order.folder]) }
        for ((_, answer), result) in zip(orders, results) { answer(result) }
    }

    /// Renames a manifest into place unless writing it failed.
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
