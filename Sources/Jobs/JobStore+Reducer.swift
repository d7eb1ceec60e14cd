import Recordings
import ReducerKit

extension JobStore.Action {
    static let scanPath = CasePath<JobStore.Action, FolderScan.Action>(
        embed: JobStore.Action.scan,
        extract: { if case .scan(let action) = $0 { action } else { nil } })

    static let jobPath = CasePath<JobStore.Action, (key: RecordingID, action: Job.Action)>(
        embed: { .job($0.key, $0.action) },
        extract: { if case .job(let id, let action) = $0 { (id, action) } else { nil } })
}

extension JobStore {
    /// All decisions; in debug builds the program stops where one leads to what can never be.
    package static let reducer = uncheckedReducer.checkingInvariants { $0.violation }

    /// As `reducer`, for whoever looks for violations without stopping at the first.
    ///
    /// Children before their parent, which acts on what they made of the same action.
    package static let uncheckedReducer: Reducer<State, Action, Command> =
        .combine(
            FolderScan.reducer.pullback(
                state: \.scan, action: Action.scanPath, command: Command.scan),
            jobs,
            run
        )
        .countingIgnoredAnswers()

    private static let everyJob: Reducer<State, Action, Command> = Job.reducer.forEach(
        state: \.jobs, action: Action.jobPath, command: Command.job)

    /// The jobs, none of which goes on to a next step once the run is stopping.
    private static let jobs = Reducer<State, Action, Command> { state, action in
        let commands = everyJob(&state, action)
        guard !commands.isEmpty, case .stopping = state.phase, case .job(let id, _) = action
        else { return commands }
        return everyJob(&state, .job(id, .cancelled))
    }

    /// The run itself: who starts, what is settled, when it is over.
    private static let run = Reducer<State, Action, Command> { state, action in
        guard !state.isFinished else { return [] }
        var commands: [Command] = []
        switch action {
        case .started(let targets):
            commands += FolderScan.reducer(&state.scan, .began(targets)).map(Command.scan)
        case .scan(.listed(let id, let listing)):
            commands += state.take(listing, of: id)
        case .scan(.failed(let id, let failure)):
            commands += state.fail(id, failure)
        case .scan:
            break
        case .job(let id, _):
            commands += state.harvest(id)
        case .manifestWritten(let id):
            state.manifestsInFlight.remove(id)
        case .manifestFailed(let id, let failure):
            state.manifestsInFlight.remove(id)
            state.summary.manifestsFailed += 1
            let folder = state.scan.folders[Int(id.index)].path
            commands.append(.announce(.manifestFailed(folder: folder, failure)))
        case .stopRequested(let signal):
            commands += state.stop(signal)
        case .ticked(let seconds):
            state.pace.tick(seconds)
        }
        return commands + state.advance()
    }
}

extension Reducer<JobStore.State, JobStore.Action, JobStore.Command> {
    /// Lets no answer through that comes late, twice, or for something that is gone: it is counted
    /// and changes nothing else.
    fileprivate func countingIgnoredAnswers() -> Reducer {
        Reducer { state, action in
            guard state.expects(action) else {
                state.ignoredAnswers += 1
                return []
            }
            return self(&state, action)
        }
    }
}

extension JobStore.State {
    /// Whether this action can still mean something to the run.
    fileprivate func expects(_ action: JobStore.Action) -> Bool {
        switch action {
        case .started: !scan.hasBegun
        case .job(let id, let answer): jobs.contains(id) && jobs[id].expects(answer)
        case .scan(.listed(let id, _)), .scan(.failed(let id, _)): scan.inFlight == id
        case .manifestWritten(let id), .manifestFailed(let id, _): manifestsInFlight.contains(id)
        case .scan, .stopRequested, .ticked: true
        }
    }

    package var isFinished: Bool {
        if case .finished = phase { true } else { false }
    }

    /// Starts what may start, and ends what has come to its end.
    fileprivate mutating func advance() -> [JobStore.Command] {
        switch phase {
        case .running:
            var commands = startJobs()
            let isOver =
                scan.isFinished && scheduler.running == 0
                && !scheduler.hasWaiting(in: jobs) && manifestsInFlight.isEmpty
            if isOver {
                phase = .finished(nil)
                commands.append(.finish)
            }
            return commands
        case .stopping(let signal):
            guard scheduler.running == 0, scan.isFinished else { return [] }
            phase = .closing(signal)
            return folders.keys.sorted().flatMap { writeManifestIfNeeded($0) } + advance()
        case .closing(let signal):
            guard manifestsInFlight.isEmpty else { return [] }
            phase = .finished(signal)
            return [.finish]
        case .finished:
            return []
        }
    }

    private mutating func startJobs() -> [JobStore.Command] {
        var commands: [JobStore.Command] = []
        while let id = scheduler.claim(from: jobs) {
            guard case .waiting(let stages) = jobs[id].phase,
                let folder = folders[jobs[id].folder]
            else { preconditionFailure("a job was claimed that does not wait in a folder") }
            let order = Job.Order(
                folder: folder.path, stages: stages, recipe: configuration.recipe,
                names: folder.names,
                previous: stages == .all ? nil : folder.previous[id]?.entry)
            commands += (jobs.update(id) { Job.reducer(&$0, .started(order)) } ?? [])
                .map { .job(id, $0) }
            // With nothing to listen to and nothing to cut, it is settled as it starts.
            commands += harvest(id)
        }
        return commands
    }

    fileprivate mutating func stop(_ signal: StopSignal) -> [JobStore.Command] {
        guard case .running = phase else { return [] }
        phase = .stopping(signal)
        _ = FolderScan.reducer(&scan, .stopped)
        return [.cancelWork]
    }

    /// Takes the outcome of a job that has just settled, once.
    fileprivate mutating func harvest(_ id: RecordingID) -> [JobStore.Command] {
        guard jobs.contains(id), case .settled(let outcome?) = jobs[id].phase else { return [] }
        jobs[id].phase = .settled(nil)
        scheduler.running -= 1
        guard case .entry(let entry) = outcome else { return [] }
        let folder = jobs[id].folder
        let recipe = configuration.recipe.waveform
        let settled = folders.update(folder) { $0.settle(id, as: entry, recipe: recipe) } ?? entry
        summary.count(settled, upToDate: false)
        return [announcement(settled, in: folder)] + writeManifestIfSettled(folder)
    }

    func announcement(
        _ entry: ManifestEntry, in folder: FolderID, upToDate: Bool = false
    ) -> JobStore.Command {
        let path = scan.folders[Int(folder.index)].path
        return .announce(.settled(folder: path, entry, upToDate: upToDate))
    }

    mutating func writeManifestIfSettled(_ id: FolderID) -> [JobStore.Command] {
        folders[id]?.unsettled == 0 ? writeManifestIfNeeded(id) : []
    }

    fileprivate mutating func writeManifestIfNeeded(_ id: FolderID) -> [JobStore.Command] {
        guard !configuration.isDryRun, folders[id]?.needsManifest == true else { return [] }
        let order = folders.update(id) { $0.manifestOrder(recipe: configuration.recipe) }
        guard let order else { return [] }
        manifestsInFlight.insert(id)
        return [.writeManifest(id, order)]
    }
}
