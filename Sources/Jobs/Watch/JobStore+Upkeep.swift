import Recordings
import ReducerKit

// What is done in a run that goes on beside the work: manifests and the journal are brought up to
// date, and what nobody needs in mind is let go of.

extension Watch {
    /// So many outcomes may be in the journal before manifests take them over.
    package static let mostRecorded = 5000

    /// What follows for a run that goes on, once the run itself has taken the same action.
    static let reducer = Reducer<JobStore.State, JobStore.Action, JobStore.Command> {
        state, action, order in
        guard state.watch != nil, !state.isFinished else { return }
        switch action {
        case .scan(.unchanged(let id)): state.updateManifest(of: id, order)
        case .manifestWritten(let id, _): state.didWriteManifest(of: id, order)
        case .manifestFailed(let id, _): state.takeBackManifest(of: id)
        case .ticked: for id in state.folders.ids { state.updateManifest(of: id, order) }
        default: break
        }
    }

    /// Whether the system is to tell of changes.
    var wantsEvents: Bool { policy.pollSeconds == nil }

    /// Whether something is to happen when time has passed.
    var needsTime: Bool { !wantsEvents || hasPolled || !due.isEmpty || !retries.isEmpty }
}

extension JobStore.State {
    fileprivate mutating func didWriteManifest(of id: FolderID, _ order: Order) {
        guard folders.contains(id) else { return }
        folders[id].takeManifest()
        lookAgainIfOutdated(id)
        switch phase {
        case .running: updateManifest(of: id, order)
        case .closing(let reason) where reason?.isTrouble != true: writeManifestIfNeeded(id, order)
        case .closing, .stopping, .finished: break
        }
    }

    fileprivate mutating func takeBackManifest(of id: FolderID) {
        guard folders.contains(id) else { return }
        folders[id].takeBackManifest()
        lookAgainIfOutdated(id)
    }

    mutating func lookAgainIfOutdated(_ id: FolderID) {
        guard folders[id].isOutdated else { return }
        folders[id].isOutdated = false
        scan.lookAgain(id, atSeconds: pace.nowSeconds)
    }

    /// Lets go of what is done with, so that the run needs no more the longer it goes on.
    mutating func letGoOfSettled(_ order: Order) {
        guard watch != nil else { return }
        jobs.forgetSettled()
        tidy(order)
    }

    /// Whether nothing is waited for, in a run that goes on until it is told to stop.
    var mayEnd: Bool {
        guard watch != nil else { return true }
        return watch?.policy.endsWhenIdle == true && watch?.incomplete.count == 0
            && !folders.ids.contains { needsManifest($0) && canBeWritten($0) }
    }

    /// Writes a folder's manifest if it is time to, and lets go of the folder if nothing is left to
    /// do in it.
    mutating func updateManifest(of id: FolderID, _ order: Order) {
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
            if isEmpty, scan.folders[id].isGone { removeFolder(id, hadResults: hadResults) }
        }
    }

    /// Forgets a folder that is gone, with everything that was made of what was in it.
    /// - Parameter hadResults: whether its manifest has just gone, which another folder may have
    ///   been kept in mind for.
    mutating func removeFolder(_ id: FolderID, hadResults: Bool = false) {
        // One that is being listed again may be there again; the look after that will tell.
        guard scan.inFlight != id else { return scan.lookAgain(id, atSeconds: pace.nowSeconds) }
        guard watch?.incomplete.names(in: id).isEmpty == true, !manifestsInFlight.contains(id)
        else { return }
        failedFolders.remove(id)
        watch?.forget(id)
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
    private mutating func tidy(_ order: Order) {
        guard !journal.isTidying, !configuration.isDryRun, journal.isThere else { return }
        if journal.recorded >= Watch.mostRecorded { commit.isHeld = true }
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

extension Folder {
    /// What is to be done about a folder.
    package enum Need: Hashable, Sendable {
        case nothing, manifest
        /// All that is known of it is in its manifest, for whoever asks again.
        case rest
    }

    /// What there is to do now.
    ///
    /// A manifest is written at once where nothing else is about to change in the folder, and else
    /// now and then, so that a burst does not write it again and again.
    package func need(nowSeconds: Double) -> Need {
        let isSettled = unsettled == 0
        let pause = WatchPolicy.manifestPauseSeconds(entries: entries.count)
        if needsManifest || (isSettled && hasSuperfluous) {
            let last = manifestSeconds ?? (isSettled ? -pause : loadedSeconds)
            return nowSeconds - last >= pause ? .manifest : .nothing
        }
        guard isSettled, holds == 0, nowSeconds - (manifestSeconds ?? -pause) >= pause else {
            return .nothing
        }
        return .rest
    }
}
