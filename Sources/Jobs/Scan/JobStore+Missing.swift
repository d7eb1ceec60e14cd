import Recordings
import ReducerKit

// What becomes of recordings that are gone.

extension JobStore.State {
    /// Takes in that recordings are gone, unless there may be more than was listed: what was made
    /// of them stays, unless it is not wanted.
    mutating func markMissing(
        _ works: [PreviousWork], in folder: inout Folder, _ visit: FolderVisit, _ order: Order
    ) {
        guard scan.folders[visit.id].listsAll else {
            // What another disk hides is not lost. Beside what was named alone nothing counts.
            if scan.folders[visit.id].only == nil, visit.isFirst {
                for work in works { count(work) }
            }
            return folder.unlisted += works
        }
        // Those that it may be now have just been found among the others.
        let candidates = renameCandidates(from: visit.id)
        for work in works {
            if !work.isWorthKeeping {
                forget(work, in: &folder, visit, order)
            } else if work.isToGo, configuration.isDryRun {
                folder.unlisted.append(work)
            } else if work.isToGo {
                folder.leave(Leftovers(work.entry.value))
            } else if !stays(work, visit, candidates, holds: folder.holds) {
                prune(work, from: &folder, visit, order)
            } else if configuration.prunesMissing, configuration.isDryRun {
                notePruned(work.entry.name, of: folder, order)
                folder.unlisted.append(work)
            } else {
                keep(work, in: &folder, visit, candidates, order)
            }
        }
    }

    /// Forgets a recording that is gone, of which nothing is left.
    ///
    /// That it has failed is known to whoever listens, and nothing would tell that this is over.
    private mutating func forget(
        _ work: PreviousWork, in folder: inout Folder, _ visit: FolderVisit, _ order: Order
    ) {
        noteIsForgotten(work, visit)
        folder.needsManifest = true
        guard !visit.isFirst, work.entry.status == .failed else { return }
        let name = work.entry.name
        order(.announce(.missing(folder: folder.path, name: name, pruned: false)))
    }

    /// Has what was made of a recording that is gone go with it.
    private mutating func prune(
        _ work: PreviousWork, from folder: inout Folder, _ visit: FolderVisit, _ order: Order
    ) {
        let entry = work.entry.value
        noteIsForgotten(work, visit)
        folder.leave(Leftovers(entry))
        notePruned(entry.name, of: folder, order)
    }

    private mutating func notePruned(_ name: Pathname, of folder: Folder, _ order: Order) {
        summary.pruned += 1
        order(.announce(.missing(folder: folder.path, name: name, pruned: true)))
    }

    /// Has what was made of a recording that is gone stay, for now or for good.
    private mutating func keep(
        _ work: PreviousWork, in folder: inout Folder, _ visit: FolderVisit,
        _ candidates: RenameCandidates, _ order: Order
    ) {
        let wasGone = work.entry.status == .sourceMissing
        var work = work
        folder.takeUpLeftovers(of: &work.entry)
        if !wasGone {
            takeBack(work, visit)
            folder.needsManifest = true
        }
        work.entry.value.status = .sourceMissing
        let entry = work.entry.value
        if visit.isFirst || !wasGone { summary.count(entry, upToDate: true) }
        awaitReturn(of: entry, visit)
        // One that turned up in another place is about to be told of as moved.
        if !wasGone, !candidates.include(entry) {
            order(.announce(.missing(folder: folder.path, name: entry.name, pruned: false)))
        }
        folder.unlisted.append(work)
    }

    /// Whether what was made of a recording that is gone is to be there as before.
    func stays(
        _ work: PreviousWork, _ visit: FolderVisit, _ candidates: RenameCandidates, holds: Int
    ) -> Bool {
        guard scan.folders[visit.id].listsAll else { return true }
        guard work.isWorthKeeping, !work.isToGo else { return false }
        guard configuration.prunesMissing, !configuration.isDryRun else { return true }
        return mayReturn(work, visit, candidates, holds: holds)
    }
}
