import Recordings
import ReducerKit

// A recording that had another name before takes over the results that the record has under that
// name: it is the same file (`Job.State.identity`), or has the same content. The worker that looks
// for them checks that no recording has that name any more (`Job.Command.find`); what the record
// says of it is forgotten once the new outcome is on the disk.

extension JobStore.State {
    /// Whether a recording whose work has not begun may have had another name.
    func mayHaveMoved(_ id: RecordingID) -> Bool {
        let before = folders[jobs[id].folder].previous[id]
        return jobs[id].attempts == 0 && configuration.looksForMoved && !jobs[id].mayBeTimesOnly
            && before?.entry.source != jobs[id].stamp
    }

    /// Goes on with a recording whose results under another name were looked for.
    mutating func takeFound(
        _ id: RecordingID, _ former: FormerWork?, _ stages: Stages, _ order: Order
    ) {
        scheduler.running += 1
        guard let former, let entry = former.work.whole,
            isCurrent(former.work, in: folders[jobs[id].folder].path)
        else {
            return begin(id, withEarlierEntry(id, stages), order)
        }
        folders[jobs[id].folder].moves[id] = former
        begin(id, jobs[id].adopt(entry.value, from: former.place.folder), order)
    }

    /// Whether results are what this run would make.
    private func isCurrent(_ work: PreviousWork, in folder: Pathname) -> Bool {
        guard let stamp = work.entry.source, work.entry.failure == nil else { return false }
        var policy = configuration.rebuildPolicy(in: folder)
        policy.redoesAll = false
        let staleness = Staleness(
            stamp: stamp, previous: work, names: OutputNames(), policy: policy)
        return staleness == .upToDate
    }

    /// Whether an outcome was adopted from another name.
    func wasMoved(_ outcome: Commit.Outcome) -> Bool {
        folders[outcome.folder].moves[outcome.id] != nil && jobs[outcome.id].attempts == 0
            && outcome.entry.value.failure == nil
    }

    /// Stops waiting for a recording whose outcome is on the disk, and forgets its former name.
    mutating func didCommit(_ outcome: Commit.Outcome, _ order: Order) {
        let former = folders[outcome.folder].moves.removeValue(forKey: outcome.id)
        watch?.incomplete[outcome.folder, outcome.name] = nil
        if watch != nil { lookAgainIfOutdated(outcome.folder) }
        // After a failure, the old results are all there is.
        guard let former, outcome.entry.value.failure == nil else { return }
        let place = former.place
        order(
            .announce(
                .moved(
                    folder: place.folder, name: place.name, newFolder: outcome.path,
                    newName: outcome.name)))
        let id = scan.folders.id(of: place.folder)
        if let id, folders.contains(id), folders[id].moveAway(former) {
            summary.missing -= 1
            watch?.missingSince[id]?[place.name] = nil
            // A name that was taken is now free.
            if watch != nil, !folders[id].context.value.names.areNatural {
                scan.lookAgain(id, atSeconds: pace.nowSeconds)
            }
            writeManifestIfSettled(id, order)
        } else {
            // The next listing forgets it.
            movedAway[place.folder, default: [:]][place.name] = former.work.entry.source
            if watch != nil, let id { scan.lookAgain(id, atSeconds: pace.nowSeconds) }
        }
    }
}

/// What the record has of a recording under another name.
package struct FormerWork: Hashable, Codable, Sendable {
    package var place: RecordedPlace
    /// With its whole entry.
    package var work: PreviousWork

    package init(place: RecordedPlace, work: PreviousWork) {
        self.place = place
        self.work = work
    }
}

extension Folder {
    /// Forgets a recording that is gone, if it is still the one that has another name now.
    fileprivate mutating func moveAway(_ former: FormerWork) -> Bool {
        let name = former.place.name
        let index = unlisted.firstIndex {
            $0.entry.name == name && $0.isGone && $0.entry.source == former.work.entry.source
        }
        guard gone.remove(name) != nil || index != nil else { return false }
        if let index { unlisted.remove(at: index) }
        note(.forgotten, of: name)
        return true
    }
}

// MARK: - Pruning

extension JobStore.State {
    /// Whether pruning waits for a recording that is gone, because it may turn up in another place.
    func mayReturn(_ work: PreviousWork, _ visit: FolderVisit) -> Bool {
        guard let watch else { return isMoving(work, visit) }
        guard work.isGone, !mayBeUnderway(work) else { return true }
        // One that was gone before this run can only be recognised by its content.
        let isOld = visit.isFirst && !configuration.wantsChecksums
        let since =
            watch.missingSince[visit.id]?[work.entry.name]
            ?? (isOld ? -.infinity : pace.nowSeconds)
        return pace.nowSeconds - since < WatchPolicy.retrySeconds
    }

    /// Whether a recording under another name is taking over its results.
    func isMoving(_ work: PreviousWork, _ visit: FolderVisit) -> Bool {
        guard configuration.looksForMoved else { return false }
        let place = RecordedPlace(folder: scan.folders[visit.id].path, name: work.entry.name)
        return folders.contains { $0.moves.values.contains { $0.place == place } }
    }

    /// Whether a recording that is new and not done yet may be this one.
    private func mayBeUnderway(_ work: PreviousWork) -> Bool {
        guard let watch, let bytes = work.entry.source?.bytes else { return false }
        return watch.incomplete.contains { $0.stamp.bytes == bytes }
            || jobs.ids.contains {
                jobs[$0].phase != .settled && jobs[$0].stamp.bytes == bytes
            }
    }

    /// Schedules another listing if a recording that is gone may be pruned, or turn up elsewhere.
    mutating func awaitReturn(of work: PreviousWork, _ visit: FolderVisit) {
        guard let watch, configuration.prunesMissing || mayBeUnderway(work) else { return }
        let now = pace.nowSeconds
        let name = work.entry.name
        if configuration.prunesMissing, watch.missingSince[visit.id]?[name] == nil {
            self.watch?.missingSince[visit.id, default: [:]][name] = now
        }
        scan.lookAgain(visit.id, atSeconds: now + WatchPolicy.retrySeconds)
    }
}
