import Recordings
import ReducerKit

// How a run goes on: what starts, what has come to its end, and when all of it has.

extension JobStore {
    /// So many outcomes may wait to be safe; until they are, nothing new starts.
    package static let mostUncommitted = 1024
}

extension JobStore.State {
    /// Starts what may start, and ends what has come to its end.
    mutating func advance(_ order: Order) {
        switch phase {
        case .running:
            startJobs(order)
            if case .running = phase { beginGroup(waitingForOthers: true, order) }
            if configuration.watch != nil {
                jobs.forgetSettled()
                tidy(order)
            }
            guard isIdle, case .running = phase, mayEnd else { return }
            phase = .closing(nil)
            close(nil, order)
        case .stopping(let reason):
            guard scheduler.running == 0, scan.isFinished, commit.count == 0 else { return }
            phase = .closing(reason)
            if !reason.isTrouble {
                for id in folders.ids { writeManifestIfNeeded(id, order) }
            }
            close(reason, order)
        case .closing(let reason):
            close(reason, order)
        case .finished:
            break
        }
    }

    /// Whether nothing is waited for, in a run that goes on until it is told to stop.
    private var mayEnd: Bool {
        guard let watch = configuration.watch else { return true }
        return watch.endsWhenIdle && waiting.count == 0
            && !folders.ids.contains { needsManifest($0) && canBeWritten($0) }
    }

    /// Whether nothing is being done and nothing is about to be.
    var isIdle: Bool {
        scan.isFinished && scheduler.running == 0 && !scheduler.hasWaiting(in: jobs)
            && commit.count == 0 && manifestsInFlight.isEmpty
    }

    private mutating func startJobs(_ order: Order) {
        // What is new may be what has gone from a folder that is not listed yet.
        if knowsByBytes, !scan.isThrough { return }
        while case .running = phase, commit.count < JobStore.mostUncommitted,
            let id = scheduler.claim(from: jobs)
        {
            guard case .waiting(let stages) = jobs[id].phase else {
                preconditionFailure("a job was claimed that does not wait")
            }
            let start: Job.Action
            if let origin = takeOrigin(of: id) {
                start = .recognised(folder: origin.path, origin.entry)
            } else if mayBeKnown(id) {
                start = .suspected(stages)
            } else {
                start = .started(stages, previous: earlierEntry(of: id, stages))
            }
            begin(id, start, order)
            // With nothing to listen to and nothing to cut, it ends as it starts.
            harvest(id, order)
        }
    }

    /// Begins to bring onto the disk what has gathered, unless what is being worked on may join it.
    mutating func beginGroup(waitingForOthers: Bool, _ order: Order) {
        commit.awaitsMore = waitingForOthers && scheduler.running > 0
        commit.beginGroup { order(.commit($0)) }
    }

    /// Starts a job that has a place.
    mutating func begin(_ id: RecordingID, _ start: Job.Action, _ order: Order) {
        for command in Job.reducer(&jobs[id], start) { order(.job(id, command)) }
    }

    /// What a job can build on where only some stages are stale.
    private func earlierEntry(
        of id: RecordingID, _ stages: Stages
    ) -> Boxed<ManifestEntry>? {
        let folder = jobs[id].folder
        guard !folders[folder].previous.isEmpty, !stages.isSuperset(of: .all) else { return nil }
        guard var entry = folders[folder].previous[id]?.entry.boxed else { return nil }
        // It is back.
        if entry.value.status == .sourceMissing { entry.value.status = .done }
        // Superfluous by now.
        if entry.value.leftBehind != nil { entry.value.leaveBehind(only: []) }
        return entry
    }

    /// Asks all work to end soon.
    ///
    /// Trouble weighs more than a signal.
    mutating func stop(_ reason: StopReason, _ order: Order) {
        switch phase {
        case .running:
            order(.cancelWork)
            commit.isHeld = false
            beginGroup(waitingForOthers: false, order)
            FolderScan.reducer(&scan, .stopped) { order(.scan($0)) }
        case .stopping(let earlier) where reason.isTrouble && !earlier.isTrouble: break
        default: return
        }
        phase = .stopping(reason)
        if case .trouble(let failure) = reason { order(.announce(.stopped(failure))) }
    }

