import Jobs

/// What a run still has to be told: the outcome of a command.
package enum Due: Hashable, Sendable {
    case listing(FolderID)
    case work(RecordingID)
    case manifest(FolderID)
    case commit(Int, Commit.Step)
    case exports
}

extension JobStore.Command {
    /// The answer that this command waits for; `nil` where it waits for none.
    package var due: Due? {
        switch self {
        case .scan(.list(let id, _)): .listing(id)
        case .job(let id, .listen), .job(let id, .trim), .job(let id, .identify),
            .job(let id, .adopt), .job(let id, .recall), .job(let id, .find):
            .work(id)
        case .writeManifest(let id, _): .manifest(id)
        case .export: .exports
        case .commit(.sync(let group, _)): .commit(group, .syncing)
        case .commit(.record(let group, _, _)): .commit(group, .recording)
        case .commit(.publish(let group, _)): .commit(group, .publishing)
        case .commit(.discard), .scan(.forget), .cancelWork, .announce, .finish: nil
        }
    }
}

extension JobStore.Action {
    /// What this action answers; `nil` where nobody asked for it.
    package var answered: Due? {
        switch self {
        case .scan(.listed(let id, _)), .scan(.unchanged(let id)), .scan(.failed(let id, _)):
            .listing(id)
        case .job(let id, _): .work(id)
        case .manifestWritten(let id, _), .manifestFailed(let id, _): .manifest(id)
        case .exported: .exports
        case .commit(.synced(let group)), .commit(.syncFailed(let group, _)):
            .commit(group, .syncing)
        case .commit(.recorded(let group)), .commit(.recordFailed(let group, _)):
            .commit(group, .recording)
        case .commit(.published(let group, _)): .commit(group, .publishing)
        case .started, .scan, .stopRequested, .ticked: nil
        }
    }
}
