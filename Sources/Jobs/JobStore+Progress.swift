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
            guard scan.isFinished, scheduler.running == 0, !scheduler.hasWaiting(in: jobs),
                commit.count == 0, manifestsInFlight.isEmpty, case .running = phase
            else { return }
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

    private mutating func startJobs(_ order: Order) {
        while case .running = phase, commit.count < JobStore.mostUncommitted,
            let id = scheduler.claim(from: jobs)
        {
            guard case .waiting(let stages) = jobs[id].phase else {
                preconditionFailure("a job was claimed that does not wait")
            }
            let previous = earlierEntry(of: id, stages)
            Job.reducer(&jobs[id], .started(stages, previous: previous)) { order(.job(id, $0)) }
            // With nothing to listen to and nothing to cut, it ends as it starts.
            harvest(id, order)
        }
    }

    /// What a job can build on where only some stages are stale.
    private func earlierEntry(
        of id: RecordingID, _ stages: Stages
    ) -> Boxed<ManifestEntry>? {
        let folder = jobs[id].folder
        guard !folders[folder].previous.isEmpty, !stages.isSuperset(of: .all) else { return nil }
        return folders[folder].previous[id]?.entry
    }

    /// Asks all work to end soon.
    ///
    /// Trouble weighs more than a signal.
    mutating func stop(_ reason: StopReason, _ order: Order) {
        switch phase {
        case .running:
            order(.cancelWork)
            FolderScan.reducer(&scan, .stopped) { order(.scan($0)) }
        case .stopping(let earlier) where reason.isTrouble && !earlier.isTrouble: break
        default: return
        }
        phase = .stopping(reason)
        if case .trouble(let failure) = reason { order(.announce(.stopped(failure))) }
    }

    /// Takes the ending of a job, once.
    mutating func harvest(_ id: RecordingID, _ order: Order) {
        guard jobs.contains(id), case .ended(let ending) = jobs[id].phase else { return }
        scheduler.running -= 1
        let folder = jobs[id].folder
        if case .entry(let entry) = ending.kind {
            jobs[id].phase = .committing
            commit(entry, of: id, in: folder, ending.staged, order)
            return
        }
        let path = scan.folders[Int(folder.index)].path
        if !ending.staged.isEmpty {
            order(.commit(.discard(folder: path, ending.staged)))
        }
        switch ending.kind {
        case .entry, .cancelled:
            jobs[id].phase = .settled
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
        if !folders[folder].previous.isEmpty, let before = folders[folder].previous[id] {
            (ended.entry, ended.obsolete) = folders[folder].outcome(of: entry, instead: before)
            let made = entry.value.made
            ended.replaced = before.entry.value.outputs.filter(made.contains)
        }
        commit.take(ended) { order(.commit($0)) }
        takeDropped()
    }

    /// Takes what is safe, or given up, since the last action.
    mutating func takeCommitted(after action: Commit.Action, _ order: Order) {
        if case .synced = action { journal.isWritten = true }
        let landed = commit.landed
        if !landed.isEmpty { commit.landed = [] }
        for outcome in landed {
            jobs[outcome.id].phase = .settled
            folders[outcome.folder].settle(
                outcome.id, as: outcome.entry, obsolete: outcome.obsolete)
            tell(of: outcome.entry, in: outcome.path, upToDate: false, order)
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

// MARK: - Manifests and the end

extension JobStore.State {
    mutating func writeManifestIfSettled(_ id: FolderID, _ order: Order) {
        guard folders[id].unsettled == 0 else { return }
        writeManifestIfNeeded(id, order)
        folders[id].rest()
    }

    private mutating func writeManifestIfNeeded(_ id: FolderID, _ order: Order) {
        guard !configuration.isDryRun, folders[id].needsManifest else { return }
        let manifest = folders[id].manifestOrder(recipe: configuration.recipe)
        manifestsInFlight.insert(id)
        order(.writeManifest(id, manifest))
    }

    /// Puts the journal away once every manifest is written, and then ends the run.
    private mutating func close(_ reason: StopReason?, _ order: Order) {
        guard manifestsInFlight.isEmpty, !journal.isClosing else { return }
        let hasJournal =
            journal.isWritten || journal.wasThere || !journal.recovered.isEmpty
        // Where nothing can be written, the journal is what the next run goes on from.
        guard hasJournal, !configuration.isDryRun, reason?.isTrouble != true else {
            return finish(order)
        }
        journal.isClosing = true
        order(.closeJournal(keeping: foldersToRemember(reason)))
    }

    mutating func finish(_ order: Order) {
        guard case .closing(let reason) = phase else { return }
        phase = .finished(reason)
        order(.finish)
    }

    /// Folders of which the journal says what no manifest does: those this run did not come to, and
    /// those whose manifests could not be written.
    private func foldersToRemember(_ reason: StopReason?) -> [Pathname] {
        let listed = Set(folders.ids.map { scan.folders[Int($0.index)].path })
        // One that a whole scan did not meet is gone, with its recordings.
        let sawAll = reason == nil && failedFolders.isEmpty
        let passedBy = journal.recovered.filter {
            !listed.contains($0) && !(sawAll && scan.reaches($0))
        }
        let unwritten = journal.unwritten.map { scan.folders[Int($0.index)].path }
        return Set(passedBy + unwritten).sorted()
    }
}
