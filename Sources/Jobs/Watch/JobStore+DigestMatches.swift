import Recordings
import ReducerKit

// Missing recordings that may turn up in another place: recognised by the SHA-256 of their content
// (`MissingByDigest`), or waited for before `--prune` removes what was made of them.

extension JobStore.State {
    /// Whether recordings are known again by their digests.
    var knowsByBytes: Bool { watch != nil && configuration.wantsChecksums }

    /// Files that may be what was in a folder.
    struct RenameCandidates {
        /// By the name that they would have had there.
        var files: [Pathname: [PendingFile]] = [:]
        /// Lengths of what is new and may be known by its bytes.
        var lengths: Set<Int64> = []

        func mayInclude(_ work: PreviousWork) -> Bool {
            if files[work.entry.name] != nil { return true }
            guard work.entry.value.sourceSHA256 != nil, let source = work.entry.value.source else {
                return false
            }
            return lengths.contains(source.bytes)
        }

        /// Whether one of them will hear that it was this.
        ///
        /// Not where it was changed as well: then one has gone, and another has come.
        func include(_ entry: ManifestEntry) -> Bool {
            files[entry.name]?.contains { $0.was(entry) } ?? false
        }
    }

    /// What may have been in this folder.
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

    /// Whether a recording that is gone, and what was made of it is to go too, is waited for, as it
    /// may turn up in another place.
    func mayReturn(
        _ work: PreviousWork, _ visit: FolderVisit, _ candidates: RenameCandidates, holds: Int
    ) -> Bool {
        guard let since = watch?.missingSince else { return false }
        guard work.entry.status == .sourceMissing, holds == 0, !candidates.mayInclude(work)
        else { return true }
        if knowsByBytes, !scan.isThrough { return true }
        // One that was gone before is waited for only where what is new may be it all the same.
        let isOld = visit.isFirst && !knowsByBytes
        let wentSeconds =
            since[visit.id]?[work.entry.name] ?? (isOld ? -.infinity : pace.nowSeconds)
        return pace.nowSeconds - wentSeconds < WatchPolicy.retrySeconds
    }

    /// Waits for a recording that is gone.
    mutating func awaitReturn(of entry: ManifestEntry, _ visit: FolderVisit) {
        if knowsByBytes { watch?.missing.note(entry, in: visit.id) }
        guard watch != nil, configuration.prunesMissing else { return }
        let now = pace.nowSeconds
        if watch?.missingSince[visit.id]?[entry.name] == nil {
            watch?.missingSince[visit.id, default: [:]][entry.name] = now
        }
        scan.lookAgain(visit.id, atSeconds: now + WatchPolicy.retrySeconds)
    }

    /// Takes in that a listing names a recording.
    mutating func noteIsThere(_ scanned: ScannedFile, _ visit: FolderVisit) {
        guard watch != nil else { return }
        watch?.missingSince[visit.id]?[scanned.name] = nil
        if knowsByBytes, case .file = scanned.finding, let previous = scanned.previous {
            watch?.missing.forget(previous.entry.value, in: visit.id)
        }
    }

    /// Forgets that a recording is gone, of which nothing is left.
    mutating func noteIsForgotten(_ work: PreviousWork, _ visit: FolderVisit) {
        takeBack(work, visit)
        watch?.missing.forget(work.entry.value, in: visit.id)
    }

    /// Whether a recording that nobody has begun to work on may be one that is gone.
    func mayBeKnown(_ id: RecordingID) -> Bool {
        guard knowsByBytes, jobs[id].attempts == 0 else { return false }
        switch jobs[id].phase {
        case .waiting, .identifying: break
        case .listening, .trimming, .adopting, .ended, .committing, .settled: return false
        }
        let folder = jobs[id].folder
        return folders.contains(folder) && folders[folder].previous[id] == nil
            && watch?.incomplete[folder, jobs[id].name]?.digest == nil
            && watch?.missing.mayHold(bytes: jobs[id].stamp.bytes) == true
    }

    /// A recording whose bytes are known by now: where they were those of one that is gone, that
    /// one's folder is asked; otherwise it is worked on.
    mutating func takeIdentified(
        _ id: RecordingID, _ digest: String, _ stages: Stages, _ order: Order
    ) {
        guard case .running = phase else {
            jobs[id].phase = .settled
            return
        }
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
