import Recordings
import ReducerKit

// Recognises a renamed or moved recording by its inode, times and size (`FileIdentityIndex`).
// `JobStore+DigestMatches` does it by content. Its outputs are renamed with it.

extension JobStore.State {
    /// Schedules a listing of the place where a file was seen before.
    /// - Returns: until when to wait for that; `nil` if there is nothing to wait for.
    mutating func seekOrigin(of scanned: ScannedFile, _ stamp: FileStamp, _ visit: FolderVisit)
        -> Double?
    {
        let name = scanned.name
        let until = pace.nowSeconds + WatchPolicy.retrySeconds
        let before = watch?.incomplete[visit.id, name]
        let known = before?.stamp == stamp ? before : nil
        if let known {
            if known.digest != nil, known.origin != nil, known.asked == 0 {
                watch?.incomplete[visit.id, name]?.asked = 1
                return until
            }
            // A listing during a rename may show the file under both names; a second one resolves
            // that.
            let isAnswered = known.found != nil || known.asked == 2
            if isAnswered || known.digest != nil || known.failure != nil { return nil }
        }
        guard let identity = scanned.identity,
            let origin = watch?.identities.origin(of: identity, as: name, in: visit.id),
            scan.folders.contains(origin.folder)
        else { return nil }
        var file = PendingFile(stamp: stamp, sinceSeconds: pace.nowSeconds)
        file.origin = origin
        file.asked = (known?.asked ?? 0) + 1
        file.isClosed = visit.events.written.contains(name) || known?.isClosed == true
        file.lastReported = before?.lastReported
        watch?.incomplete[visit.id, name] = file
        if origin.folder != visit.id { scan.lookAgain(origin.folder, atSeconds: pace.nowSeconds) }
        return until
    }

    /// Resolves whether files that may have been in this folder before were.
    mutating func answerRenameCandidates(from id: FolderID) {
        for candidate in watch?.incomplete.renameCandidates(from: id) ?? [] {
            var file = candidate.file
            file.origin = nil
            if folders.contains(id),
                let work = folders[id].missing(candidate.origin.name, where: file.was),
                isCurrent(work, in: id)
            {
                let path = scan.folders[id].path
                file.found = Folder.Origin(folder: id, path: path, entry: work.entry)
                file.isClosed = true
                folders[id].holds += 1
            }
            watch?.incomplete[candidate.folder, candidate.name] = file
            scan.lookAgain(candidate.folder, atSeconds: pace.nowSeconds)
        }
    }

    /// Whether a recording's outputs are what this run would make.
    private func isCurrent(_ work: PreviousWork, in id: FolderID) -> Bool {
        guard let stamp = work.entry.source, work.entry.failure == nil else {
            return false
        }
        var policy = configuration.rebuildPolicy
        policy.redoesAll = false
        let staleness = Staleness(
            stamp: stamp, previous: work, names: folders[id].context.value.names, policy: policy)
        return staleness == .upToDate
    }

    /// The former place of a recording that is about to be processed.
    mutating func takeOrigin(of id: RecordingID) -> Folder.Origin? {
        let folder = jobs[id].folder
        guard jobs[id].attempts == 0, let origin = folders[folder].origins[id] else { return nil }
        if folders[origin.folder].stillHas(origin) { return origin }
        // Its former name, with the files, now belongs to another recording.
        release(folders[folder].origins.removeValue(forKey: id))
        return nil
    }

    /// Whether an outcome was adopted from the recording's former place.
    func wasMoved(_ outcome: Commit.Outcome) -> Bool {
        folders[outcome.folder].origins[outcome.id] != nil && jobs[outcome.id].attempts == 0
            && outcome.entry.value.failure == nil
    }

    /// Stops waiting for a recording whose outcome is on the disk, and clears its former place.
    mutating func didCommit(_ outcome: Commit.Outcome, _ order: Order) {
        guard watch != nil else { return }
        let (folder, name) = (outcome.folder, outcome.name)
        release(watch?.incomplete.remove(folder, name))
        defer { lookAgainIfOutdated(folder) }
        guard let origin = folders[folder].origins.removeValue(forKey: outcome.id) else { return }
        let old = origin.entry.name
        release(origin)
        // After a failure, the old results are all there is; and another recording may have the
        // name by now.
        guard outcome.entry.value.failure == nil, folders[origin.folder].stillHas(origin) else {
            return
        }
        watch?.missing.forget(origin.entry, in: origin.folder)
        folders[origin.folder].moveAway(old)
        summary.missing -= 1
        watch?.missingSince[origin.folder]?[old] = nil
        order(
            .announce(
                .moved(folder: origin.path, name: old, newFolder: outcome.path, newName: name)))
        // A name that was taken is now free.
        if !folders[origin.folder].context.value.names.areNatural {
            scan.lookAgain(origin.folder, atSeconds: pace.nowSeconds)
        }
        updateManifest(of: origin.folder, order)
    }

    /// Releases a recording's former folder, which need not stay in memory for it any more.
    mutating func release(_ origin: Folder.Origin?) {
        if let origin { folders[origin.folder].holds -= 1 }
    }

    /// Like `release(_:)`, while one of the folders is being modified.
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
    /// The earlier work on a recording that is gone.
    /// - Parameter wasIt: whether it is the right one: others may have had the same name.
    fileprivate func missing(
        _ name: Pathname, where wasIt: (SettledEntry) -> Bool
    ) -> PreviousWork? {
        unlisted.first {
            $0.entry.name == name && $0.entry.status == .sourceMissing
                && wasIt($0.entry)
        }
    }

    /// Whether the earlier work on a recording is still recorded under its former name.
    fileprivate func stillHas(_ origin: Origin) -> Bool {
        let before = origin.entry
        return missing(before.name) { $0.source == before.source } != nil
    }

    /// Records that a recording's outputs were moved to other names.
    fileprivate mutating func moveAway(_ name: Pathname) {
        guard let place = unlisted.firstIndex(where: { $0.entry.name == name }) else {
            return
        }
        unlisted.remove(at: place)
        note(.forgotten, of: name)
    }
}
