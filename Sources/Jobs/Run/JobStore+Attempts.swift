import Recordings
import ReducerKit

// What becomes of recordings that were tried, in a run that goes on.

extension JobStore.State {
    /// Where a recording was before that is about to be worked on.
    mutating func takeOrigin(of id: RecordingID) -> Folder.Origin? {
        let folder = jobs[id].folder
        guard configuration.watch != nil, jobs[id].attempts == 0,
            let origin = folders[folder].origins[id]
        else { return nil }
        if folders[origin.folder].stillHas(origin) { return origin }
        // Its former name is another's by now, and so are the files.
        release(folders[folder].origins.removeValue(forKey: id))
        return nil
    }

    /// Whether a recording that nobody has begun to work on may be one that is gone.
    func mayBeKnown(_ id: RecordingID) -> Bool {
        guard knowsByBytes, jobs[id].attempts == 0 else { return false }
        switch jobs[id].phase {
        case .waiting, .identifying: break
        case .listening, .trimming, .adopting, .ended, .committing, .settled: return false
        }
        let folder = jobs[id].folder
        return folders.contains(folder) && folders[folder].previous[id] == nil
            && waiting[folder, jobs[id].name]?.digest == nil
            && vanished.mayHold(bytes: jobs[id].stamp.bytes)
    }

    /// A recording whose bytes are known by now: where they were those of one that is gone, that
    /// one's folder is asked; otherwise it is worked on.
    mutating func takeIdentified(
        _ id: RecordingID, _ digest: String, _ stages: Stages, _ order: Order
    ) {
        guard case .running = phase else {
            jobs[id].phase = .settled
            return
        }
        guard let spot = vanished.take(digest), scan.folders.contains(spot.folder) else {
            scheduler.running += 1
            jobs[id].phase = .waiting(stages)
            return begin(id, .started(stages, previous: nil), order)
        }
        let (folder, name) = (jobs[id].folder, jobs[id].name)
        let now = pace.nowSeconds
        release(waiting.takeFound(folder, name))
        var guest =
            waiting[folder, name] ?? WaitingRoom.Guest(stamp: jobs[id].stamp, sinceSeconds: now)
        guest.digest = digest
        guest.origin = spot
        guest.asked = 0
        guest.isClosed = true
        guest.isTried = false
        waiting[folder, name] = guest
        shelve(id, order)
        scan.lookAgain(spot.folder, atSeconds: now)
        scan.lookAgain(folder, atSeconds: now + WatchPolicy.retrySeconds)
    }

    /// Whether a failure only means that the recording is not complete.
    func mustWait(_ id: RecordingID, _ failure: RecordingFailure?) -> Bool {
        guard configuration.watch != nil, case .running = phase, let failure else { return false }
        let guest = waiting[jobs[id].folder, jobs[id].name]
        return failure.mayPassWithWriting && guest?.isLast != true
    }

    /// A recording that turned out not to be complete.
    mutating func takeUnfinished(
        _ id: RecordingID, _ failure: RecordingFailure, _ order: Order
    ) {
        guard let policy = configuration.watch else { return }
        let (folder, name) = (jobs[id].folder, jobs[id].name)
        let now = pace.nowSeconds
        var guest =
            waiting[folder, name]
            ?? WaitingRoom.Guest(stamp: jobs[id].stamp, sinceSeconds: now)
        let isNews = guest.told != .failure(failure.reason)
        guest.told = .failure(failure.reason)
        let isWritten = failure.reason == .beingWritten
        if isWritten { guest.sinceSeconds = now }
        guest.failure = failure
        guest.isTried = false
        waiting[folder, name] = guest
        shelve(id, order)
        let pause = isWritten ? patience(with: folder) : policy.giveUpSeconds
        scan.lookAgain(folder, atSeconds: guest.sinceSeconds + pause)
        if isNews {
            let path = scan.folders[folder].path
            order(.announce(.awaited(folder: path, name: name, failure)))
        }
    }

    /// A recording that changed, or went, while it was worked on.
    mutating func takeChanged(_ id: RecordingID, _ stamp: FileStamp?, _ order: Order) {
        let (folder, name) = (jobs[id].folder, jobs[id].name)
        let now = pace.nowSeconds
        release(waiting.takeFound(folder, name))
        let told = waiting[folder, name]?.told
        waiting[folder, name] = stamp.map { WaitingRoom.Guest(stamp: $0, sinceSeconds: now) }
        waiting[folder, name]?.told = told
        shelve(id, order)
        scan.lookAgain(folder, atSeconds: now + (stamp == nil ? 0 : patience(with: folder)))
    }

