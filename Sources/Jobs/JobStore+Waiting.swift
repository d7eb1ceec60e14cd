import Recordings
import ReducerKit

// What becomes of recordings that are not complete, or not where they were, in a run that goes on.

extension JobStore.State {
    /// Whether a recording may be worked on now; where not, it is waited for, and what was made of
    /// it before stays what there is.
    mutating func mayStart(
        _ sighting: Sighting, _ stamp: FileStamp, in folder: inout Folder, _ look: Look,
        _ order: Order
    ) -> Bool {
        guard let policy = configuration.watch else { return true }
        let name = sighting.name
        if waiting[look.id, name]?.stamp != stamp {
            release(waiting.takeFound(look.id, name), in: &folder)
        }
        let until: Double
        let isSought: Bool
        if let seconds = seek(sighting, stamp, look) {
            until = seconds
            isSought = true
        } else {
            isSought = false
            let quiet = Double(look.atNanoseconds - stamp.modifiedNanoseconds) / 1e9
            let seen = WaitingRoom.Circumstances(
                nowSeconds: pace.nowSeconds, isClosed: look.heard.written.contains(name),
                quietSeconds: look.isFirst ? quiet : nil)
            switch waiting.verdict(on: name, in: look.id, stamp, seen, policy) {
            case .ready: return true
            case .wait(let seconds): until = seconds
            }
        }
        if let previous = sighting.previous { folder.unlisted.append(previous) }
        scan.lookAgain(look.id, atSeconds: until)
        if !isSought, waiting[look.id, name]?.told == nil {
            waiting[look.id, name]?.told = .waiting
            order(.announce(.awaited(folder: folder.path, name: name, nil)))
        }
        return false
    }

    /// Where a file was seen in another place before, has that place looked at first.
    /// - Returns: how long to wait for that; `nil` where there is nothing to wait for.
    private mutating func seek(
        _ sighting: Sighting, _ stamp: FileStamp, _ look: Look
    ) -> Double? {
        if let guest = waiting[look.id, sighting.name], guest.stamp == stamp,
            guest.isSought || guest.failure != nil
        {
            return nil
        }
        guard let identity = sighting.identity,
            let spot = whereabouts.origin(of: identity, as: sighting.name, in: look.id),
            scan.folders.contains(spot.folder)
        else { return nil }
        let until = pace.nowSeconds + WatchPolicy.retrySeconds
        var guest = WaitingRoom.Guest(stamp: stamp, sinceSeconds: pace.nowSeconds)
        guest.origin = spot
        guest.isSought = true
        guest.isClosed = look.heard.written.contains(sighting.name)
        guest.told = waiting[look.id, sighting.name]?.told
        waiting[look.id, sighting.name] = guest
        if spot.folder != look.id { scan.lookAgain(spot.folder, atSeconds: pace.nowSeconds) }
        return until
    }

    /// Tells those who wait for it whether they were in this folder before.
    mutating func answerSeekers(in id: FolderID, _ order: Order) {
        for (folder, name, spot) in waiting.seekers(in: id) {
            guard var guest = waiting[folder, name], let spot else { continue }
            guest.origin = nil
            if folders.contains(id), let work = folders[id].lost(spot.name, guest.stamp),
                isCurrent(work, in: id)
            {
                let path = scan.folders[id].path
                guest.found = Folder.Origin(folder: id, path: path, entry: work.entry)
                guest.isClosed = true
                folders[id].holds += 1
            }
            waiting[folder, name] = guest
            scan.lookAgain(folder, atSeconds: pace.nowSeconds)
        }
    }

    /// Whether what was made of a recording is what would be made of it now.
    private func isCurrent(_ work: PreviousWork, in id: FolderID) -> Bool {
        guard let stamp = work.entry.value.source, work.entry.value.failure == nil else {
            return false
        }
        var wishes = configuration.wishes
        wishes.redoesAll = false
        let staleness = Staleness(
            stamp: stamp, previous: work, names: folders[id].setting.value.names, wishes: wishes)
        return staleness == .upToDate
    }

