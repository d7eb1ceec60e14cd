import Recordings
import ReducerKit

// Writing manifests, discarding the journal, and ending the run.

extension JobStore.State {
    /// Writes a folder's manifest once all its recordings are settled; a watch updates it instead.
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

    /// Whether no manifest write of this folder has failed; a failed one is retried now and then,
    /// and blocks nothing, because the journal holds the same facts.
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

    /// Whether a folder's superfluous files may be deleted; while jobs are open in it, one of them
    /// may be about to use the same name.
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
        // The journal may already have been discarded, except for this folder's records.
        if wasRecovered || wasUnwritten { journal.isThere = true }
    }

    mutating func failManifest(_ id: FolderID, _ failure: RecordingFailure, _ order: Order) {
        manifestsInFlight.remove(id)
        let isNews = journal.unwritten.insert(id).inserted
        if isNews { summary.manifestsFailed += 1 }
        // A failure that ends the run is announced once, however many manifests it affects.
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

    /// Discards the journal once every manifest is written, then ends the run.
    mutating func close(_ reason: StopReason?, _ order: Order) {
        guard manifestsInFlight.isEmpty, !journal.isClosing, !journal.isTidying else { return }
        // If nothing can be written, the next run resumes from the journal.
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

    /// Folders whose journal records are in no manifest: this run did not reach them, or could not
    /// write their manifests.
    func foldersToRemember(sawAll: Bool) -> [Pathname] {
        // A recovered folder that a complete scan did not find is gone, with its recordings.
        let sawAll = sawAll && failedFolders.isEmpty
        let passedBy = scan.recovered.filter { !(sawAll && scan.reaches($0)) }
        let unwritten = journal.unwritten.map { scan.folders[$0].path }
        return Set(passedBy + unwritten).sorted()
    }
}
