import Dispatch
import Jobs
import Recordings
import Synchronization

/// Writes manifests in batches: all those ordered so far share one sync.
final class ManifestQueue: Sendable {
    /// Receives the names of superseded files that were retained, or the failure.
    typealias Answer = @Sendable (Result<[Pathname], RecordingFailure>) -> Void

    private let ownership: OutputOwnership
    private let record: OutputRecord
    private let queue: DispatchQueue
    /// Whether manifests are printed, and not only recorded.
    private let prints: Bool
    private let waiting = Mutex<[(order: ManifestOrder, answer: Answer)]>([])

    /// - Parameters:
    ///   - queue: that of the commits, as a file that is obsolete now may be replaced by one.
    ///   - prints: false if others work in the same folders, and the merge prints.
    init(
        _ ownership: OutputOwnership, _ record: OutputRecord, on queue: DispatchQueue,
        prints: Bool = true
    ) {
        (self.queue, self.prints) = (queue, prints)
        self.record = record
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
        // An answer starts follow-up work, so publish all manifests before the first answer.
        let results = write(orders.map(\.order))
        for ((_, answer), result) in zip(orders, results) { answer(result) }
    }

    private func write(_ orders: [ManifestOrder]) -> [Result<[Pathname], RecordingFailure>] {
        do throws(RecordingFailure) {
            try inStage(.manifest) { () throws(FileSystemError) in
                _ = try ownership.holdTop()
                try record.update(orders)
            }
        } catch {
            return orders.map { _ in .failure(error) }
        }
        guard prints else { return orders.map { _ in .success([]) } }
        var staged: [Pathname: StagedManifest] = [:]
        var errors: [Pathname: RecordingFailure] = [:]
        for order in orders {
            do throws(RecordingFailure) {
                staged[order.folder] = try ManifestFile.stage(order, of: record, ownership)
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
            for order in orders { errors[order.folder] = errors[order.folder] ?? error }
        }
        var printed: [StagedManifest] = []
        var results: [Result<[Pathname], RecordingFailure>] = []
        for order in orders {
            results.append(publish(&staged[order.folder], errors[order.folder]))
            if case .success = results.last, let manifest = staged[order.folder] {
                printed.append(manifest)
            }
        }
        do throws(FileSystemError) {
            // No loss of power may bring a file back that nothing names any more.
            try FileSystem.syncAll(at: Set(printed.filter(\.hasDeleted).map(\.syncedFolder)))
            try record.didPrint(printed)
        } catch {
            let failure = RecordingFailure(error, in: .manifest)
            return orders.map { _ in .failure(failure) }
        }
        return results
    }

    /// Renames a manifest into place unless writing it failed.
    private func publish(
        _ manifest: inout StagedManifest?, _ error: RecordingFailure?
    ) -> Result<[Pathname], RecordingFailure> {
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
