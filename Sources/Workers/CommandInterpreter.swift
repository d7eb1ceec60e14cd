import Dispatch
import Jobs
import Recordings
import ReducerKit

/// Carries out all commands in one switch.
///
/// Called on the driver's queue; slow work moves to other queues. Each command with an outcome is
/// answered exactly once, because each branch ends in one `send`.
package struct CommandInterpreter: Sendable {
    package typealias Send = @Sendable (JobStore.Action) -> Void

    private let places: RunPlaces
    private let isDryRun: Bool
    private let ownership: OutputOwnership
    private let record: OutputRecord
    private let scanner: FolderScanner
    private let commitWriter: CommitWriter
    private let manifests: ManifestQueue
    private let queues = WorkQueues()
    private let cancellation = Cancellation()
    private let watchdog: DecoderWatchdog
    private let limit: LengthLimit
    private let watcher: FolderWatcher?
    private let details: ReportDetailsKeeper?
    /// `nil` in a dry run.
    private let notes: DecodingNotes?
    private let announce: @Sendable (Announcement) -> Void
    private let finish: @Sendable () -> Void

    /// - Parameters:
    ///   - record: the output's; in a dry run, opened for reading.
    ///   - limit: the maximum duration of a recording.
    ///   - watchdog: detects stuck decoders.
    ///   - exports: what is written beside results.
    ///   - watcher: reports file events; `nil` if folders are polled instead.
    ///   - announce: shows a message to the user.
    ///   - finish: called once, when all work is done.
    package init(
        places: RunPlaces, record: OutputRecord, isDryRun: Bool,
        limit: LengthLimit = LengthLimit(), watchdog: DecoderWatchdog = DecoderWatchdog(),
        exports: ExportChoice? = nil, watcher: FolderWatcher? = nil,
        announce: @escaping @Sendable (Announcement) -> Void,
        finish: @escaping @Sendable () -> Void
    ) {
        self.places = places
        self.isDryRun = isDryRun
        self.limit = limit
        self.watchdog = watchdog
        self.record = record
        let ownership = OutputOwnership(places, record)
        self.ownership = ownership
        var scanner = FolderScanner(
            places: places, record: record, isDryRun: isDryRun, ownership: ownership)
        if let watcher { scanner.watch = { watcher.watch($1, at: $0) } }
        self.scanner = scanner
        self.watcher = watcher
        details =
            isDryRun ? nil : ReportDetailsKeeper(exports, in: places.output, ownership, record)
        notes =
            isDryRun
            ? nil
            : DecodingNotes(in: places.catalogue, failed: (try? record.crashed) ?? [])
        self.commitWriter = CommitWriter(output: places.output, ownership, record)
        self.manifests = ManifestQueue(
            ownership, record, on: queues.keeping, prints: places.shard == nil)
        self.announce = announce
        self.finish = finish
    }

    package func callAsFunction(_ command: JobStore.Command, _ send: @escaping Send) {
        switch command {
        case .scan(.list(let id, let request)):
            queues.scanning.async { send(.scan(scanner.list(id, request))) }
        case .scan(.forget(let folder)):
            // Queued, so that it runs between the folder's earlier and later scans.
            queues.scanning.async { watcher?.forget(folder) }
        case .job(let id, let command):
            let queue = queues.takeForSound()
            queue.async {
                let answer = watchdog.watch(id, bytes: command.source.stamp.bytes) {
                    carryOut(command, $0)
                }
                // Return the queue before answering, so that the same thread runs the next job.
                queues.giveBack(queue)
                if let answer { send(.job(id, answer)) }
            }
        case .commit(let command):
            queues.keeping.async {
                if let answer = commitWriter.carryOut(command) { send(.commit(answer)) }
            }
        case .writeManifest(let id, let order):
            manifests.write(order) { result in
                switch result {
                case .success(let spared): send(.manifestWritten(id, spared: spared))
                case .failure(let failure): send(.manifestFailed(id, failure))
                }
            }
        case .export(let choice):
            queues.exporting.async {
                details?.publish()
                let refresh = ExportRefresh(
                    choice: choice, places: places, ownership: ownership, record: record,
                    cancellation: cancellation)
                send(.exported(refresh.run()))
            }
        case .cancelWork:
            cancellation.cancel()
        case .announce(let announcement):
            announce(announcement)
        case .finish:
            // Queued after the pending deletions.
            queues.keeping.async {
                if !isDryRun { commitWriter.finish() }
                notes?.finish(isWhole: !cancellation.isCancelled)
                details?.publish()
                finish()
            }
        }
    }

    /// Fails jobs whose decoder is stuck; call it several times a second while there is work.
    package func checkDecoders(_ send: @escaping Send) {
        watchdog.check { send(.job($0, $1)) }
    }

    private func carryOut(_ command: Job.Command, _ watch: DecoderWatch) -> Job.Action {
        switch command {
        case .listen(let order):
            ListeningPass(
                order: order, places: places, ownership: ownership, cancellation: cancellation,
                limit: limit, details: details, notes: notes, watch: watch
            ).run()
        case .trim(let order):
            TrimmingPass(
                order: order, places: places, ownership: ownership, cancellation: cancellation,
                notes: notes, watch: watch
            ).run()
        case .identify(let source):
            IdentifyingPass(source: source, places: places, cancellation: cancellation).run()
        case .adopt(let order):
            AdoptionPass(
                order: order, places: places, ownership: ownership, cancellation: cancellation
            ).run()
        case .find(let order):
            FindingPass(
                order: order, places: places, record: record, cancellation: cancellation
            ).run()
        case .recall(let source):
            recall(RecordedPlace(folder: source.folder, name: source.name))
        }
    }

    private func recall(_ place: RecordedPlace) -> Job.Action {
        do throws(FileSystemError) {
            return .recalled(try record.entry(place).map { Boxed($0) })
        } catch {
            return .failed(RecordingFailure(error, in: .manifest), measured: nil)
        }
    }
}