    /// Lets go of those who waited and are gone.
    mutating func dismissGuests(notIn listing: FolderListing, of id: FolderID) {
        let names = waiting.names(in: id)
        guard !names.isEmpty else { return }
        let there = Set(listing.recordings.map(\.name))
        for name in names where !there.contains(name) {
            release(waiting.takeFound(id, name))
            waiting[id, name] = nil
        }
    }

    /// Waits for a recording no more, in a folder that is being changed.
    mutating func dismiss(_ name: Pathname, _ look: Look, in folder: inout Folder) {
        guard configuration.watch != nil, waiting[look.id, name] != nil else { return }
        release(waiting.takeFound(look.id, name), in: &folder)
        waiting[look.id, name] = nil
    }
}

// MARK: - After an attempt

extension JobStore.State {
    /// Where a recording was before that is about to be worked on.
    func takeOrigin(of id: RecordingID) -> Folder.Origin? {
        guard configuration.watch != nil, jobs[id].attempts == 0,
            let origin = folders[jobs[id].folder].origins[id],
            // Its former name may be another's by now, and so may the files.
            folders[origin.folder].lost(origin.entry.value.name, jobs[id].stamp) != nil
        else { return nil }
        return origin
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

    /// Takes back that a recording failed before, where it does so no more or once again.
    /// - Returns: whether what became of it is news: to fail as before is none.
    mutating func takeBackFailure(before outcome: Commit.Outcome) -> Bool {
        guard configuration.watch != nil,
            let before = folders[outcome.folder].previous[outcome.id]?.entry.value,
            before.status == .failed
        else { return true }
        let entry = outcome.entry.value
        guard entry.failure != before.failure || entry.source != before.source else {
            summary.recordings -= 1
            return false
        }
        if summary.failed > 0 {
            summary.failed -= 1
            summary.recordings -= 1
        } else if summary.stillFailed > 0 {
            summary.stillFailed -= 1
            summary.recordings -= 1
        }
        return true
    }

    /// Whether an outcome is what was made of the recording when it was somewhere else.
    func wasMoved(_ outcome: Commit.Outcome) -> Bool {
        configuration.watch != nil && jobs[outcome.id].attempts == 0
            && folders[outcome.folder].origins[outcome.id] != nil
    }

    /// A recording whose outcome is safe is waited for no more; where it was before, nothing is left.
    mutating func seeOff(_ outcome: Commit.Outcome, _ order: Order) {
        guard configuration.watch != nil else { return }
        let name = outcome.name
        release(waiting.takeFound(outcome.folder, name))
        waiting[outcome.folder, name] = nil
        if let origin = folders[outcome.folder].origins.removeValue(forKey: outcome.id) {
            let old = origin.entry.value.name
            release(origin)
            // Another has that name by now, or had it.
            guard let stamp = outcome.entry.value.source,
                folders[origin.folder].lost(old, stamp) != nil
            else { return lookAgainIfOutdated(outcome.folder) }
            if folders[origin.folder].moveAway(old) { summary.missing -= 1 }
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
    private mutating func release(_ origin: Folder.Origin?) {
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
    /// What was made of a recording that is gone, and was as the stamp says.
    fileprivate func lost(_ name: Pathname, _ stamp: FileStamp) -> PreviousWork? {
        unlisted.first {
            $0.entry.value.name == name && $0.entry.value.status == .sourceMissing
                && $0.entry.value.source == stamp
        }
    }

    /// Takes in that what was made of a recording has other names now.
    /// - Returns: whether there was anything.
    fileprivate mutating func moveAway(_ name: Pathname) -> Bool {
        guard let place = unlisted.firstIndex(where: { $0.entry.value.name == name }) else {
            return false
        }
        leaving.append(unlisted.remove(at: place))
        needsManifest = true
        return true
    }
}