    /// Ends the run as a decoder hangs: nothing but the end of the process frees its thread, and
    /// others may wait for what it holds.
    mutating func stopAtStuckDecoder(_ id: RecordingID, _ order: Order) {
        guard jobs.contains(id) else { return }
        let path = scan.folders[jobs[id].folder].path.appending(jobs[id].name)
        let failure = RecordingFailure(stage: .decode, reason: .decoderStuck, detail: path.text)
        stop(.trouble(failure), order)
    }

    /// Takes the ending of a job, once.
    mutating func harvest(_ id: RecordingID, _ order: Order) {
        guard jobs.contains(id), case .ended(let ending) = jobs[id].phase else { return }
        scheduler.running -= 1
        let folder = jobs[id].folder
        if case .entry(let entry) = ending.kind, !mustWait(id, entry.value.failure) {
            jobs[id].phase = .committing
            return commit(entry, of: id, in: folder, ending.staged, order)
        }
        if !ending.staged.isEmpty {
            order(.commit(.discard(folder: scan.folders[folder].path, ending.staged)))
        }
        switch ending.kind {
        case .entry(let entry):
            if let failure = entry.value.failure { takeUnfinished(id, failure, order) }
        case .identified(let digest, let stages):
            takeIdentified(id, digest, stages, order)
        case .cancelled:
            jobs[id].phase = .settled
        case .changed(let stamp):
            takeChanged(id, stamp, order)
        case .postponed(let stages, let seconds):
            jobs[id].phase = .waiting(stages)
            scheduler.rest(id, seconds: seconds)
        case .blocked(let failure):
            jobs[id].phase = .settled
            stop(.trouble(failure), order)
        }
    }

    private mutating func commit(
        _ entry: Boxed<ManifestEntry>, of id: RecordingID, in folder: FolderID,
        _ staged: [StagedFile], _ order: Order
    ) {
        var ended = Commit.Outcome(
            id: id, folder: folder, path: folders[folder].setting.value.folder, entry: entry,
            staged: staged)
        let before = folders[folder].leftovers(
            of: folders[folder].previous.isEmpty ? nil : folders[folder].previous[id],
            under: entry.value.name)
        if let before {
            (ended.entry, ended.obsolete) = folders[folder].outcome(of: entry, instead: before)
            let made = entry.value.made
            ended.replaced = before.names.filter(made.contains)
            ended.earlier = before.told
        }
        commit.take(ended) { order(.commit($0)) }
        takeDropped()
    }

    /// Takes what is safe, or given up, since the last action.
    mutating func takeCommitted(after action: Commit.Action, _ order: Order) {
        if case .synced = action {
            journal.isThere = true
            journal.recorded += commit.underway?.outcomes.count ?? 0
        }
        let landed = commit.landed
        if !landed.isEmpty { commit.landed = [] }
        for outcome in landed {
            jobs[outcome.id].phase = .settled
            let isMoved = wasMoved(outcome)
            let before = folders[outcome.folder].previous[outcome.id]
            if let before { takeBack(before) }
            let mayBeTold = before.map { isNews(outcome, after: $0) } ?? true
            let entry = SettledEntry(outcome.entry)
            folders[outcome.folder].settle(outcome.id, as: entry)
            if let left = outcome.leftovers { folders[outcome.folder].superfluous.replace(left) }
            let value = outcome.entry.value
            if mayBeTold {
                tell(of: entry, value, in: outcome.path, upToDate: isMoved, order)
            } else {
                summary.count(value, upToDate: false)
            }
            seeOff(outcome, order)
            writeManifestIfSettled(outcome.folder, order)
        }
        takeDropped()
        switch action {
        case .syncFailed(_, let failure), .recordFailed(_, let failure):
            stop(.trouble(failure), order)
        case .published(_, let misplaced) where commit.isBroken:
            if let failure = misplaced.first(where: \.failure.endsRun)?.failure {
                stop(.trouble(failure), order)
            }
        default: break
        }
    }

    /// Recordings that were given up are left to the next run.
    private mutating func takeDropped() {
        guard !commit.dropped.isEmpty else { return }
        for outcome in commit.dropped { jobs[outcome.id].phase = .settled }
        commit.dropped = []
    }
}
