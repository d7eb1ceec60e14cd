import Recordings
import ReducerKit

// When manifests are written, when the journal goes, and when the run is over.

extension JobStore.State {
    /// A folder's manifest is written once, when all in it is settled, unless more may come.
    mutating func writeManifestIfSettled(_ id: FolderID, _ order: Order) {
        guard watch == nil else { return updateManifest(of: id, order) }
        guard folders[id].unsettled == 0 else { return }
        writeManifestIfNeeded(id, order)
        folders[id].rest()
    }

    func needsManifest(_ id: FolderID) -> Bool {
        let isNeeded =
            folders[id].needsManifest || (folders[id].hasSuperfluous && mayRemove(in: id))
        return !configuration.isDryRun && isNeeded && !manifestsInFlight.contains(id)
    }

    /// Whether a folder's manifest did not fail to be written; one that did is tried now and then,
    /// and nothing else waits for it: the journal has what it would say.
    func canBeWritten(_ id: FolderID) -> Bool { !journal.unwritten.contains(id) }

    mutating func writeManifestIfNeeded(_ id: FolderID, _ order: Order) {
        guard needsManifest(id) else { return }
        var manifest = folders[id].manifestOrder(
            recipe: configuration.recipe, removes: mayRemove(in: id))
        manifest.isLast =
            manifest.entries.isEmpty && folders[id].unsettled == 0 && scan.folders[id].isGone
        folders[id].manifestSeconds = pace.nowSeconds
        manifestsInFlight.insert(id)
        order(.writeManifest(id, manifest))
    }

    /// Whether what is superfluous in a folder may go: where others are being worked on, its name
    /// may be theirs in an instant.
    private func mayRemove(in id: FolderID) -> Bool {
        if case .closing = phase { return true }
        return folders[id].unsettled == 0
    }

    mutating func takeManifest(_ id: FolderID) {
        manifestsInFlight.remove(id)
        let wasRecovered =
            scan.folders.contains(id) && scan.recovered.remove(scan.folders[id].path) != nil
        let wasUnwritten = journal.unwritten.remove(id) != nil
        if wasUnwritten { summary.manifestsFailed -= 1 }
        // The journal may have been put away before, but for what it said of this folder.
        if wasRecovered || wasUnwritten { journal.isThere = true }
    }

    mutating func failManifest(_ id: FolderID, _ failure: RecordingFailure, _ order: Order) {
        manifestsInFlight.remove(id)
        let isNews = journal.unwritten.insert(id).inserted
        if isNews { summary.manifestsFailed += 1 }
        // What ends the run is told of once, whatever it keeps from being written.
        switch phase {
        case .running where failure.endsRun:
            stop(.trouble(failure), order)
        case .stopping(.trouble) where failure.endsRun,
            .closing(.trouble?) where failure.endsRun:
            break
        default:
            guard isNews else { return }
            order(.announce(.manifestFailed(folder: scan.folders[id].path, failure)))
        }
    }

    /// Puts the journal away once every manifest is written, and then ends the run.
    mutating func close(_ reason: StopReason?, _ order: Order) {
        guard manifestsInFlight.isEmpty, !journal.isClosing, !journal.isTidying else { return }
        // Where nothing can be written, the journal is what the next run goes on from.
        guard journal.isThere, !configuration.isDryRun, reason?.isTrouble != true else {
            return finish(order)
        }
        journal.isClosing = true
        order(.closeJournal(keeping: foldersToRemember(sawAll: reason == nil)))
    }

    mutating func takeJournalClosed(_ order: Order) {
        guard journal.isTidying else { return finish(order) }
        journal.isTidying = false
        commit.isHeld = false
        commit.beginGroup { order(.commit($0)) }
    }

    mutating func finish(_ order: Order) {
        guard case .closing(let reason) = phase else { return }
        summary.awaited = watch?.incomplete.all ?? 0
        phase = .finished(reason)
        order(.finish)
    }

    /// Folders of which the journal says what no manifest does: those this run did not come to, and
    /// those whose manifests could not be written.
    func foldersToRemember(sawAll: Bool) -> [Pathname] {
        // One that a whole scan did not meet is gone, with its recordings.
        let sawAll = sawAll && failedFolders.isEmpty
        let passedBy = scan.recovered.filter { !(sawAll && scan.reaches($0)) }
        let unwritten = journal.unwritten.map { scan.folders[$0].path }
        return Set(passedBy + unwritten).sorted()
    }
}
