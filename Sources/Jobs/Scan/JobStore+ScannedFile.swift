import Recordings
import ReducerKit

// What becomes of one recording that a listing names.

extension JobStore.State {
    /// Decides what is to be done for a recording that nothing is being done for.
    mutating func take(
        _ sighting: ScannedFile, in folder: inout Folder, _ look: FolderVisit, _ order: Order
    ) {
        noteIsThere(sighting, look)
        let stamp: FileStamp
        switch sighting.finding {
        case .file(let found): stamp = found
        case .failure(let failure):
            settle(sighting, as: failure, in: &folder, look, order)
            return
        }
        let before = sighting.previous?.entry.value
        let staleness = Staleness(
            stamp: stamp, previous: sighting.previous, before,
            names: folder.setting.value.names, wishes: wishes(for: sighting.name, look))
        guard case .stale(let stages, let reasons) = staleness else {
            if let previous = sighting.previous, let before {
                keep(previous, before, in: &folder, look, order)
            }
            return
        }
        if let previous = sighting.previous, let before, isOldFailure(previous, stamp, look) {
            return keep(previous, before, in: &folder, look, order)
        }
        if look.isFirst, let previous = sighting.previous { count(previous) }
        guard mayStart(sighting, stamp, in: &folder, look, order) else { return }
        if configuration.explains {
            order(.announce(.explained(folder: folder.path, name: sighting.name, reasons)))
        } else if let previous = sighting.previous {
            tellOfSettings(previous, look, order)
        }
        summary.recordings += 1
        if configuration.isDryRun {
            summary.planned += 1
            let told = stages.told(by: configuration.recipe.value)
            order(.announce(.planned(folder: folder.path, name: sighting.name, told)))
        } else {
            enlist(sighting, stamp, stages, in: &folder, look)
        }
    }

    /// Tells that what there is was asked for otherwise, and is about to be made anew or to go;
    /// once of each way.
    private mutating func tellOfSettings(
        _ previous: PreviousWork, _ look: FolderVisit, _ order: Order
    ) {
        let others = Staleness.otherSettings(previous, look.wishes).filter {
            !toldSettings.contains($0)
        }
        guard !others.isEmpty, !previous.entry.value.outputs.isEmpty else { return }
        toldSettings.formUnion(others)
        order(.announce(.settingsChanged(others)))
    }

    /// Makes a waiting job of a recording.
    private mutating func enlist(
        _ sighting: ScannedFile, _ stamp: FileStamp, _ stages: Stages, in folder: inout Folder,
        _ look: FolderVisit
    ) {
        let recording = jobs.append(
            Job.State(
                folder: look.id, name: sighting.name, stamp: stamp, phase: .waiting(stages),
                setting: folder.setting))
        folder.unsettled += 1
        if let previous = sighting.previous { folder.previous[recording] = previous }
        jobs[recording].isUntold = look.isFirst && sighting.previous?.entry.status == .failed
        if let origin = watch?.incomplete.takeFound(look.id, sighting.name) {
            folder.origins[recording] = origin
        }
    }

    /// A recording that is up to date, or failed before and would again.
    /// - Parameter before: the earlier work's entry.
    private mutating func keep(
        _ previous: PreviousWork, _ before: ManifestEntry, in folder: inout Folder,
        _ look: FolderVisit,
        _ order: Order
    ) {
        var entry = previous.entry(in: configuration.recipe)
        // The folder's recipe is that of a run which did not come to it.
        if entry.recipe != previous.entry.recipe { folder.needsManifest = true }
        let isBack = before.status == .sourceMissing
        var value = before
        if isBack {
            value.status = before.failure == nil ? .done : .failed
            entry.value.status = value.status
            folder.needsManifest = true
            takeBack(previous, look)
        }
        folder.takeUpLeftovers(of: &entry)
        folder.keep(entry)
        release(watch?.incomplete.remove(look.id, entry.name), in: &folder)
        guard look.isFirst || isBack else { return }
        summary.recordings += 1
        tell(of: entry, value, in: folder.path, upToDate: true, order)
    }

    /// A recording that cannot even be looked at fails on the spot.
    ///
    /// The journal need not have it: the next run sees it as soon.
    private mutating func settle(
        _ sighting: ScannedFile, as failure: RecordingFailure, in folder: inout Folder,
        _ look: FolderVisit, _ order: Order
    ) {
        var failed = ManifestEntry(name: sighting.name, status: .failed, source: nil)
        failed.failure = failure
        release(watch?.incomplete.remove(look.id, sighting.name), in: &folder)
        // As it has failed, all that there was of it stays.
        let before = folder.leftovers(of: sighting.previous, under: sighting.name)
        let outcome = before.map { folder.outcome(of: Boxed(failed), instead: $0).entry }
        let entry = SettledEntry(outcome ?? Boxed(failed))
        // Told once: where a folder is looked at again and again, it is no news.
        let isNews = watch == nil || sighting.previous?.entry != entry
        if isNews { folder.settle(entry) } else { folder.keep(entry) }
        guard isNews || look.isFirst else { return }
        if let previous = sighting.previous { takeBack(previous, look) }
        summary.recordings += 1
        tell(of: entry, entry.value, in: folder.path, upToDate: false, order)
    }
}