    /// How long to leave a recording alone that is growing: to look again costs a listing.
    private func patience(with folder: FolderID) -> Double {
        let recordings = Int(scan.folders[folder].recordings)
        let pause = 10 * WatchPolicy.listingPauseSeconds(recordings: recordings)
        return max(configuration.watch?.settleSeconds ?? 0, min(pause, 60))
    }

    /// Ends work that came to nothing: what was made before is what there is.
    private mutating func shelve(_ id: RecordingID, _ order: Order) {
        let folder = jobs[id].folder
        jobs[id].phase = .settled
        summary.recordings -= 1
        folders[folder].unsettled -= 1
        if let previous = folders[folder].previous.removeValue(forKey: id) {
            folders[folder].unlisted.append(previous)
        }
        // What has failed before was not tried again yet.
        scan.watch?.touched[folder, default: []].insert(jobs[id].name)
        release(folders[folder].origins.removeValue(forKey: id))
        lookAgainIfOutdated(folder)
        tend(folder, order)
    }

    /// Counts a recording that is gone, or has failed, in a watch: so it is until something has
    /// become of it again.
    ///
    /// All that a watch is to look after are counted at the first look at their folder, or when
    /// they go or fail.
    mutating func count(_ work: PreviousWork) { count(work, times: 1) }

    /// Takes back that it was counted.
    mutating func takeBack(_ work: PreviousWork) { count(work, times: -1) }

    private mutating func count(_ work: PreviousWork, times: Int) {
        guard configuration.watch != nil else { return }
        if work.isGone {
            summary.missing += times
        } else if work.entry.status == .failed {
            summary.recordings += times
            summary.failed += times
        }
    }

    /// Whether what became of a recording is news: to fail as before is none, once that was told,
    /// unless it was said that it is waited for.
    func isNews(_ outcome: Commit.Outcome, after work: PreviousWork) -> Bool {
        guard configuration.watch != nil, work.entry.status == .failed,
            !jobs[outcome.id].isUntold, waiting[outcome.folder, outcome.name]?.told == nil
        else { return true }
        let (entry, before) = (outcome.entry.value, work.entry.value)
        return entry.failure != before.failure || entry.source != before.source
    }

    /// Whether an outcome is what was made of the recording when it was somewhere else.
    func wasMoved(_ outcome: Commit.Outcome) -> Bool {
        configuration.watch != nil && jobs[outcome.id].attempts == 0
            && outcome.entry.value.failure == nil
            && folders[outcome.folder].origins[outcome.id] != nil
    }

    /// A recording whose outcome is safe is waited for no more; where it was before, nothing is
    /// left.
    mutating func seeOff(_ outcome: Commit.Outcome, _ order: Order) {
        guard configuration.watch != nil else { return }
        let name = outcome.name
        release(waiting.takeFound(outcome.folder, name))
        waiting[outcome.folder, name] = nil
        if let origin = folders[outcome.folder].origins.removeValue(forKey: outcome.id) {
            let old = origin.entry.value.name
            release(origin)
            // Where it came to nothing, the old results are all there is; and another may have that
            // name by now.
            guard outcome.entry.value.failure == nil, folders[origin.folder].stillHas(origin) else {
                return lookAgainIfOutdated(outcome.folder)
            }
            vanished.forget(origin.entry.value, in: origin.folder)
            folders[origin.folder].moveAway(old)
            summary.missing -= 1
            departures[origin.folder, old] = nil
            order(
                .announce(
                    .moved(
                        folder: origin.path, name: old, newFolder: outcome.path, newName: name)))
            // A name that was taken is free now.
            if !folders[origin.folder].setting.value.names.areNatural {
                scan.lookAgain(origin.folder, atSeconds: pace.nowSeconds)
            }
            tend(origin.folder, order)
        }
        lookAgainIfOutdated(outcome.folder)
    }

    mutating func lookAgainIfOutdated(_ id: FolderID) {
        guard folders[id].isOutdated else { return }
        folders[id].isOutdated = false
        scan.lookAgain(id, atSeconds: pace.nowSeconds)
    }

    /// A recording's earlier place need not be kept in mind for it any more.
    mutating func release(_ origin: Folder.Origin?) {
        if let origin { folders[origin.folder].holds -= 1 }
    }

    /// As `release(_:)`, where one of the folders is being changed.
    mutating func release(_ origin: Folder.Origin?, in folder: inout Folder) {
        guard let origin else { return }
        if origin.path == folder.path {
            folder.holds -= 1
        } else {
            folders[origin.folder].holds -= 1
        }
    }
}

extension Folder {
    /// Takes in that what was made of a recording has other names now.
    fileprivate mutating func moveAway(_ name: Pathname) {
        guard let place = unlisted.firstIndex(where: { $0.entry.name == name }) else {
            return
        }
        leave(Leftovers(unlisted.remove(at: place).entry.value))
    }
}
