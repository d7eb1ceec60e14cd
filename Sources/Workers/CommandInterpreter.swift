import Dispatch
import Jobs
import Recordings

/// The one switch that carries out commands.
///
/// Called on the driver's queue; everything that takes time is handed to a queue of its own. Each
/// command with an outcome is answered exactly once, because each branch ends in one `send`.
package struct CommandInterpreter: Sendable {
    package typealias Send = @Sendable (JobStore.Action) -> Void

    private let places: RunPlaces
    private let ownership: OutputOwnership
    private let scanner: FolderScanner
    private let commitWriter: CommitWriter
    private let manifests: ManifestQueue
    private let queues = WorkQueues()
    private let cancellation = Cancellation()
    private let watchdog: DecoderWatchdog
    private let limit: LengthLimit
    private let watcher: FolderWatcher?
    private let announce: @Sendable (Announcement) -> Void
    private let finish: @Sendable () -> Void

    /// - Parameters:
    ///   - journal: what an earlier run has left to do.
    ///   - limit: how long a recording may be.
    ///   - watchdog: what notices decoders that hang.
    ///   - watcher: what tells of changes in folders; `nil` where they are looked at again instead.
    ///   - announce: tells the user.
    ///   - finish: called once, when nothing is left to do.
    package init(
        places: RunPlaces, journal: RecoveredJournal, isDryRun: Bool,
        limit: LengthLimit = LengthLimit(), watchdog: DecoderWatchdog = DecoderWatchdog(),
        watcher: FolderWatcher? = nil,
        announce: @escaping @Sendable (Announcement) -> Void,
        finish: @escaping @Sendable () -> Void
    ) {
        self.places = places
        self.limit = limit
        self.watchdog = watchdog
        let ownership = OutputOwnership(places, journal)
        self.ownership = ownership
        var scanner = FolderScanner(
            places: places, journal: journal, isDryRun: isDryRun, ownership: ownership)
        if let watcher { scanner.watch = { watcher.watch($1, at: $0) } }
        self.scanner = scanner
        self.watcher = watcher
        self.commitWriter = CommitWriter(output: places.output, ownership)
        self.manifests = ManifestQueue(ownership)
        self.announce = announce
        self.finish = finish
    }

    package func callAsFunction(_ command: JobStore.Command, _ send: @escaping Send) {
        switch command {
        case .scan(.list(let id, let request)):
            queues.scanning.async { send(.scan(scanner.list(id, request))) }
        case .scan(.forget(let folder)):
            // Behind what was ordered of it before, and before what is ordered of it later.
            queues.scanning.async { watcher?.forget(folder) }
        case .job(let id, let command):
            let queue = queues.takeForSound()
            queue.async {
                let answer = watchdog.watch(id, bytes: command.source.stamp.bytes) {
                    carryOut(command, $0)
                }
                // Before the answer, so that the next work is taken up by the same thread.
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
                case .success(let spared):
                    commitWriter.note(order.folder)
                    send(.manifestWritten(id, spared: spared))
                case .failure(let failure): send(.manifestFailed(id, failure))
                }
            }
        case .closeJournal(let folders):
            queues.keeping.async { send(closeJournal(keeping: folders)) }
        case .cancelWork:
            cancellation.cancel()
        case .announce(let announcement):
            announce(announcement)
        case .finish:
            // Behind what is still to be removed.
            queues.keeping.async { finish() }
        }
    }

    /// Answers for decoders that hang; to be called some times a second while there is work.
    package func checkDecoders(_ send: @escaping Send) {
        watchdog.check { send(.job($0, $1)) }
    }

    private func carryOut(_ command: Job.Command, _ watch: DecoderWatch) -> Job.Action {
        switch command {
        case .listen(let order):
            ListeningPass(
                order: order, places: places, ownership: ownership, cancellation: cancellation,
                limit: limit, watch: watch
            ).run()
        case .trim(let order):
            TrimmingPass(
                order: order, places: places, ownership: ownership, cancellation: cancellation,
                watch: watch
            ).run()
        case .identify(let source):
            IdentifyingPass(source: source, places: places, cancellation: cancellation).run()
        case .adopt(let order):
            AdoptionPass(
                order: order, places: places, ownership: ownership, cancellation: cancellation
            ).run()
        }
    }

    private func closeJournal(keeping folders: [Pathname]) -> JobStore.Action {
        do throws(FileSystemError) {
            try commitWriter.closeJournal(keeping: folders)
            return .journalClosed
        } catch {
            return .journalFailed(RecordingFailure(error, in: .manifest))
        }
    }
}
