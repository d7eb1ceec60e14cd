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
    private let scanner: FolderScanner
    private let queues = WorkQueues()
    private let cancellation = Cancellation()
    private let announce: @Sendable (Announcement) -> Void
    private let finish: @Sendable () -> Void

    /// - Parameters:
    ///   - announce: tells the user, in the order in which things happened.
    ///   - finish: called once, when nothing is left to do.
    package init(
        places: RunPlaces, isDryRun: Bool, announce: @escaping @Sendable (Announcement) -> Void,
        finish: @escaping @Sendable () -> Void
    ) {
        self.places = places
        self.scanner = FolderScanner(places: places, mayClean: !isDryRun)
        self.announce = announce
        self.finish = finish
    }

    package func callAsFunction(_ command: JobStore.Command, _ send: @escaping Send) {
        switch command {
        case .scan(.list(let id, let request)):
            queues.scanning.async { send(.scan(scanner.list(id, request))) }
        case .job(let id, .listen(let order)):
            queues.sound.async {
                let pass = ListeningPass(
                    order: order, places: places, tag: "\(id.index)", cancellation: cancellation)
                send(.job(id, pass.run()))
            }
        case .job(let id, .trim(let order)):
            queues.sound.async {
                let pass = TrimmingPass(
                    order: order, places: places, tag: "\(id.index)", cancellation: cancellation)
                send(.job(id, pass.run()))
            }
        case .writeManifest(let id, let order):
            queues.manifests.async { send(write(order, of: id)) }
        case .cancelWork:
            cancellation.cancel()
        case .announce(let announcement):
            announce(announcement)
        case .finish:
            finish()
        }
    }

    private func write(_ order: ManifestOrder, of id: FolderID) -> JobStore.Action {
        do throws(FileSystemError) {
            try ManifestFile.write(order, in: places.output)
            return .manifestWritten(id)
        } catch {
            return .manifestFailed(id, RecordingFailure(error, in: .manifest))
        }
    }
}
