import Recordings
import ReducerKit

extension JobStore {
    /// The reducer of all decisions; if assertions are enabled, a violated invariant traps.
    package static let reducer = uncheckedReducer.checkingInvariants { $0.violation }

    /// Like `reducer`, for callers that check invariants without trapping at the first violation.
    ///
    /// The run passes each action to the part of the state that it concerns, and acts on the result
    /// at once; then the watch does, if there is one.
    package static let uncheckedReducer = makeReducer()

    @inline(never) private static func makeReducer() -> Reducer<State, Action, Command> {
        Reducer.combine(run, Watch.reducer, goOn)
            .journaling(recordOrder)
            .countingIgnoredAnswers()
    }

    /// The command that records a group's outcomes, once its files are synced.
    ///
    /// Nothing else records outcomes.
    private static func recordOrder(_ action: Action, _ state: State) -> Command? {
        guard case .commit(.synced(let number)) = action,
            state.commit.isUnderway(number, .recording), let group = state.commit.underway
        else { return nil }
        return .commit(.record(number, group.outcomes, state.configuration.recipes))
    }

    /// Passes each action to the part of the state that handles it.
    private static let run = Reducer<State, Action, Command> { state, action, order in
        guard !state.isFinished else { return }
        switch action {
        case .started(let targets):
            state.scan.begin(targets) { order(.scan($0)) }
        case .scan(let answer):
            switch state.scan.handle(answer, { order(.scan($0)) }) {
            case .listed(let id, let listing, let events):
                state.take(listing, of: id, events, order)
            case .failed(let id, let failure): state.fail(id, failure, order)
            case nil: break
            }
        case .job(let id, let answer):
            state.handle(answer, of: id, order)
        case .commit(let answer):
            state.handle(answer, order)
        case .manifestWritten(let id, let spared):
            for name in spared {
                order(.announce(.spared(folder: state.scan.folders[id].path, name: name)))
            }
            state.takeManifest(id, order)
        case .manifestFailed(let id, let failure):
            state.failManifest(id, failure, order)
        case .exported(let report):
            state.handle(report, order)
        case .stopRequested(let signal):
            state.stop(StopReason(signal), order)
        case .ticked(let seconds):
            state.pace.tick(seconds)
            state.scheduler.tick(seconds)
            state.scan.tick(state.pace.nowSeconds) { order(.scan($0)) }
            state.commit.isDue = !state.commit.gathering.isEmpty
        }
    }

    /// Starts waiting jobs, and ends the run when all work is over.
    private static let goOn = Reducer<State, Action, Command> { state, _, order in
        state.advance(order)
    }
}

extension Reducer<JobStore.State, JobStore.Action, JobStore.Command> {
    /// Drops and counts answers that are late, duplicated, or for something that is gone.
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
    /// Whether the run still expects this action.
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
        case .exported: exports?.isInFlight == true
        case .scan, .stopRequested, .ticked: true
        }
    }

    package var isFinished: Bool {
        if case .finished = phase { true } else { false }
    }
}
