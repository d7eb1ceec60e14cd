import Recordings
import ReducerKit

extension Commit.State {
    /// Moves the current group to its next step; the order to record it is issued by
    /// `JobStore.reducer`, once the group is synced.
    /// - Returns: outcomes whose commit ended with this answer.
    package mutating func handle(
        _ answer: Commit.Action, _ order: (Commit.Command) -> Void
    ) -> Commit.Ended {
        var ended = Commit.Ended()
        switch answer {
        case .synced(let number):
            guard isUnderway(number, .syncing) else { return ended }
            underway?.step = .recording
        case .recorded(let number):
            guard isUnderway(number, .recording) else { return ended }
            underway?.step = .publishing
            order(.publish(number, underway?.outcomes ?? []))
        case .published(let number, let misplaced):
            guard isUnderway(number, .publishing) else { return ended }
            ended = land(misplaced, order)
        case .syncFailed(let number, _):
            guard isUnderway(number, .syncing) else { return ended }
            ended.dropped = breakOff(order)
        case .recordFailed(let number, _):
            guard isUnderway(number, .recording) else { return ended }
            // The transaction may have succeeded, so the files are left to the next run to check.
            ended.dropped = underway?.outcomes ?? []
            underway = nil
            ended.dropped += breakOff(order)
        }
        beginGroup(order)
        return ended
    }

    /// Adds a job's outcome to the next group; `false` if it is dropped, as nothing can be written
    /// any more.
    package mutating func take(
        _ outcome: Commit.Outcome, _ order: (Commit.Command) -> Void
    ) -> Bool {
        guard !isBroken else {
            discard([outcome], order)
            return false
        }
        gathering.append(outcome)
        beginGroup(order)
        return true
    }

    /// Whether this group waits for the answer to this step.
    package func isUnderway(_ number: Int, _ step: Commit.Step) -> Bool {
        underway?.number == number && underway?.step == step
    }

    package mutating func beginGroup(_ order: (Commit.Command) -> Void) {
        guard underway == nil, !gathering.isEmpty else { return }
        if awaitsMore, !isDue, gathering.count < Commit.fullGroup(after: groups) { return }
        isDue = false
        groups += 1
        underway = Commit.Group(number: groups, step: .syncing, outcomes: gathering)
        gathering = []
        order(.sync(groups, underway?.outcomes ?? []))
    }

    /// Ends the current group.
    ///
    /// If files could not be moved into place, their recording has failed, which is a new outcome:
    /// another is recorded. If nothing can be written any more, it has not failed: the record says
    /// where its files are, and the next run moves them.
    fileprivate mutating func land(
        _ misplaced: [Commit.Misplacement], _ order: (Commit.Command) -> Void
    ) -> Commit.Ended {
        let outcomes = underway?.outcomes ?? []
        underway = nil
        for outcome in outcomes where !outcome.abandoned.isEmpty {
            order(.discard(folder: outcome.path, outcome.abandoned))
        }
        guard !misplaced.isEmpty else { return Commit.Ended(landed: outcomes) }
        var ended = Commit.Ended()
        let failures = Dictionary(misplaced.map { ($0.id, $0) }, uniquingKeysWith: { $1 })
        var isBlocked = false
        for var outcome in outcomes {
            guard let misplacement = failures[outcome.id] else {
                ended.landed.append(outcome)
                continue
            }
            guard !misplacement.failure.endsRun else {
                isBlocked = true
                ended.dropped.append(outcome)
                continue
            }
            outcome.fail(misplacement)
            gathering.append(outcome)
        }
        if isBlocked { ended.dropped += breakOff(order) }
        return ended
    }

    /// Drops all outcomes that are not recorded, and returns them.
    fileprivate mutating func breakOff(_ order: (Commit.Command) -> Void) -> [Commit.Outcome] {
        isBroken = true
        let lost = (underway?.outcomes ?? []) + gathering
        underway = nil
        gathering = []
        discard(lost, order)
        return lost
    }

    fileprivate func discard(_ outcomes: [Commit.Outcome], _ order: (Commit.Command) -> Void) {
        for outcome in outcomes where !outcome.staged.isEmpty {
            order(.discard(folder: outcome.path, outcome.staged))
        }
    }
}

extension Commit.Outcome {
    /// Turns it into the outcome of a recording whose files could not be moved into place.
    ///
    /// It names the files that were moved into place, and the earlier outputs.
    fileprivate mutating func fail(_ misplacement: Commit.Misplacement) {
        let own = entry.value.generations.telling(of: misplacement.landed)
        entry.value.status = .failed
        entry.value.failure = misplacement.failure
        if misplacement.failure.stage != .trim { entry.value.waveforms = nil }
        entry.value.trimmed = nil
        entry.value.notTrimmed = nil
        let taken = misplacement.failure.detail
        let named = Set((entry.value.waveforms ?? []).map(\.path))
        let before = (previous?.value.outputs ?? []) + (entry.value.leftBehind ?? [])
        let left = Set(misplacement.landed + before)
            .subtracting(named)
            // The file that has the name belongs to somebody else.
            .filter { misplacement.failure.reason != .nameTaken || $0.text != taken }
        let told = own + (previous?.value.generations ?? []) + (entry.value.earlier ?? [])
        (entry.value.leftBehind, entry.value.earlier) = (nil, nil)
        entry.value.leaveBehind(left.sorted(), toldOf: told)
        abandoned = staged.filter { !misplacement.landed.contains($0.name) }
        staged = []
        previous = nil
    }
}
