import Recordings
import ReducerKit

// How a run proceeds: what starts, what ends, and when the run is over.

extension JobStore {
    /// Maximum number of outcomes not yet on the disk; at that limit, no new job starts.
    package static let mostUncommitted = 1024
}

extension JobStore.State {
    /// Starts waiting jobs and commit groups, and enters the next phase once this one is over.
    mutating func advance(_ order: Order) {
        switch phase {
        case .running:
            startJobs(order)
            if case .running = phase { beginGroup(waitingForOthers: true, order) }
            letGoOfSettled()
            writeExportsIfDue(order)
            guard isIdle, case .running = phase, mayEnd, !hasExportsToWrite else { return }
            phase = .closing(nil)
            close(order)
        case .stopping(let reason):
            guard scheduler.running == 0, scan.isFinished, commit.count == 0 else { return }
            phase = .closing(reason)
            if !reason.isTrouble {
                for id in folders.ids { writeManifestIfNeeded(id, order) }
            }
            close(order)
        case .closing:
            close(order)
        case .finished:
            break
        }
    }

    /// Whether nothing is being listed, processed or written, and nothing waits for that.
    var isIdle: Bool {
        scan.isFinished && scheduler.running == 0 && !scheduler.hasWaiting(in: jobs)
            && commit.count == 0 && manifestsInFlight.isEmpty
    }

    private mutating func startJobs(_ order: Order) {
        while case .running = phase, commit.count < JobStore.mostUncommitted,
            let id = scheduler.claim(from: jobs)
        {
            guard case .waiting(let stages) = jobs[id].phase else {
                preconditionFailure("a job was claimed that does not wait")
            }
            if mayHaveMoved(id) {
                let goesByContent = configuration.wantsChecksums
                begin(id, jobs[id].find(for: stages, goesByContent: goesByContent), order)
            } else {
                begin(id, withEarlierEntry(id, stages), order)
            }
        }
    }

    /// Starts to commit the gathered outcomes, unless running jobs may still join the group.
    mutating func beginGroup(waitingForOthers: Bool, _ order: Order) {
        commit.awaitsMore = waitingForOthers && scheduler.running > 0
        commit.beginGroup { order(.commit($0)) }
    }

    /// Performs the first step of a job that has a slot; a job with nothing to decode and nothing
    /// to cut ends at once.
    mutating func begin(_ id: RecordingID, _ first: Job.Next, _ order: Order) {
        switch first {
        case .order(let command): order(.job(id, command))
        case .ended(let ending): finishJob(id, ending, order)
        }
    }

    /// Processes a worker's answer to a job; no further step starts once the run is stopping.
    mutating func handle(_ answer: Job.Action, of id: RecordingID, _ order: Order) {
        var next = jobs[id].handle(answer)
        if case .order = next, case .stopping = phase { next = jobs[id].cancel() }
        if case .order(let command) = next { order(.job(id, command)) }
        if case .ended(let ending) = next { finishJob(id, ending, order) }
        if case .failed(let failure, _) = answer, failure.reason == .decoderStuck {
            stopAtStuckDecoder(id, order)
        }
    }

    /// Cancels all work and stops the run.
    ///
    /// Trouble overrides a signal.
    mutating func stop(_ reason: StopReason, _ order: Order) {
        switch phase {
        case .running:
            order(.cancelWork)
            beginGroup(waitingForOthers: false, order)
            scan.isStopped = true
        case .stopping(let earlier) where reason.isTrouble && !earlier.isTrouble: break
        default: return
        }
        phase = .stopping(reason)
        if case .trouble(let failure) = reason { order(.announce(.stopped(failure))) }
    }

    /// Stops the run because a decoder hangs: only ending the process frees its thread, and other
    /// threads may wait for what it holds.
    mutating func stopAtStuckDecoder(_ id: RecordingID, _ order: Order) {
        guard jobs.contains(id) else { return }
        let path = scan.folders[jobs[id].folder].path.appending(jobs[id].name)
        let failure = RecordingFailure(stage: .decode, reason: .decoderStuck, detail: path.text)
        stop(.trouble(failure), order)
    }

    /// Frees the slot of a job whose work ended, and commits, retries or discards the result.
    private mutating func finishJob(_ id: RecordingID, _ ending: Job.Ending, _ order: Order) {
        scheduler.running -= 1
        let folder = jobs[id].folder
        if case .entry(let entry) = ending.kind, !mustWait(id, entry.value.failure) {
            jobs[id].phase = .committing
            return commit(entry, of: id, in: folder, ending.staged, order)
        }
        if !ending.staged.isEmpty {
            order(.commit(.discard(folder: scan.folders[folder].path, ending.staged)))
        }
        // No further step starts once the run is stopping.
        if ending.kind.goesOn, phase != .running {
            jobs[id].phase = .settled
            return
        }
        switch ending.kind {
        case .entry(let entry):
            if let failure = entry.value.failure { takeUnfinished(id, failure, order) }
        case .identified(let digest, let stages):
            takeIdentified(id, digest, stages, order)
        case .found(let former, let stages):
            takeFound(id, former, stages, order)
        case .recalled(let entry, let stages):
            takeRecalled(id, entry, stages, order)
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
            id: id, folder: folder, path: folders[folder].context.value.folder, entry: entry,
            identity: jobs[id].identity, staged: staged)
        if !folders[folder].previous.isEmpty, let before = folders[folder].previous[id]?.whole {
            ended.previous = before
            if entry.value.status == .failed {
                ended.entry = Boxed(entry.value.retainingOutputs(of: before.value))
            }
        }
        folders[folder].dropChanges(of: entry.value.name)
        let isKept = commit.take(ended) { order(.commit($0)) }
        if !isKept { jobs[id].phase = .settled }
    }

    /// Processes a commit group's answer; dropped outcomes are left to the next run.
    mutating func handle(_ answer: Commit.Action, _ order: Order) {
        let ended = commit.handle(answer) { order(.commit($0)) }
        if !ended.landed.isEmpty { exports?.resultsChanged() }
        for outcome in ended.landed {
            jobs[outcome.id].phase = .settled
            let isMoved = wasMoved(outcome) || jobs[outcome.id].mayBeTimesOnly
            let before = folders[outcome.folder].previous[outcome.id]
            if let before { count(before, times: -1) }
            let mayBeTold = before.map { isNews(outcome, after: $0) } ?? true
            let entry = SettledEntry(outcome.entry.value)
            folders[outcome.folder].settle(outcome.id)
            forgetReplaced(by: outcome)
            if watch != nil {
                folders[outcome.folder].keep(
                    PreviousWork(
                        entry: entry, recipe: configuration.recipes[outcome.path],
                        identity: outcome.identity))
            }
            if mayBeTold {
                tell(of: entry, outcome.entry, in: outcome.path, upToDate: isMoved, order)
            } else {
                summary.count(entry, upToDate: false)
            }
            didCommit(outcome, order)
            writeManifestIfSettled(outcome.folder, order)
        }
        for outcome in ended.dropped { jobs[outcome.id].phase = .settled }
        switch answer {
        case .syncFailed(_, let failure), .recordFailed(_, let failure):
            stop(.trouble(failure), order)
        case .published(_, let misplaced) where commit.isBroken:
            if let failure = misplaced.first(where: \.failure.endsRun)?.failure {
                stop(.trouble(failure), order)
            }
        default: break
        }
    }
}
