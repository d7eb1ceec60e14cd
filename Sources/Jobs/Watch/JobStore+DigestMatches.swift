import Recordings
import ReducerKit

// Missing recordings that may turn up elsewhere: recognised by the SHA-256 of their content
// (`MissingByDigest`), or waited for before `--prune` deletes their outputs.

extension JobStore.State {
    /// Whether moved recordings are recognised by their checksums.
    var knowsByBytes: Bool { watch != nil && configuration.wantsChecksums }

    /// New files that may have been moved from one folder.
    struct RenameCandidates {
        /// By their presumed old names in that folder.
        var files: [Pathname: [PendingFile]] = [:]
        /// Lengths in bytes of new files that may be recognised by checksum.
        var lengths: Set<Int64> = []

        func mayInclude(_ work: PreviousWork) -> Bool {
            if files[work.entry.name] != nil { return true }
            guard work.entry.sourceSHA256 != nil, let source = work.entry.source else {
                return false
            }
            return lengths.contains(source.bytes)
        }

        /// Whether one of them will be recognised as this recording.
        ///
        /// Not if it was also modified: then one recording is gone, and another is new.
        func include(_ entry: SettledEntry) -> Bool {
            files[entry.name]?.contains { $0.was(entry) } ?? false
        }
    }

    /// New files that may have been moved from this folder.
    func renameCandidates(from id: FolderID) -> RenameCandidates {
        var candidates = RenameCandidates()
        for candidate in watch?.incomplete.renameCandidates(from: id) ?? [] {
            candidates.files[candidate.origin.name, default: []].append(candidate.file)
        }
        if knowsByBytes, configuration.prunesMissing {
            candidates.lengths = Set(jobs.ids.filter(mayBeKnown).map { jobs[$0].stamp.bytes })
        }
        return candidates
    }

    /// Whether pruning waits for a recording that is gone, because it may turn up in another place.
    func mayReturn(
        _ work: PreviousWork, _ visit: FolderVisit, _ candidates: RenameCandidates, holds: Int
    ) -> Bool {
        guard let since = watch?.missingSince else { return false }
        guard work.entry.status == .sourceMissing, holds == 0, !candidates.mayInclude(work)
        else { return true }
        if knowsByBytes, !scan.isThrough { return true }
        // One that was gone before this run is waited for only if a new file may still match it.
        let isOld = visit.isFirst && !knowsByBytes
        let wentSeconds =
            since[visit.id]?[work.entry.name] ?? (isOld ? -.infinity : pace.nowSeconds)
        return pace.nowSeconds - wentSeconds < WatchPolicy.retrySeconds
    }

    /// Records that a recording is gone, and schedules another listing if it may be pruned.
    mutating func awaitReturn(of entry: SettledEntry, _ visit: FolderVisit) {
        if knowsByBytes { watch?.missing.note(entry, in: visit.id) }
        guard watch != nil, configuration.prunesMissing else { return }
        let now = pace.nowSeconds
        if watch?.missingSince[visit.id]?[entry.name] == nil {
            watch?.missingSince[visit.id, default: [:]][entry.name] = now
        }
        scan.lookAgain(visit.id, atSeconds: now + WatchPolicy.retrySeconds)
    }

    /// Records that a recording exists.
    mutating func noteIsThere(_ scanned: ScannedFile, _ visit: FolderVisit) {
        guard watch != nil else { return }
        watch?.missingSince[visit.id]?[scanned.name] = nil
        if knowsByBytes, case .file = scanned.finding, let previous = scanned.previous {
            watch?.missing.forget(previous.entry, in: visit.id)
        }
    }

    /// Forgets a recording that is gone and has no outputs left.
    mutating func noteIsForgotten(_ work: PreviousWork, _ visit: FolderVisit) {
        takeBack(work, visit)
        watch?.missing.forget(work.entry, in: visit.id)
    }

    /// Whether a recording whose work has not begun may be a missing one, moved.
    func mayBeKnown(_ id: RecordingID) -> Bool {
        guard knowsByBytes, jobs[id].attempts == 0 else { return false }
        switch jobs[id].phase {
        case .waiting, .identifying: break
        case .recalling, .listening, .trimming, .adopting, .ended, .committing, .settled:
            return false
        }
        let folder = jobs[id].folder
        return folders.contains(folder) && folders[folder].previous[id] == nil
            && watch?.incomplete[folder, jobs[id].name]?.digest == nil
            && watch?.missing.mayHold(bytes: jobs[id].stamp.bytes) == true
    }

    /// Processes a computed checksum: if a missing recording had it, that one's folder is listed
    /// again; otherwise the recording is processed.
    mutating func takeIdentified(
        _ id: RecordingID, _ digest: String, _ stages: Stages, _ order: Order
    ) {
        guard case .running = phase else {
            jobs[id].phase = .settled
            return
        }
        if takeSame(id, digest, stages, order) { return }
        guard let origin = watch?.missing.take(digest), scan.folders.contains(origin.folder)
        else {
            scheduler.running += 1
            return begin(id, jobs[id].start(stages, previous: nil), order)
        }
        let folder = jobs[id].folder
        let now = pace.nowSeconds
        var file = incompleteFile(of: id)
        release(file.found)
        file.found = nil
        file.digest = digest
        file.origin = origin
        file.asked = 0
        file.isClosed = true
        deferIncomplete(id, file, order)
        scan.lookAgain(origin.folder, atSeconds: now)
        scan.lookAgain(folder, atSeconds: now + WatchPolicy.retrySeconds)
    }
}
