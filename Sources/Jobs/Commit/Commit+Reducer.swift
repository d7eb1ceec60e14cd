import Recordings
import ReducerKit

extension Commit {
    /// The groups' way to the disk, but for the order to record, which is the journal's own:
    /// `JobStore.reducer` adds it once a group is synced.
    package static let reducer = Reducer<State, Action, Command> { state, action, order in
        switch action {
        case .synced(let number):
            guard state.isUnderway(number, .syncing) else { return }
            state.underway?.step = .recording
        case .recorded(let number):
            guard state.isUnderway(number, .recording) else { return }
            state.underway?.step = .publishing
            order(.publish(number, state.underway?.outcomes ?? []))
        case .published(let number, let misplaced):
            guard state.isUnderway(number, .publishing) else { return }
            state.land(misplaced, order)
        case .syncFailed(let number, _):
            guard state.isUnderway(number, .syncing) else { return }
            state.breakOff(order)
        case .recordFailed(let number, _):
            guard state.isUnderway(number, .recording) else { return }
            // Half a line may name the files: they are left to the next run, which will see.
            state.dropped += state.underway?.outcomes ?? []
            state.underway = nil
            state.breakOff(order)
        }
        state.beginGroup(order)
    }
}

extension Commit.State {
    /// Takes the outcome of a job that has come to its end.
    package mutating func take(_ outcome: Commit.Outcome, _ order: (Commit.Command) -> Void) {
        if isBroken {
            drop([outcome], order)
        } else {
            gathering.append(outcome)
            beginGroup(order)
        }
    }

    /// Whether a group is waiting for the answer to this step.
    package func isUnderway(_ number: Int, _ step: Commit.Step) -> Bool {
        underway?.number == number && underway?.step == step
    }

    package mutating func beginGroup(_ order: (Commit.Command) -> Void) {
        guard underway == nil, !gathering.isEmpty, !isHeld else { return }
        if awaitsMore, !isDue, gathering.count < Commit.fullGroup(after: groups) { return }
        isDue = false
        groups += 1
        underway = Commit.Group(number: groups, step: .syncing, outcomes: gathering)
        gathering = []
        order(.sync(groups, underway?.outcomes ?? []))
    }

    /// Ends a group.
    ///
    /// A recording whose files are not in their places has failed, which is a new outcome: the
    /// journal has it otherwise. Where nothing can be written any more it has not: the journal says
    /// where its files are, and the next run moves them.
    fileprivate mutating func land(
        _ misplaced: [Commit.Misplacement], _ order: (Commit.Command) -> Void
    ) {
        guard let outcomes = underway?.outcomes else { return }
        underway = nil
        for outcome in outcomes where !outcome.abandoned.isEmpty {
            order(.discard(folder: outcome.path, outcome.abandoned))
        }
        guard !misplaced.isEmpty else {
            landed = outcomes
            return
        }
        let failures = Dictionary(misplaced.map { ($0.id, $0) }, uniquingKeysWith: { $1 })
        var isBlocked = false
        for var outcome in outcomes {
            guard let misplacement = failures[outcome.id] else {
                landed.append(outcome)
                continue
            }
            guard !misplacement.failure.endsRun else {
                isBlocked = true
                dropped.append(outcome)
                continue
            }
            outcome.fail(misplacement)
            gathering.append(outcome)
        }
        if isBlocked { breakOff(order) }
    }

    /// Gives up what is not recorded.
    fileprivate mutating func breakOff(_ order: (Commit.Command) -> Void) {
        isBroken = true
        let lost = (underway?.outcomes ?? []) + gathering
        underway = nil
        gathering = []
        drop(lost, order)
    }

    fileprivate mutating func drop(
        _ outcomes: [Commit.Outcome], _ order: (Commit.Command) -> Void
    ) {
        dropped += outcomes
        for outcome in outcomes where !outcome.staged.isEmpty {
            order(.discard(folder: outcome.path, outcome.staged))
        }
    }
}

extension Commit.Outcome {
    /// Turns it into that of a recording that failed at the very end.
    ///
    /// What did get into its place is named, and so is what was there before.
    fileprivate mutating func fail(_ misplacement: Commit.Misplacement) {
        let own = entry.value.generations.telling(of: misplacement.landed)
        entry.value.status = .failed
        entry.value.failure = misplacement.failure
        if misplacement.failure.stage != .trim { entry.value.waveforms = nil }
        entry.value.trimmed = nil
        entry.value.notTrimmed = nil
        let taken = misplacement.failure.detail
        let named = Set((entry.value.waveforms ?? []).map(\.path))
        let left = Set(misplacement.landed + obsolete + replaced + (entry.value.leftBehind ?? []))
            .subtracting(named)
            // What is there is somebody else's.
            .filter { misplacement.failure.reason != .nameTaken || $0.text != taken }
        let told = own + earlier + (entry.value.earlier ?? [])
        (entry.value.leftBehind, entry.value.earlier) = (nil, nil)
        entry.value.leaveBehind(left.sorted(), toldOf: told)
        abandoned = staged.filter { !misplacement.landed.contains($0.name) }
        staged = []
        obsolete = []
        replaced = []
        earlier = []
    }
}
