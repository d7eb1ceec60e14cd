import Recordings
import ReducerKit

// Incomplete recordings in a watch.

extension JobStore.State {
    /// Whether a recording may be processed now; if not, it is waited for, and its earlier outputs
    /// are retained.
    mutating func mayStart(
        _ scanned: ScannedFile, _ stamp: FileStamp, in folder: inout Folder, _ visit: FolderVisit,
        _ order: Order
    ) -> Bool {
        let name = scanned.name
        guard let until = watch?.waitSeconds(for: name, stamp, visit) else { return true }
        if let previous = scanned.previous { folder.unlisted.append(previous) }
        scan.lookAgain(visit.id, atSeconds: until)
        if watch?.incomplete[visit.id, name]?.lastReported == nil {
            watch?.incomplete[visit.id, name]?.lastReported = .waiting
            order(.announce(.awaited(folder: folder.path, name: name, nil)))
        }
        return false
    }

    /// Whether a failure only means that the recording is still incomplete.
    func mustWait(_ id: RecordingID, _ failure: RecordingFailure?) -> Bool {
        guard watch != nil, case .running = phase, let failure else { return false }
        let file = watch?.incomplete[jobs[id].folder, jobs[id].name]
        return failure.mayPassWithWriting && file?.isLast != true
    }

    /// Defers a recording that turned out to be incomplete.
    mutating func takeUnfinished(
        _ id: RecordingID, _ failure: RecordingFailure, _ order: Order
    ) {
        guard let policy = watch?.policy else { return }
        let (folder, name) = (jobs[id].folder, jobs[id].name)
        var file = incompleteFile(of: id)
        let isNews = file.lastReported != .failure(failure.reason)
        file.lastReported = .failure(failure.reason)
        let isWritten = failure.reason == .beingWritten
        if isWritten { file.sinceSeconds = pace.nowSeconds }
        file.failure = failure
        deferIncomplete(id, file, order)
        let pause = isWritten ? patienceSeconds(with: folder) : policy.giveUpSeconds
        scan.lookAgain(folder, atSeconds: file.sinceSeconds + pause)
        if isNews {
            let path = scan.folders[folder].path
            order(.announce(.awaited(folder: path, name: name, failure)))
        }
    }

    /// Defers a recording that changed or disappeared while it was processed.
    mutating func takeChanged(_ id: RecordingID, _ stamp: FileStamp?, _ order: Order) {
        let folder = jobs[id].folder
        let now = pace.nowSeconds
        let before = incompleteFile(of: id)
        var file = stamp.map { PendingFile(stamp: $0, sinceSeconds: now) }
        file?.lastReported = before.lastReported
        deferIncomplete(id, file, order)
        scan.lookAgain(folder, atSeconds: now + (stamp == nil ? 0 : patienceSeconds(with: folder)))
    }

    /// The table's entry for a recording that is being processed, or a new one.
    func incompleteFile(of id: RecordingID) -> PendingFile {
        watch?.incomplete[jobs[id].folder, jobs[id].name]
            ?? PendingFile(stamp: jobs[id].stamp, sinceSeconds: pace.nowSeconds)
    }

    /// How long to wait before a growing recording is checked again, which costs a listing.
    private func patienceSeconds(with folder: FolderID) -> Double {
        let recordings = Int(scan.folders[folder].recordings)
        let pause = 10 * WatchPolicy.listingPauseSeconds(recordings: recordings)
        return max(watch?.policy.settleSeconds ?? 0, min(pause, 60))
    }

    /// Ends a job without an outcome: earlier outputs are retained, and the recording is waited for
    /// in its present state, if it exists.
    mutating func deferIncomplete(_ id: RecordingID, _ file: PendingFile?, _ order: Order) {
        let (folder, name) = (jobs[id].folder, jobs[id].name)
        watch?.incomplete[folder, name] = file
        watch?.incomplete[folder, name]?.isTried = false
        jobs[id].phase = .settled
        summary.recordings -= 1
        folders[folder].unsettled -= 1
        if let previous = folders[folder].previous.removeValue(forKey: id) {
            folders[folder].unlisted.append(previous)
        }
        // The event allows the retry of an earlier failure, which has not happened yet.
        watch?.events[folder, default: PendingEvents()].touched.insert(name)
        folders[folder].moves[id] = nil
        lookAgainIfOutdated(folder)
        updateManifest(of: folder, order)
    }

    /// Stops waiting for recordings that are gone.
    mutating func dismissFiles(notIn listing: FolderListing, of id: FolderID) {
        let names = watch?.incomplete.names(in: id) ?? []
        guard !names.isEmpty else { return }
        let there = Set(listing.recordings.map(\.name))
        for name in names where !there.contains(name) {
            watch?.incomplete[id, name] = nil
        }
    }
}

extension Watch {
    /// The time until which to wait for a recording; `nil` if it may be processed now.
    ///
    /// It stays among the incomplete files until its outcome is on the disk.
    fileprivate mutating func waitSeconds(
        for name: Pathname, _ stamp: FileStamp, _ visit: JobStore.State.FolderVisit
    ) -> Double? {
        let isClosed = visit.events.written.contains(name)
        let known = incomplete[visit.id, name]
        guard var file = known, file.stamp == stamp else {
            var file = PendingFile(stamp: stamp, sinceSeconds: nowSeconds)
            file.lastReported = known?.lastReported
            file.isTried = isClosed
            // A file that was truncated long ago has already waited. This holds for the first
            // listing only: files found later have just been written.
            let quiet = Double(visit.atNanoseconds - stamp.modifiedNanoseconds) / 1e9
            if visit.isFirst {
                file.sinceSeconds -= max(0, quiet)
                if known == nil, quiet >= policy.settleSeconds { file.isTried = true }
            }
            incomplete[visit.id, name] = file
            return file.isTried ? nil : nowSeconds + policy.settleSeconds
        }
        let isGrowing = file.failure == nil || file.failure?.reason == .beingWritten
        let pause = isGrowing ? policy.settleSeconds : policy.giveUpSeconds
        let isOver = nowSeconds - file.sinceSeconds >= pause
        file.isTried = isOver || (isGrowing && isClosed)
        if !isGrowing { file.isLast = isOver }
        incomplete[visit.id, name] = file
        return file.isTried ? nil : file.sinceSeconds + pause
    }
}
