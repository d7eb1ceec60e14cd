import Recordings
import ReducerKit

// Folders that are listed again.

extension JobStore.State {
    /// Whether a listing may be processed now; if not, the folder is listed again.
    mutating func willTake(
        _ listing: FolderListing, of id: FolderID, _ events: PendingEvents, _ order: Order
    ) -> Bool {
        // Announced once: a reason that applies to one folder applies to the next.
        if let outcome = listing.watch, outcome != .watched,
            watch?.refusals.insert(outcome).inserted == true
        {
            order(.announce(.polled(folder: scan.folders[id].path, outcome)))
        }
        return true
    }

    /// Records which files a folder holds and which are gone, after its listing was processed.
    mutating func didTake(_ listing: FolderListing, of id: FolderID, _ order: Order) {
        guard watch != nil else { return }
        dismissFiles(notIn: listing, of: id)
        if !folders.contains(id), listing.isGone, listing.lostFolders.isEmpty,
            listing.unseen.isEmpty
        {
            removeFolder(id)
        }
    }

    /// Merges a listing into a folder that has results in memory.
    ///
    /// The results in memory win over earlier work in the listing, which may be outdated.
    mutating func merge(
        _ listing: FolderListing, into known: Folder, _ visit: FolderVisit, _ order: Order
    ) {
        var folder = known
        var earlier = earlierWork(in: folder)
        for work in listing.unseen where work.identity != nil {
            earlier[work.entry.name]?.identity = work.identity
            if work.isElsewhere { earlier[work.entry.name]?.isElsewhere = true }
        }
        var busy = openJobs(in: visit.id)
        // First, so that what is gone keeps the names of its files.
        for (name, id) in busy where !listing.recordings.have(name) {
            if withdraw(id, from: &folder, to: &earlier) { busy[name] = nil }
        }
        // Decided once: what is taken in below would change it, and names depend on it.
        let staying = earlier.values.filter {
            !listing.recordings.have($0.entry.name) && stays($0, visit)
        }
        folder.context = context(for: listing, folder, staying, busy)
        folder.entries = []
        folder.unlisted = []
        for var scanned in listing.recordings {
            if let id = busy.removeValue(forKey: scanned.name) {
                if case .file(jobs[id].stamp) = scanned.finding {
                    rename(id, in: &folder, visit)
                    continue
                }
                guard withdraw(id, from: &folder, to: &earlier) else { continue }
            }
            scanned.previous = earlier.removeValue(forKey: scanned.name)
            take(scanned, in: &folder, visit, order)
        }
        let rest = earlier.values.sorted { $0.entry.name < $1.entry.name }
        markMissing(
            rest, staying: Set(staying.map(\.entry.name)), in: &folder, listing, visit, order)
        keep(folder, as: visit.id)
    }

    /// The results of a folder's settled recordings, by name.
    private func earlierWork(in folder: Folder) -> [Pathname: PreviousWork] {
        var earlier: [Pathname: PreviousWork] = [:]
        for work in folder.unlisted + folder.entries { earlier[work.entry.name] = work }
        return earlier
    }

    /// The context with the output names that a folder's recordings need now.
    private func context(
        for listing: FolderListing, _ folder: Folder, _ absent: [PreviousWork],
        _ busy: [Pathname: RecordingID]
    ) -> Boxed<Job.FolderContext> {
        // A job that has begun keeps its output names even if its recording is gone.
        let begun = busy.keys.filter { !listing.recordings.have($0) }
        return context(
            for: listing, absent.map(\.entry.name) + begun, gone: absent, at: folder.path)
    }

    /// Gives an open job the output names that it needs after a neighbour appeared or disappeared.
    private mutating func rename(
        _ id: RecordingID, in folder: inout Folder, _ visit: FolderVisit
    ) {
        guard jobs[id].context.value.names != folder.context.value.names else { return }
        guard case .waiting(var stages) = jobs[id].phase else {
            folder.isOutdated = true
            return
        }
        jobs[id].context = folder.context
        // A file that has to have another name now has to be made again.
        let staleness = Staleness(
            stamp: jobs[id].stamp, previous: folder.previous[id],
            names: folder.context.value.names, policy: rebuildPolicy(for: jobs[id].name, visit))
        if case .stale(let all, _) = staleness { stages.formUnion(all) }
        jobs[id].phase = .waiting(stages)
    }

