import Recordings
import ReducerKit

extension JobStore.Action {
    static let scanPath = CasePath<JobStore.Action, FolderScan.Action>(
        embed: JobStore.Action.scan,
        extract: { if case .scan(let action) = $0 { action } else { nil } })

    static let jobPath = CasePath<JobStore.Action, (key: RecordingID, action: Job.Action)>(
        embed: { .job($0.key, $0.action) },
        extract: { if case .job(let id, let action) = $0 { (id, action) } else { nil } })

    static let commitPath = CasePath<JobStore.Action, Commit.Action>(
        embed: JobStore.Action.commit,
        extract: { if case .commit(let action) = $0 { action } else { nil } })
}

extension JobStore {
    /// All decisions; where asserts are held, one that leads to what can never be ends the program.
    package static let reducer = uncheckedReducer.checkingInvariants { $0.violation }

    /// As `reducer`, for whoever looks for violations without stopping at the first.
    ///
    /// Children before their parent, which acts on what they made of the same action.
    package static let uncheckedReducer = makeReducer()

    @inline(never) private static func makeReducer() -> Reducer<State, Action, Command> {
        .combine(
            FolderScan.reducer.pullback(
                state: \.scan, action: Action.scanPath, command: Command.scan),
            jobs,
            Commit.reducer.pullback(
                state: \.commit, action: Action.commitPath, command: Command.commit),
            run
        )
        .journaling(journalEntry)
        .countingIgnoredAnswers()
    }

    private static let everyJob: Reducer<State, Action, Command> = Job.reducer.forEach(
        state: \.jobs, action: Action.jobPath, command: Command.job)

    /// The jobs, none of which goes on to a next step once the run is stopping.
    private static let jobs = Reducer<State, Action, Command> { state, action, order in
        guard case .job(let id, _) = action else { return }
        for case .job(_, let command) in everyJob(&state, action) {
            if case .stopping = state.phase {
                everyJob(&state, .job(id, .cancelled), order)
            } else {
                order(.job(id, command))
            }
        }
    }

    /// What the journal is to remember of an action: once the files of a group are on the disk,
    /// what they are.
    ///
    /// Nothing else writes to it.
    private static func journalEntry(_ action: Action, _ state: State) -> Command? {
        guard case .commit(.synced(let number)) = action,
            state.commit.isUnderway(number, .recording), let group = state.commit.underway
        else { return nil }
        return .commit(.record(number, group.outcomes, state.configuration.recipe))
    }

    /// The run itself: who starts, what is settled, when it is over.
    private static let run = Reducer<State, Action, Command> { state, action, order in
        guard !state.isFinished else { return }
        switch action {
        case .started(let targets, let journal):
            state.begin(targets, journal, order)
        case .scan(.listed(let id, let listing)):
            state.take(listing, of: id, order)
        case .scan(.unchanged(let id)):
            state.tend(id, order)
        case .scan(.failed(let id, let failure)):
            if state.scan.rests[id] == nil { state.fail(id, failure, order) }
        case .scan:
            break
        case .job(let id, let answer):
            state.harvest(id, order)
            if case .failed(let failure, _) = answer, failure.reason == .decoderStuck {
                state.stopAtStuckDecoder(id, order)
            }
        case .commit(let action):
            state.takeCommitted(after: action, order)
        case .manifestWritten(let id, let spared):
            for name in spared {
                order(.announce(.spared(folder: state.scan.folders[id].path, name: name)))
            }
            state.takeManifest(id, order)
        case .manifestFailed(let id, let failure):
            state.failManifest(id, failure, order)
        case .journalClosed:
            state.summary.journalFailed = false
            state.takeJournalClosed(order)
        case .journalFailed(let failure):
            state.summary.journalFailed = true
            order(.announce(.journalFailed(failure)))
            state.takeJournalClosed(order)
        case .stopRequested(let signal):
            state.stop(StopReason(signal), order)
        case .ticked(let seconds):
            state.pace.tick(seconds)
            state.scheduler.tick(seconds)
            state.scan.tick(state.pace.nowSeconds) { order(.scan($0)) }
            state.tendFolders(order)
            state.commit.isDue = !state.commit.gathering.isEmpty
        }
        state.advance(order)
    }
}

extension Reducer<JobStore.State, JobStore.Action, JobStore.Command> {
    /// Lets no answer through that comes late, twice, or for something that is gone: it is counted
    /// and changes nothing else.
    fileprivate func countingIgnoredAnswers() -> Reducer {
        Reducer { state, action, order in
            guard state.expects(action) else {
                state.ignoredAnswers += 1
                return
            }
            self(&state, action, order)
        }
    }
}

extension JobStore.State {
    /// Whether this action can still mean something to the run.
    fileprivate func expects(_ action: JobStore.Action) -> Bool {
        switch action {
        case .started: !scan.hasBegun
        case .job(let id, let answer): jobs.contains(id) && jobs[id].expects(answer)
        case .scan(.listed(let id, _)), .scan(.unchanged(let id)), .scan(.failed(let id, _)):
            scan.inFlight == id
        case .commit(.synced(let group)), .commit(.syncFailed(let group, _)):
            commit.isUnderway(group, .syncing)
        case .commit(.recorded(let group)), .commit(.recordFailed(let group, _)):
            commit.isUnderway(group, .recording)
        case .commit(.published(let group, _)): commit.isUnderway(group, .publishing)
        case .manifestWritten(let id, _), .manifestFailed(let id, _):
            manifestsInFlight.contains(id)
        case .journalClosed, .journalFailed:
            (journal.isClosing || journal.isTidying) && !isFinished
        case .scan, .stopRequested, .ticked: true
        }
    }

    package var isFinished: Bool {
        if case .finished = phase { true } else { false }
    }

    fileprivate mutating func begin(
        _ targets: [FolderScan.Target], _ contents: JournalContents, _ order: Order
    ) {
        journal.isThere =
            contents.isThere || !contents.damagedLines.isEmpty || !contents.folders.isEmpty
        if !contents.damagedLines.isEmpty {
            order(.announce(.journalDamaged(lines: contents.damagedLines)))
        }
        let began = FolderScan.Action.began(
            targets, recovered: contents.folders, watch: configuration.watch)
        FolderScan.reducer(&scan, began) { order(.scan($0)) }
        scan.watch?.nowSeconds = pace.nowSeconds
    }

    fileprivate mutating func failManifest(
        _ id: FolderID, _ failure: RecordingFailure, _ order: Order
    ) {
        manifestsInFlight.remove(id)
        let isNews = journal.unwritten.insert(id).inserted
        if isNews { summary.manifestsFailed += 1 }
        if configuration.watch != nil, folders.contains(id) {
            folders[id].takeBackManifest()
            lookAgainIfOutdated(id)
        }
        // What ends the run is told of once, whatever it keeps from being written.
        switch phase {
        case .running where failure.endsRun:
            stop(.trouble(failure), order)
        case .stopping(.trouble) where failure.endsRun,
            .closing(.trouble?) where failure.endsRun:
            break
        default:
            guard isNews else { return }
            order(.announce(.manifestFailed(folder: scan.folders[id].path, failure)))
        }
    }
}
