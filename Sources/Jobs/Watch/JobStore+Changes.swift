import Recordings
import ReducerKit

// What becomes of recordings that go, change, or are found in another place.

extension JobStore.State {
    /// Takes in that recordings are gone: what was made of them stays, unless it is not wanted.
    mutating func lose(
        _ works: [PreviousWork], in folder: inout Folder, _ look: Look, _ order: Order
    ) {
        // Those who look for it have just been found among the others.
        let sought = sought(in: look.id)
        for work in works {
            if !work.isWorthKeeping {
                forget(work, in: &folder, look, order)
            } else if work.isToGo, configuration.isDryRun {
                folder.unlisted.append(work)
            } else if work.isToGo {
                folder.leave(Leftovers(work.entry.value))
            } else if !stays(work, look, sought, holds: folder.holds) {
                prune(work, from: &folder, look, order)
            } else if configuration.prunesMissing, configuration.isDryRun {
                notePruned(work.entry.name, of: folder, order)
                folder.unlisted.append(work)
            } else {
                keep(work, in: &folder, look, sought, order)
            }
        }
    }

    /// Forgets a recording that is gone, of which nothing is left.
    ///
    /// That it has failed is known to whoever listens, and nothing would tell that this is over.
    private mutating func forget(
        _ work: PreviousWork, in folder: inout Folder, _ look: Look, _ order: Order
    ) {
        takeBack(work, look)
        vanished.forget(work.entry.value, in: look.id)
        folder.needsManifest = true
        guard !look.isFirst, work.entry.status == .failed else { return }
        let name = work.entry.name
        order(.announce(.missing(folder: folder.path, name: name, pruned: false)))
    }

    /// Takes back that a recording was counted as gone, or as failed, if it was: at a folder's
    /// first look none is yet.
    mutating func takeBack(_ work: PreviousWork, _ look: Look) {
        if !look.isFirst { takeBack(work) }
    }

    /// Has what was made of a recording that is gone go with it.
    private mutating func prune(
        _ work: PreviousWork, from folder: inout Folder, _ look: Look, _ order: Order
    ) {
        let entry = work.entry.value
        departures[look.id, entry.name] = nil
        vanished.forget(entry, in: look.id)
        takeBack(work, look)
        folder.leave(Leftovers(entry))
        notePruned(entry.name, of: folder, order)
    }

    private mutating func notePruned(_ name: Pathname, of folder: Folder, _ order: Order) {
        summary.pruned += 1
        order(.announce(.missing(folder: folder.path, name: name, pruned: true)))
    }

    /// Has what was made of a recording that is gone stay, for now or for good.
    private mutating func keep(
        _ work: PreviousWork, in folder: inout Folder, _ look: Look, _ sought: Sought,
        _ order: Order
    ) {
        let name = work.entry.name
        let wasGone = work.entry.status == .sourceMissing
        var work = work
        folder.takeUpLeftovers(of: &work.entry)
        if configuration.prunesMissing {
            if departures[look.id, name] == nil {
                departures[look.id, name] = pace.nowSeconds
            }
            scan.lookAgain(look.id, atSeconds: pace.nowSeconds + WatchPolicy.retrySeconds)
        }
        if !wasGone { takeBack(work, look) }
        work.entry.value.status = .sourceMissing
        if look.isFirst || !wasGone { summary.count(work.entry.value, upToDate: true) }
        if !wasGone {
            folder.needsManifest = true
            // One that turned up in another place is about to be told of as moved.
            if !sought.hasFound(work.entry.value) {
                order(.announce(.missing(folder: folder.path, name: name, pruned: false)))
            }
        }
        if knowsByBytes { vanished.note(work.entry.value, in: look.id) }
        folder.unlisted.append(work)
    }

    /// Whether what was made of a recording that is gone is to be there as before.
    func stays(
        _ work: PreviousWork, _ look: Look, _ sought: Sought, holds: Int
    ) -> Bool {
        guard work.isWorthKeeping, !work.isToGo else { return false }
        guard configuration.prunesMissing, !configuration.isDryRun else { return true }
        guard configuration.watch != nil else { return false }
        // Where recordings may turn up in another place, that is waited for.
        let name = work.entry.name
        guard work.entry.status == .sourceMissing, holds == 0, !sought.mayBe(work)
        else { return true }
        if knowsByBytes, !scan.isThrough { return true }
        // One that was gone before is waited for only where what is new may be it all the same.
        let isOld = look.isFirst && !knowsByBytes
        let since = departures[look.id, name] ?? (isOld ? -.infinity : pace.nowSeconds)
        return pace.nowSeconds - since < WatchPolicy.retrySeconds
    }

    /// What may have been in a folder, and is somewhere else now.
    struct Sought {
        /// By the name it had, as somebody believes who waits to hear it: who does.
        var seekers: [Pathname: [WaitingRoom.Guest]] = [:]
        /// Lengths of what is new and may be known by its bytes.
        var lengths: Set<Int64> = []

