import Recordings
import ReducerKit

// Housekeeping of a watch: updating manifests, and releasing memory.

extension Watch {
    /// The watch's reaction to an action, after the run itself has processed it.
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

    /// Whether to subscribe to change events.
    var wantsEvents: Bool { policy.pollSeconds == nil }

    /// Whether the watch needs clock ticks.
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

    /// Releases settled jobs, so that a long run does not grow.
    mutating func letGoOfSettled() {
        jobs.passSettled()
        if watch != nil { jobs.forgetSettled() }
    }

    /// Whether the run may end once idle; a watch ends only if it should, and waits for nothing.
    var mayEnd: Bool {
        guard watch != nil else { return true }
        return watch?.policy.endsWhenIdle == true && watch?.incomplete.count == 0
            && !folders.ids.contains { needsManifest($0) && canBeWritten($0) }
    }

    /// Writes a folder's manifest if it is due, and releases the folder from memory if nothing is
    /// left to do in it.
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

    /// Forgets a folder that is gone, with all its results.
    /// - Parameter hadResults: whether its manifest was just deleted; another folder may have been
    /// retained for that.
    mutating func removeFolder(_ id: FolderID, hadResults: Bool = false) {
        // A folder that is being listed may exist again; the listing after that will show.
        guard scan.inFlight != id else { return scan.lookAgain(id, atSeconds: pace.nowSeconds) }
        guard watch?.incomplete.names(in: id).isEmpty == true, !manifestsInFlight.contains(id)
        else { return }
        failedFolders.remove(id)
        watch?.forget(id)
        scan.rests[id] = nil
        let path = scan.folders[id].path
        let isNews = hadResults || scan.folders[id].looks > 1
        scan.folders.remove(id)
        // A folder above that is gone too and held nothing else can be removed as well.
        guard isNews else { return }
        var above = path
        while !above.isEmpty {
            above = above.parent
            guard let known = scan.folders.id(of: above) else { continue }
            if scan.folders[known].isGone { scan.lookAgain(known, atSeconds: pace.nowSeconds) }
            return
        }
    }
}

extension Folder {
    /// What a folder needs next.
    package enum Need: Hashable, Sendable {
        case nothing, manifest
        /// Release it from memory: its manifest holds everything.
        case rest
    }

    /// What the folder needs now.
    ///
    /// A manifest is written at once if nothing else is about to change in the folder, and
    /// otherwise at intervals, so that a burst of changes does not rewrite it each time.
    package func need(nowSeconds: Double) -> Need {
        let isSettled = unsettled == 0
        let pause = WatchPolicy.manifestPauseSeconds(entries: entries.count)
        if needsManifest {
            let last = manifestSeconds ?? (isSettled ? -pause : loadedSeconds)
            return nowSeconds - last >= pause ? .manifest : .nothing
        }
        guard isSettled, nowSeconds - (manifestSeconds ?? -pause) >= pause else {
            return .nothing
        }
        return .rest
    }
}
