import Recordings
import ReducerKit

// Recordings that are gone.

extension JobStore.State {
    /// Marks recordings as gone, unless the listing may be incomplete; their outputs are retained
    /// unless pruning was requested.
    mutating func markMissing(
        _ works: [PreviousWork], in folder: inout Folder, _ visit: FolderVisit, _ order: Order
    ) {
        guard scan.folders[visit.id].listsAll else {
            // Files hidden by another disk are not lost. With singly named recordings, none count.
            if scan.folders[visit.id].only == nil, visit.isFirst {
                for work in works { count(work) }
            }
            return folder.unlisted += works
        }
        // Files that may be these under a new name were just found in the listing.
        let candidates = renameCandidates(from: visit.id)
        for work in works {
            if !work.isWorthKeeping {
                forget(work, in: &folder, visit, order)
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

    /// Forgets a recording that is gone and has no outputs left.
    ///
    /// Its failure was announced, and nothing else would announce that the failure is over.
    private mutating func forget(
        _ work: PreviousWork, in folder: inout Folder, _ visit: FolderVisit, _ order: Order
    ) {
        noteIsForgotten(work, visit)
        folder.note(.forgotten, of: work.entry.name)
        guard !visit.isFirst, work.entry.status == .failed else { return }
        let name = work.entry.name
        order(.announce(.missing(folder: folder.path, name: name, pruned: false)))
    }

    /// Deletes the outputs of a recording that is gone.
    private mutating func prune(
        _ work: PreviousWork, from folder: inout Folder, _ visit: FolderVisit, _ order: Order
    ) {
        noteIsForgotten(work, visit)
        folder.note(.forgotten, of: work.entry.name)
        notePruned(work.entry.name, of: folder, order)
    }

    private mutating func notePruned(_ name: Pathname, of folder: Folder, _ order: Order) {
        summary.pruned += 1
        order(.announce(.missing(folder: folder.path, name: name, pruned: true)))
    }

    /// Retains the outputs of a recording that is gone, for now or for good.
    private mutating func keep(
        _ work: PreviousWork, in folder: inout Folder, _ visit: FolderVisit,
        _ candidates: RenameCandidates, _ order: Order
    ) {
        let wasGone = work.entry.status == .sourceMissing
        var work = work
        if !wasGone {
            takeBack(work, visit)
            work.entry.status = .sourceMissing
            folder.note(.updated(.sourceMissing), of: work.entry.name)
        }
        let entry = work.entry
        if visit.isFirst || !wasGone { summary.count(entry, upToDate: true) }
        awaitReturn(of: entry, visit)
        // One that turned up in another place is about to be announced as moved.
        if !wasGone, !candidates.include(entry) {
            order(.announce(.missing(folder: folder.path, name: entry.name, pruned: false)))
        }
        folder.unlisted.append(work)
    }

    /// Whether the outputs of a recording that is gone are retained.
    func stays(
        _ work: PreviousWork, _ visit: FolderVisit, _ candidates: RenameCandidates, holds: Int
    ) -> Bool {
        guard scan.folders[visit.id].listsAll else { return true }
        guard work.isWorthKeeping else { return false }
        guard configuration.prunesMissing, !configuration.isDryRun else { return true }
        return mayReturn(work, visit, candidates, holds: holds)
    }

    /// Forgets recordings that are gone and have lost a file's name to another, as the record has.
    ///
    /// It can only happen to one that went while the other was worked on: from then on, new work
    /// leaves the name to it.
    mutating func forgetReplaced(by outcome: Commit.Outcome) {
        guard !jobs[outcome.id].context.value.names.areNatural else { return }
        let names = Set(outcome.staged.map(\.name))
        let folder = outcome.folder
        let isReplaced: (PreviousWork) -> Bool = {
            $0.entry.name != outcome.name && !names.isDisjoint(with: $0.entry.made)
        }
        for work in folders[folder].unlisted where isReplaced(work) {
            count(work, times: -1)
            watch?.missing.forget(work.entry, in: folder)
        }
        folders[folder].unlisted.removeAll(where: isReplaced)
    }
}
