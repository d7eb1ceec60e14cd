import Recordings
import ReducerKit

// How one listed recording is handled.

extension JobStore.State {
    /// Decides what to do for a listed recording that has no open job.
    mutating func take(
        _ scanned: ScannedFile, in folder: inout Folder, _ visit: FolderVisit, _ order: Order
    ) {
        watch?.missingSince[visit.id]?[scanned.name] = nil
        var visit = visit
        // Of one that was left out so far, nothing was counted or announced.
        if scan.folders[visit.id].leftOut.contains(scanned.name) { visit.isFirst = true }
        let stamp: FileStamp
        switch scanned.finding {
        case .file(let found): stamp = found
        case .failure(let failure):
            settle(scanned, as: failure, in: &folder, visit, order)
            return
        }
        let staleness = Staleness(
            stamp: stamp, previous: scanned.previous, names: folder.context.value.names,
            policy: rebuildPolicy(for: scanned.name, visit))
        guard case .stale(let stages, let reasons) = staleness else {
            if let previous = scanned.previous { keep(previous, in: &folder, visit, order) }
            return
        }
        if let previous = scanned.previous, isOldFailure(previous, stamp, visit) {
            return keep(previous, in: &folder, visit, order)
        }
        if visit.isFirst, let previous = scanned.previous { count(previous) }
        guard mayStart(scanned, stamp, in: &folder, visit, order) else { return }
        if configuration.explains {
            order(.announce(.explained(folder: folder.path, name: scanned.name, reasons)))
        } else if let previous = scanned.previous {
            tellOfSettings(previous, visit, order)
        }
        summary.recordings += 1
        if configuration.isDryRun {
            summary.planned += 1
            let told = stages.told(by: configuration.recipes[folder.path].value)
            order(.announce(.planned(folder: folder.path, name: scanned.name, told)))
        } else {
            enlist(scanned, stamp, stages, in: &folder, visit)
        }
    }

    /// Announces settings that differ from the earlier work's, whose outputs will be regenerated or
    /// deleted; each change once.
    private mutating func tellOfSettings(
        _ previous: PreviousWork, _ visit: FolderVisit, _ order: Order
    ) {
        let others = Staleness.otherSettings(previous, visit.policy).filter {
            !toldSettings.contains($0)
        }
        guard !others.isEmpty, !previous.entry.outputs.isEmpty else { return }
        toldSettings.formUnion(others)
        order(.announce(.settingsChanged(others)))
    }

    /// Adds a waiting job for a recording.
    private mutating func enlist(
        _ scanned: ScannedFile, _ stamp: FileStamp, _ stages: Stages, in folder: inout Folder,
        _ visit: FolderVisit
    ) {
        let recording = jobs.append(
            Job.State(
                folder: visit.id, name: scanned.name, stamp: stamp, phase: .waiting(stages),
                context: folder.context))
        folder.unsettled += 1
        jobs[recording].identity = scanned.identity
        jobs[recording].tolerance = tolerance(for: scanned.name, in: visit.id)
        if let previous = scanned.previous {
            folder.previous[recording] = previous
            jobs[recording].mayBeTimesOnly = Staleness.mayBeTimesOnly(
                stamp: stamp, previous: previous, names: folder.context.value.names,
                policy: rebuildPolicy(for: scanned.name, visit))
        }
        jobs[recording].isUntold = visit.isFirst && scanned.previous?.entry.status == .failed
    }

    /// A watch waits for recordings that may still be written, and takes them as they are at last.
    private func tolerance(for name: Pathname, in folder: FolderID) -> FaultTolerance {
        if configuration.isStrict { return .none }
        return watch == nil || watch?.incomplete[folder, name]?.isLast == true ? .all : .lasting
    }

    /// Settles a recording that is up to date, or failed before and would fail again.
    private mutating func keep(
        _ previous: PreviousWork, in folder: inout Folder, _ visit: FolderVisit, _ order: Order
    ) {
        var work = previous
        let isBack = previous.isGone
        if isBack {
            work.entry.status = previous.entry.failure == nil ? .done : .failed
            takeBack(previous, visit)
        }
        var decoding: Decoding?
        if case .same(let confirmed) = previous.check {
            work.entry.confirm(confirmed)
            decoding = confirmed
        }
        if isBack || decoding != nil {
            folder.note(.updated(work.entry.status, decoding), of: work.entry.name)
        }
        if watch != nil { folder.keep(work) }
        watch?.incomplete[visit.id, work.entry.name] = nil
        guard visit.isFirst || isBack else { return }
        summary.recordings += 1
        tell(of: work.entry, in: folder.path, upToDate: true, order)
    }

    /// Fails a recording that cannot even be examined.
    ///
    /// It need not be recorded at once: the next run finds the same failure as early.
    private mutating func settle(
        _ scanned: ScannedFile, as failure: RecordingFailure, in folder: inout Folder,
        _ visit: FolderVisit, _ order: Order
    ) {
        var failed = ManifestEntry(name: scanned.name, status: .failed, source: nil)
        failed.failure = failure
        watch?.incomplete[visit.id, scanned.name] = nil
        var entry = SettledEntry(failed)
        // Because it failed, all its earlier outputs are retained.
        entry.leftBehind = (scanned.previous?.entry.outputs ?? []).sorted()
        // Announced once: when a folder is listed again and again, it is no news.
        let isNews = watch == nil || scanned.previous?.entry != entry
        if isNews { folder.note(.failed(failure), of: scanned.name) }
        if watch != nil {
            folder.keep(PreviousWork(entry: entry, recipe: configuration.recipes[folder.path]))
        }
        guard isNews || visit.isFirst else { return }
        if let previous = scanned.previous { takeBack(previous, visit) }
        summary.recordings += 1
        tell(of: entry, Boxed(failed), in: folder.path, upToDate: false, order)
    }
}
