import Recordings
import ReducerKit

// When manifests are written, when the journal goes, and when the run is over.

extension JobStore {
    /// So many outcomes may be in the journal before manifests take them over, in a run without
    /// end.
    package static let mostRecorded = 5000
}

extension JobStore.State {
    mutating func writeManifestIfSettled(_ id: FolderID, _ order: Order) {
        guard configuration.watch == nil else { return tend(id, order) }
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
        if configuration.watch != nil { folders[id].manifestSeconds = pace.nowSeconds }
        manifestsInFlight.insert(id)
        order(.writeManifest(id, manifest))
    }

    /// Whether what is superfluous in a folder may go: where others are being worked on, its name
    /// may be theirs in an instant.
    private func mayRemove(in id: FolderID) -> Bool {
        if configuration.watch == nil || folders[id].unsettled == 0 { return true }
        if case .closing = phase { return true }
        return false
    }

    mutating func takeManifest(_ id: FolderID, _ order: Order) {
        manifestsInFlight.remove(id)
        let wasRecovered =
            scan.folders.contains(id) && scan.recovered.remove(scan.folders[id].path) != nil
        // The journal may have been put away before, but for what it said of this folder.
        if configuration.watch != nil, wasRecovered { journal.isThere = true }
        if configuration.watch != nil, journal.unwritten.remove(id) != nil {
            summary.manifestsFailed -= 1
            journal.isThere = true
        }
        guard configuration.watch != nil, folders.contains(id) else { return }
        folders[id].takeManifest()
        lookAgainIfOutdated(id)
        switch phase {
        case .running: tend(id, order)
        case .closing(let reason) where reason?.isTrouble != true: writeManifestIfNeeded(id, order)
        case .closing, .stopping, .finished: break
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
        summary.awaited = waiting.all
        phase = .finished(reason)
        order(.finish)
    }

    /// Folders of which the journal says what no manifest does: those this run did not come to, and
    /// those whose manifests could not be written.
    private func foldersToRemember(sawAll: Bool) -> [Pathname] {
        // One that a whole scan did not meet is gone, with its recordings.
        let sawAll = sawAll && failedFolders.isEmpty
        let passedBy = scan.recovered.filter { !(sawAll && scan.reaches($0)) }
        let unwritten = journal.unwritten.map { scan.folders[$0].path }
        return Set(passedBy + unwritten).sorted()
    }
}

// MARK: - While the run goes on

extension JobStore.State {
    /// Looks after all folders that something is known of.
    mutating func tendFolders(_ order: Order) {
        guard configuration.watch != nil, case .running = phase else { return }
        for id in folders.ids { tend(id, order) }
    }

    /// Writes a folder's manifest if it is time to, and lets go of the folder if nothing is left to
    /// do in it.
    mutating func tend(_ id: FolderID, _ order: Order) {
        guard folders.contains(id), case .running = phase else { return }
        switch folders[id].need(nowSeconds: pace.nowSeconds) {
        case .nothing:
            return
        case .manifest:
            writeManifestIfNeeded(id, order)
        case .rest:
            guard !manifestsInFlight.contains(id), scan.inFlight != id else { return }
            let isEmpty = folders[id].entries.isEmpty && folders[id].unlisted.isEmpty
            let hadResults = forget(id)?.manifestSeconds != nil
            if isEmpty, scan.folders[id].isGone { retire(id, hadResults: hadResults) }
        }
    }

    /// Forgets a folder that is gone, with everything that was made of what was in it.
    /// - Parameter hadResults: whether its manifest has just gone, which another folder may have
    ///   been kept in mind for.
    mutating func retire(_ id: FolderID, hadResults: Bool = false) {
        // One that is being listed again may be there again; the look after that will tell.
        guard scan.inFlight != id else { return scan.lookAgain(id, atSeconds: pace.nowSeconds) }
        guard waiting.names(in: id).isEmpty, !manifestsInFlight.contains(id) else { return }
        whereabouts.forget(id, nowSeconds: pace.nowSeconds)
        failedFolders.remove(id)
        departures.forget(id)
        scan.watch?.forget(id)
        scan.rests[id] = nil
        let path = scan.folders[id].path
        let isNews = hadResults || scan.folders[id].looks > 1
        scan.folders.remove(id)
        // One that held nothing but this, and is gone too, has nothing left either.
        if isNews, !path.isEmpty, let parent = scan.folders.id(of: path.parent),
            scan.folders[parent].isGone
        {
            scan.lookAgain(parent, atSeconds: pace.nowSeconds)
        }
    }

    /// Puts the journal away when nothing else is to be done, and in between when it has grown
    /// long: then what has ended waits until all manifests hold what is in it.
    mutating func tidy(_ order: Order) {
        guard !journal.isTidying, !configuration.isDryRun, journal.isThere else { return }
        if journal.recorded >= JobStore.mostRecorded { commit.isHeld = true }
        let isQuiet =
            scan.inFlight == nil && scan.pending.isEmpty && scheduler.running == 0
            && !scheduler.hasWaiting(in: jobs) && commit.count == 0
        guard commit.isHeld || isQuiet, commit.underway == nil else { return }
        if commit.isHeld {
            for id in folders.ids where canBeWritten(id) { writeManifestIfNeeded(id, order) }
        }
        guard manifestsInFlight.isEmpty,
            !folders.ids.contains(where: { needsManifest($0) && canBeWritten($0) })
        else { return }
        journal.isTidying = true
        journal.isThere = false
        journal.recorded = 0
        order(.closeJournal(keeping: foldersToRemember(sawAll: false)))
    }
}