        func mayBe(_ work: PreviousWork) -> Bool {
            if seekers[work.entry.name] != nil { return true }
            guard work.entry.value.sourceSHA256 != nil, let source = work.entry.value.source else {
                return false
            }
            return lengths.contains(source.bytes)
        }

        /// Whether somebody who waits to hear it will hear that it was this.
        ///
        /// Not where it was changed as well: then one has gone, and another has come.
        func hasFound(_ entry: ManifestEntry) -> Bool {
            seekers[entry.name]?.contains { $0.was(entry) } ?? false
        }
    }

    /// Who looks for something that was in this folder.
    func sought(in id: FolderID) -> Sought {
        guard configuration.watch != nil else { return Sought() }
        var sought = Sought()
        for seeker in waiting.seekers(in: id) {
            guard let spot = seeker.spot, let guest = waiting[seeker.folder, seeker.name] else {
                continue
            }
            sought.seekers[spot.name, default: []].append(guest)
        }
        if knowsByBytes, configuration.prunesMissing {
            sought.lengths = Set(jobs.ids.filter(mayBeKnown).map { jobs[$0].stamp.bytes })
        }
        return sought
    }

    /// Whether recordings are known again by their digests.
    var knowsByBytes: Bool { configuration.watch != nil && configuration.wantsChecksums }

    /// Holds a listing against what is known of a folder in which something is being done.
    ///
    /// What is known counts, and not what the listing tells of earlier work: that may be behind.
    mutating func merge(
        _ listing: FolderListing, into known: Folder, _ look: Look, _ order: Order
    ) {
        var folder = known
        var earlier = earlierWork(in: folder)
        var busy = openJobs(in: look.id)
        folder.setting = setting(for: listing, folder, earlier.values, busy, look)
        folder.entries = []
        folder.entries.reserveCapacity(listing.recordings.count)
        folder.unlisted = []
        for var sighting in listing.recordings {
            if let id = busy.removeValue(forKey: sighting.name) {
                if case .file(jobs[id].stamp) = sighting.finding {
                    rename(id, in: &folder)
                    continue
                }
                guard withdraw(id, from: &folder, to: &earlier) else { continue }
            }
            sighting.previous = earlier.removeValue(forKey: sighting.name)
            take(sighting, in: &folder, look, order)
        }
        for id in busy.values { _ = withdraw(id, from: &folder, to: &earlier) }
        let rest = earlier.values.sorted { $0.entry.name < $1.entry.name }
        if scan.folders[look.id].listsAll {
            lose(rest, in: &folder, look, order)
        } else {
            folder.unlisted += rest
        }
        keep(folder, as: look.id)
    }

    /// What is known of the recordings of a folder that are settled, by their names.
    private func earlierWork(in folder: Folder) -> [Pathname: PreviousWork] {
        var earlier: [Pathname: PreviousWork] = [:]
        for work in folder.unlisted { earlier[work.entry.name] = work }
        for entry in folder.entries {
            earlier[entry.name] = PreviousWork(entry, by: configuration.recipe)
        }
        return earlier
    }

    /// The names that recordings of a folder are to have now.
    private func setting(
        for listing: FolderListing, _ folder: Folder, _ earlier: some Sequence<PreviousWork>,
        _ busy: [Pathname: RecordingID], _ look: Look
    ) -> Boxed<Job.Setting> {
        let place = scan.folders[look.id]
        let sought = sought(in: look.id)
        let absent = earlier.filter { work in
            !listing.recordings.have(work.entry.name)
                && (!place.listsAll || stays(work, look, sought, holds: folder.holds))
        }
        // What is being made of one that has gone meanwhile has its names all the same.
        let begun = busy.filter { !listing.recordings.have($0.key) && !jobs.isWaiting($0.value) }
        return setting(
            for: listing, absent.map(\.entry.name) + begun.keys, gone: absent, at: place.path)
    }

    /// Has a recording that is being done as a neighbour came or went have the names it has to
    /// have.
    private mutating func rename(_ id: RecordingID, in folder: inout Folder) {
        guard jobs[id].setting.value.names != folder.setting.value.names else { return }
        if case .waiting = jobs[id].phase {
            jobs[id].setting = folder.setting
        } else {
            folder.isOutdated = true
        }
    }

    /// Recordings of a folder that are not settled.
    private func openJobs(in folder: FolderID) -> [Pathname: RecordingID] {
        var open: [Pathname: RecordingID] = [:]
        for id in jobs.ids where jobs[id].folder == folder && jobs[id].phase != .settled {
            open[jobs[id].name] = id
        }
        return open
    }

    /// Gives up work that has not begun, and takes back what there was before; `false` where it
    /// has begun, and the folder is to be listed again.
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
        release(folder.origins.removeValue(forKey: id), in: &folder)
        earlier[jobs[id].name] = folder.previous.removeValue(forKey: id)
        return true
    }
}
