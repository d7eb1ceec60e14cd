import Jobs
import Recordings

extension SimulatedWorld {
    /// An answer that comes late, twice, or for something that never was: it must change nothing.
    mutating func sendStray() {
        actions += 1
        happened(.strayAnswer)
        let action = stray()
        // To compare states takes longer than all else.
        let before = random.chance(percent: 10) ? state : nil
        let ignored = state.ignoredAnswers
        let commands = reducer(&state, action)
        trace.append(action, commands)
        if !commands.isEmpty { violation = "a stray answer led to orders" }
        if state.ignoredAnswers != ignored + 1 { violation = "a stray answer was not ignored" }
        if var before {
            before.ignoredAnswers += 1
            if before != state { violation = "a stray answer changed the state" }
        }
    }

    /// Something that nobody waits for.
    mutating func stray() -> JobStore.Action {
        if !past.isEmpty, random.chance(percent: 60) {
            let action = random.pick(past)
            // A recording that is tried again does wait for such an answer.
            if case .job(let id, _) = action, state.jobs.contains(id),
                state.jobs[id].phase != .settled
            {
                return .job(RecordingID(state.jobs.count), .cancelled)
            }
            // So does a folder that is listed once more, as it could not be before.
            switch action {
            case .scan(.listed(let id, _)), .scan(.failed(let id, _)), .scan(.unchanged(let id)):
                if state.scan.inFlight == id {
                    return .job(RecordingID(state.jobs.count), .cancelled)
                }
            default: break
            }
            // And so does a folder that is listed, or whose manifest is written, again.
            if plan.configuration.watch != nil, let due = action.answered,
                watchLedger.pending[due] != nil
            {
                return .job(RecordingID(state.jobs.count), .cancelled)
            }
            return action
        }
        let nobody = RecordingID(state.jobs.count + 1)
        let nowhere = FolderID(state.scan.folders.count + 1_000)
        var choices: [JobStore.Action] = [
            .job(nobody, .cancelled), .manifestWritten(nowhere),
            .started([.folder("")]),
            .scan(.listed(nowhere, FolderListing())), .scan(.failed(nowhere, Example.failure())),
            .commit(.recorded(state.commit.groups + 1)),
        ]
        if let id = state.jobs.ids.first(where: { state.jobs[$0].phase == .settled }) {
            choices += [.job(id, .cancelled), .job(id, .failed(Example.failure(), measured: nil))]
        }
        return random.pick(choices)
    }
}
