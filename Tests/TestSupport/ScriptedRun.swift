import Jobs
import Recordings
import ReducerKit
import Testing

/// A run whose world does as it is told: it lists what a test put there and succeeds at everything
/// else, unless a test answers in its place.
package final class ScriptedRun {
    package typealias Store = TestStore<JobStore.State, JobStore.Action, JobStore.Command>

    package let store: Store
    /// What each folder holds; a folder that is not here is empty.
    package var listings: [Pathname: FolderListing] = [:]
    /// What is found out of recordings, by their names, where it is not the usual.
    package var formats: [Pathname: AudioFormat] = [:]
    package var silences: [Pathname: SilenceMap] = [:]
    /// Those of recordings, where they are not all the same.
    package var digests: [Pathname: String] = [:]
    private var seconds = 0.0
    /// Everything that was ordered.
    package private(set) var commands: [JobStore.Command] = []
    /// What was ordered and not answered, in order.
    package private(set) var pending: [JobStore.Command] = []

    /// What the output knows.
    package var record = SimulatedRecord()
    /// Manifests that were ordered, in order, as they would be printed then.
    package private(set) var manifests: [PrintedManifest] = []
    /// The manifests that are in the output.
    package var written: [Pathname: PrintedManifest] = [:]

    package init(_ configuration: JobStore.Configuration = JobStore.Configuration()) {
        store = Store(
            initialState: JobStore.State(configuration: configuration),
            reducer: JobStore.reducer, awaitsAnswer: \.due, answers: \.answered)
    }

    package var state: JobStore.State { store.state }

    /// Sends an action and takes note of what it leads to.
    @discardableResult
    package func send(_ action: JobStore.Action) -> [JobStore.Command] {
        if case .scan(.listed(let id, let listing)) = action, state.scan.folders.contains(id) {
            record.seed(listing, of: state.scan.folders[id].path)
        }
        let answered = pending.first { $0.due != nil && $0.due == action.answered }
        if let answered { carryOut(answered, action) }
        pending.removeAll { $0.due != nil && $0.due == action.answered }
        let more = store.skip(action)
        for case .writeManifest(_, let order) in more {
            var copy = record
            manifests.append(copy.print(order))
        }
        commands += more
        pending += more.filter { $0.due != nil }
        return more
    }

    /// Changes the record as a command does that is answered with success.
    private func carryOut(_ command: JobStore.Command, _ answer: JobStore.Action) {
        switch (command, answer) {
        case (.commit(.record(_, let outcomes, let recipes)), .commit(.recorded)):
            record.add(outcomes.map { JournalFact($0, recipes) })
        case (.commit(.publish(_, let outcomes)), .commit(.published(_, let misplaced))):
            for outcome in outcomes where !misplaced.contains(where: { $0.id == outcome.id }) {
                record.place(outcome.staged.map { .init(folder: outcome.path, file: $0) })
            }
        case (.writeManifest(_, let order), .manifestWritten):
            written[order.folder] = record.print(order)
        default: break
        }
    }

    /// Answers the oldest command; `false` where none waits.
    @discardableResult
    package func answerNext() -> Bool {
        guard let command = pending.first, let action = success(of: command) else { return false }
        send(action)
        return true
    }

    package func answerAll() {
        while answerNext() {}
    }

    /// Lets a moment pass, for which what has ended waits for company.
    @discardableResult
    package func passMoment() -> [JobStore.Command] {
        seconds += 0.2
        return send(.ticked(seconds))
    }

    /// Answers the command that waits for this, whatever waits longer.
    @discardableResult
    package func answer(
        _ due: Due, sourceLocation: SourceLocation = #_sourceLocation
    ) -> [JobStore.Command] {
        guard let command = pending.first(where: { $0.due == due }),
            let action = success(of: command)
        else {
            Issue.record("nothing waits for \(due)", sourceLocation: sourceLocation)
            return []
        }
        return send(action)
    }

    /// Brings a group of outcomes onto the disk, and returns what follows from it.
    @discardableResult
    package func land(
        _ group: Int, sourceLocation: SourceLocation = #_sourceLocation
    ) -> [JobStore.Command] {
        answer(.commit(group, .syncing), sourceLocation: sourceLocation)
        answer(.commit(group, .recording), sourceLocation: sourceLocation)
        return answer(.commit(group, .publishing), sourceLocation: sourceLocation)
    }

    /// The whole run, to its end.
    @discardableResult
    package func run(
        _ targets: [FolderScan.Target] = [.folder("")],
        sourceLocation: SourceLocation = #_sourceLocation
    ) -> Summary {
        send(.started(targets))
        answerAll()
        #expect(state.isFinished, sourceLocation: sourceLocation)
        #expect(state.deepViolation == nil, sourceLocation: sourceLocation)
        store.finish(sourceLocation: sourceLocation)
        return state.summary
    }

    /// What a recording was before, where no other has that name in the listings.
    private func find(_ order: FindingOrder) -> FormerWork? {
        record.find(order, digest: digest(of: order.source.name)) { [listings] place, isSameFile in
            let there = listings[place.folder]?.recordings.first { $0.name == place.name }
            return there.map { isSameFile && $0.identity != order.identity } ?? true
        }
    }

    package func digest(of name: Pathname) -> String { digests[name] ?? "0" }

    private func measurements(for order: ListeningOrder) -> Measurements {
        let name = order.source.name
        var measured = Example.measurements(
            for: order, format: formats[name] ?? Example.format(),
            silence: silences[name] ?? Example.silence())
        if order.stages.contains(.checksum) { measured.sourceSHA256 = digest(of: name) }
        return measured
    }

    /// The action by which a command that waits for an answer is answered when all goes well.
    package func success(of command: JobStore.Command) -> JobStore.Action? {
        switch command {
        case .scan(.list(let id, let request)):
            .scan(.listed(id, listings[request.path] ?? FolderListing()))
        case .job(let id, .listen(let order)):
            .job(id, .listened(measurements(for: order), staged: Example.staged(for: order)))
        case .job(let id, .trim(let order)):
            .job(
                id,
                .trimmed(Example.trimmedFile(for: order), staged: Example.staged(for: order)))
        case .job(let id, .identify(let source)): .job(id, .identified(digest(of: source.name)))
        case .job(let id, .adopt(let order)): .job(id, .adopted(Example.staged(for: order)))
        case .job(let id, .recall(let source)):
            .job(
                id,
                .recalled(
                    record.entry(RecordedPlace(folder: source.folder, name: source.name))
                        .map { Boxed($0) }))
        case .job(let id, .find(let order)): .job(id, .found(find(order)))
        case .writeManifest(let id, _): .manifestWritten(id)
        case .export: .exported(ExportReport())
        case .commit(.sync(let group, _)): .commit(.synced(group))
        case .commit(.record(let group, _, _)): .commit(.recorded(group))
        case .commit(.publish(let group, _)): .commit(.published(group, []))
        case .commit(.discard), .scan(.forget), .cancelWork, .announce, .finish: nil
        }
    }
}

extension ScriptedRun {
    package var announcements: [Announcement] {
        commands.compactMap { if case .announce(let news) = $0 { news } else { nil } }
    }

    package var listened: [ListeningOrder] {
        commands.compactMap { if case .job(_, .listen(let order)) = $0 { order } else { nil } }
    }

    package var trimmed: [TrimmingOrder] {
        commands.compactMap { if case .job(_, .trim(let order)) = $0 { order } else { nil } }
    }

    /// What was recorded, in order.
    package var recorded: [Commit.Outcome] {
        commands.flatMap { command -> [Commit.Outcome] in
            if case .commit(.record(_, let outcomes, _)) = command { outcomes } else { [] }
        }
    }

    /// Sends the first action of a run.
    @discardableResult
    package func start(_ targets: [FolderScan.Target] = [.folder("")]) -> [JobStore.Command] {
        send(.started(targets))
    }

    /// Names of the recordings that were announced as settled, in order.
    package var settledNames: [Pathname] {
        announcements.compactMap {
            if case .settled(_, let entry, _, _) = $0 { entry.name } else { nil }
        }
    }
}
