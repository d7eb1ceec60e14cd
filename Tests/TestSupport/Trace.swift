import Jobs
import Recordings

/// What happened in a simulated world, one short line an action.
package struct Trace: CustomStringConvertible, Sendable {
    /// Whether anything is written down, which takes longer than what happens.
    package let isOn: Bool
    private var lines: [String] = []

    package init(isOn: Bool = true) { self.isOn = isOn }

    mutating func append(_ action: JobStore.Action, _ commands: [JobStore.Command]) {
        guard isOn else { return }
        let orders = commands.map(Trace.words).joined(separator: ", ")
        note("\(Trace.words(action)) → \(orders)")
    }

    /// A command is being carried out, as far as it goes.
    mutating func begin(_ command: JobStore.Command) {
        guard isOn else { return }
        note("    … \(Trace.words(command))")
    }

    mutating func note(_ words: @autoclosure () -> String) {
        if isOn { lines.append("\(lines.count). \(words())") }
    }

    package var description: String { lines.joined(separator: "\n") }

    private static func words(_ action: JobStore.Action) -> String {
        switch action {
        case .started(let targets): "started \(targets.map(words).joined(separator: " "))"
        case .scan(.listed(let id, let listing)):
            "listed \(id.index): \(listing.recordings.map(\.name))"
                + " beside \(listing.unseen.map(\.entry.name))"
        case .scan(.failed(let id, _)): "could not list \(id.index)"
        case .scan(let action): "\(action)"
        case .job(let id, .listened): "listened to \(id.index)"
        case .job(let id, .trimmed(let file, _)): "trimmed \(id.index) as \(file.path)"
        case .job(let id, .failed(let failure, _)): "\(id.index) failed: \(failure.reason)"
        case .job(let id, .cancelled): "\(id.index) cancelled"
        case .job(let id, .recalled(let entry)):
            "\(id.index) recalled \(entry?.value.name ?? "nothing")"
        case .job(let id, .found(let former)):
            "\(id.index) was \(former.map { "\($0.place.name)" } ?? "nothing else")"
        case .job(let id, .identified(let digest)): "\(id.index) is \(digest)"
        case .job(let id, .adopted(let staged)): "\(id.index) adopted \(staged.map(\.name))"
        case .job(let id, .sourceChanged(let stamp)):
            "\(id.index) is \(stamp == nil ? "gone" : "another")"
        case .manifestWritten(let id, let spared):
            "manifest \(id.index) written\(spared.isEmpty ? "" : ", \(spared) spared")"
        case .manifestFailed(let id, _): "manifest \(id.index) failed"
        case .exported(let report): "exported, \(report.troubles.count) troubles"
        case .commit(.synced(let group)): "synced \(group)"
        case .commit(.recorded(let group)): "recorded \(group)"
        case .commit(.published(let group, let misplaced)):
            "published \(group)"
                + (misplaced.isEmpty ? "" : " but for \(misplaced.map(\.id.index))")
        case .commit(.syncFailed(let group, _)): "could not sync \(group)"
        case .commit(.recordFailed(let group, _)): "could not record \(group)"
        case .stopRequested(let signal): "stop requested by \(signal)"
        case .ticked(let seconds): "ticked \(seconds)"
        }
    }

    private static func words(_ target: FolderScan.Target) -> String {
        switch target {
        case .folder(let path): "\(path)/"
        case .recording(let folder, let name): "\(folder.appending(name))"
        }
    }

    private static func words(_ command: JobStore.Command) -> String {
        switch command {
        case .scan(.list(let id, let request)): "list \(id.index) \"\(request.path)\""
        case .job(let id, .listen(let order)):
            "listen to \(id.index) \(order.source.name) for \(order.stages.names)"
        case .job(let id, .trim(let order)): "trim \(id.index) as \(order.name)"
        case .job(let id, .recall): "recall \(id.index)"
        case .job(let id, .find): "find what \(id.index) was"
        case .job(let id, .identify): "identify \(id.index)"
        case .job(let id, .adopt(let order)): "adopt \(id.index) from \(order.folder)"
        case .scan(.forget(let path)): "forget \(path)"
        case .writeManifest(let id, let order):
            "write manifest \(id.index): \(order.changes.keys.sorted()) changed"
                + (order.isLast ? ", the last" : "")
        case .export: "export"
        case .cancelWork: "cancel"
        case .commit(.sync(let group, let outcomes)):
            "sync \(group): \(outcomes.map(\.entry.value.name))"
        case .commit(.record(let group, _, _)): "record \(group)"
        case .commit(.publish(let group, _)): "publish \(group)"
        case .commit(.discard(_, let files)): "discard \(files.map(\.name))"
        case .announce(.settled(_, let entry, _, let upToDate)):
            "say \(entry.name) \(upToDate ? "is up to date" : "is \(entry.status)")"
        case .announce(.planned(_, let name, _)): "say \(name) would be done"
        case .announce(.explained(_, let name, _)): "say why \(name) is stale"
        case .announce(.settingsChanged(let reasons)): "say that \(reasons.count) settings changed"
        case .announce(.stopped(let failure)): "say the run stops: \(failure.reason)"
        case .announce(.manifestSetAside(let folder, let name)):
            "say the manifest of \(folder) is kept as \(name)"
        case .announce(.spared(let folder, let name)): "say \(name) stays in \(folder)"
        case .announce(.folderFailed(let path, _)): "say \"\(path)\" failed"
        case .announce(.manifestFailed(let path, _)): "say the manifest of \"\(path)\" failed"
        case .announce(.awaited(_, let name, let failure)):
            "say \(name) is awaited: \(failure.map { "\($0.reason)" } ?? "new")"
        case .announce(.missing(_, let name, let pruned)):
            "say \(name) is \(pruned ? "pruned" : "missing")"
        case .announce(.exportTrouble(let trouble)): "say \(trouble.path) is not exported"
        case .announce(.moved(_, let name, _, let newName)): "say \(name) is now \(newName)"
        case .announce(.polled(let path, let outcome)): "say \(path) is polled: \(outcome)"
        case .finish: "finish"
        }
    }
}