    /// Jobs of a folder that are not settled, by name.
    private func openJobs(in folder: FolderID) -> [Pathname: RecordingID] {
        var open: [Pathname: RecordingID] = [:]
        for id in jobs.ids where jobs[id].folder == folder && jobs[id].phase != .settled {
            open[jobs[id].name] = id
        }
        return open
    }

    /// Cancels a job that has not begun and restores its earlier work; `false` if it has begun, and
    /// the folder is to be listed again.
    private mutating func withdraw(
        _ id: RecordingID, from folder: inout Folder, to earlier: inout [Pathname: PreviousWork]
    ) -> Bool {
        guard case .waiting = jobs[id].phase else {
            folder.isOutdated = true
            return false
        }
        scheduler.forget(id)
        jobs[id].phase = .settled
        summary.recordings -= 1
        folder.unsettled -= 1
        folder.moves[id] = nil
        earlier[jobs[id].name] = folder.previous.removeValue(forKey: id)
        return true
    }

    /// The rebuild policy; redoing and retrying everything applies once, however often a folder is
    /// listed.
    func rebuildPolicy(for name: Pathname, _ visit: FolderVisit) -> Staleness.RebuildPolicy {
        var policy = visit.policy
        if !configuration.rules.raw.isEmpty { policy.raw = configuration.rules.rawFormat(of: name) }
        guard !visit.isFirst, watch?.incomplete[visit.id, name] == nil else { return policy }
        policy.redoesAll = false
        policy.retriesFailed = false
        return policy
    }

    /// Whether a failure was not the recording's fault, with no event since, nor has it been away:
    /// it is not retried whenever something else changes in its folder.
    func isOldFailure(_ previous: PreviousWork, _ stamp: FileStamp, _ visit: FolderVisit) -> Bool {
        guard !visit.isFirst, watch?.wantsEvents == true, !scan.folders[visit.id].isPolled,
            let failure = previous.entry.failure
        else { return false }
        let name = previous.entry.name
        return !previous.isGone && !failure.liesInRecording && previous.entry.source == stamp
            && !visit.events.written.contains(name) && !visit.events.touched.contains(name)
            && watch?.incomplete[visit.id, name] == nil
    }
}

// MARK: - Numbers

extension JobStore.State {
    /// Counts a missing or failed recording in a watch, at the first listing of its folder or when
    /// it goes missing or fails.
    /// - Parameter times: -1 undoes an earlier count.
    mutating func count(_ work: PreviousWork, times: Int = 1) {
        guard watch != nil else { return }
        if work.isGone {
            summary.missing += times
        } else if work.entry.status == .failed {
            summary.recordings += times
            summary.failed += times
        }
    }

    /// Undoes the count of earlier work, except at a folder's first listing, when there is none.
    mutating func takeBack(_ work: PreviousWork, _ visit: FolderVisit) {
        if !visit.isFirst { count(work, times: -1) }
    }

    /// Whether an up-to-date recording counts as newly failed: a watch has one number for all
    /// failures, as any of them may still succeed.
    func countsAnew(_ entry: SettledEntry) -> Bool { watch != nil && entry.status == .failed }

    /// Whether an outcome is news: a failure that was already announced is not, unless the
    /// recording was announced as waited for.
    func isNews(_ outcome: Commit.Outcome, after work: PreviousWork) -> Bool {
        guard let incomplete = watch?.incomplete, work.entry.status == .failed,
            !jobs[outcome.id].isUntold,
            incomplete[outcome.folder, outcome.name]?.lastReported == nil
        else { return true }
        let (entry, before) = (outcome.entry.value, work.entry)
        return entry.failure != before.failure || entry.source != before.source
    }
}
