import Recordings
import ReducerKit

// Recordings that are gone.

extension JobStore.State {
    /// Marks recordings as gone, unless the listing may be incomplete; their outputs are retained
    /// unless pruning was requested.
    /// - Parameter staying: those of which they are.
    mutating func markMissing(
        _ works: [PreviousWork], staying: Set<Pathname>, in folder: inout Folder,
        _ listing: FolderListing, _ visit: FolderVisit, _ order: Order
    ) {
        guard scan.folders[visit.id].listsAll else {
            // Files hidden by another disk are not lost. With singly named recordings, none count.
            if scan.folders[visit.id].only == nil, visit.isFirst {
                for work in works { count(work) }
            }
            return folder.unlisted += works
        }
        let before = scan.folders[visit.id].leftOut
        var leftOut: Set<Pathname> = []
        defer { scan.folders[visit.id].leftOut = leftOut }
        for work in works {
            if work.isElsewhere {
                takeBack(work, visit)
                folder.note(.forgotten, of: work.entry.name)
            } else if visit.leavesOut(work.entry.name) {
                leftOut.insert(work.entry.name)
                leaveOut(work, isNews: !before.contains(work.entry.name), in: &folder, visit)
            } else if !work.isWorthKeeping {
                forget(work, in: &folder, visit, order)
            } else if !staying.contains(work.entry.name) {
                prune(work, from: &folder, visit, order)
            } else if configuration.prunesMissing, configuration.isDryRun {
                notePruned(work.entry.name, of: folder, order)
                folder.unlisted.append(work)
            } else {
                keep(work, in: &folder, listing, visit, order)
            }
        }
    }

    /// Retains the results of a recording that filters leave out, whatever became of it.
    /// - Parameter isNews: whether it was not left out before.
    private mutating func leaveOut(
        _ work: PreviousWork, isNews: Bool, in folder: inout Folder, _ visit: FolderVisit
    ) {
        if isNews { takeBack(work, visit) }
        watch?.missingSince[visit.id]?[work.entry.name] = nil
        folder.unlisted.append(work)
    }

    /// Forgets a recording that is gone and has no outputs left.
    ///
    /// Its failure was announced, and nothing else would announce that the failure is over.
    private mutating func forget(
        _ work: PreviousWork, in folder: inout Folder, _ visit: FolderVisit, _ order: Order
    ) {
        takeBack(work, visit)
        folder.note(.forgotten, of: work.entry.name)
        guard !visit.isFirst, work.entry.status == .failed else { return }
        let name = work.entry.name
        order(.announce(.missing(folder: folder.path, name: name, pruned: false)))
    }

    /// Deletes the outputs of a recording that is gone.
    private mutating func prune(
        _ work: PreviousWork, from folder: inout Folder, _ visit: FolderVisit, _ order: Order
    ) {
        takeBack(work, visit)
        folder.note(.forgotten, of: work.entry.name)
        notePruned(work.entry.name, of: folder, order)
    }

    private mutating func notePruned(_ name: Pathname, of folder: Folder, _ order: Order) {
        summary.pruned += 1
        order(.announce(.missing(folder: folder.path, name: name, pruned: true)))
    }

    /// Retains the outputs of a recording that is gone, for now or for good.
    private mutating func keep(
        _ work: PreviousWork, in folder: inout Folder, _ listing: FolderListing,
        _ visit: FolderVisit, _ order: Order
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
        awaitReturn(of: work, visit)
        // One that has another name is about to be announced as moved.
        if !wasGone, !isRenamed(work, in: listing, of: folder), !isMoving(work, visit) {
            order(.announce(.missing(folder: folder.path, name: entry.name, pruned: false)))
        }
        if watch == nil { folder.gone.insert(entry.name) }
        folder.unlisted.append(work)
    }

    /// Whether a recording that is gone has another name in its folder, under which it is to be
    /// worked on.
    private func isRenamed(
        _ work: PreviousWork, in listing: FolderListing, of folder: Folder
    ) -> Bool {
        guard let identity = work.identity, let source = work.entry.source else { return false }
        return listing.recordings.contains { scanned in
            scanned.identity == identity && scanned.finding == .file(source)
                && !folder.entries.contains { $0.entry.name == scanned.name }
        }
    }

    /// Whether the outputs of a recording that is gone are retained.
    func stays(_ work: PreviousWork, _ visit: FolderVisit) -> Bool {
        guard scan.folders[visit.id].listsAll else { return true }
        guard !work.isElsewhere else { return false }
        guard !visit.leavesOut(work.entry.name) else { return true }
        guard work.isWorthKeeping else { return false }
        guard configuration.prunesMissing, !configuration.isDryRun else { return true }
        return mayReturn(work, visit)
    }

    /// Forgets the results of recordings that have lost a file's name to another, as the record
    /// has; of files that were only retained, just the one is forgotten.
    ///
    /// It can only happen to one that went, or came, while the other was worked on: from then on,
    /// new work leaves the name to it. One that is there is looked at again.
    mutating func forgetReplaced(by outcome: Commit.Outcome) {
        let folder = outcome.folder
        let contexts = [jobs[outcome.id].context, folders[folder].context]
        guard contexts.contains(where: \.value.names.mayMeet) else { return }
        let names = Set(outcome.staged.map(\.name))
        folders[folder].unlisted = notReplaced(folders[folder].unlisted, outcome, names)
        let settled = folders[folder].entries.count
        folders[folder].entries = notReplaced(folders[folder].entries, outcome, names)
        if folders[folder].entries.count < settled {
            scan.lookAgain(folder, atSeconds: pace.nowSeconds)
        }
    }

    private mutating func notReplaced(
        _ works: [PreviousWork], _ outcome: Commit.Outcome, _ names: Set<Pathname>
    ) -> [PreviousWork] {
        works.compactMap { work in
            guard work.entry.name != outcome.name else { return work }
            guard names.isDisjoint(with: work.entry.made) else {
                count(work, times: -1)
                return nil
            }
            var work = work
            work.entry.leftBehind.removeAll(where: names.contains)
            return work
        }
    }
}
