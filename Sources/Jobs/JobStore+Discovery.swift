import Recordings
import ReducerKit

extension JobStore.State {
    typealias Order = (JobStore.Command) -> Void

    /// What holds for all recordings of a listing.
    struct Look {
        var id: FolderID
        var wishes: Staleness.Wishes
        /// Whether the folder was never looked at before in this run.
        var isFirst: Bool
        /// When it was looked at, by the clock that stamps files.
        var atNanoseconds: Int64
        /// What was told of the folder since the last look.
        var heard: WatchState.Hearsay
    }

    /// Turns a listing into jobs; what is up to date or cannot even be opened settles at once.
    mutating func take(_ listing: FolderListing, of id: FolderID, _ order: Order) {
        guard case .running = phase else { return }
        guard !scan.folders[id].isAway else {
            // Of what lies in it nobody needs to hear.
            let isPart = listing.isGone && scan.folders[id].path != scan.folders[id].top
            if isPart { return }
            return fail(id, RecordingFailure(stage: .scan, reason: .emptied), order)
        }
        if failedFolders.remove(id) != nil { summary.foldersFailed -= 1 }
        if folders.contains(id), folders[id].isRemoving {
            // Whoever is found now might be given a name that is about to go.
            folders[id].isOutdated = true
            scan.watch?.keepHeard(for: id)
            return
        }
        let look = Look(
            id: id, wishes: configuration.wishes, isFirst: scan.isFirstLook(at: id),
            atNanoseconds: listing.lookedAtNanoseconds,
            heard: scan.watch?.heard ?? WatchState.Hearsay())
        // Told once: what is refused for one folder is refused for the next.
        if let outcome = listing.watch, outcome != .watched,
            scan.watch?.refusals.insert(outcome).inserted == true
        {
            order(.announce(.polled(folder: scan.folders[id].path, outcome)))
        }
        if let folder = folders.remove(id) {
            merge(listing, into: folder, look, order)
        } else {
            begin(listing, look, order)
        }
        guard configuration.watch != nil else { return }
        let settled = listing.recordings.filter { waiting[id, $0.name]?.isMoving != true }
        whereabouts.note(settled, in: id, nowSeconds: pace.nowSeconds)
        answerSeekers(in: id, order)
        dismissGuests(notIn: listing, of: id)
        if folders.contains(id) {
            tend(id, order)
        } else if listing.isGone, listing.lostFolders.isEmpty, listing.unseen.isEmpty {
            retire(id)
        }
    }

    /// A folder of which nothing is known but what the listing tells.
    private mutating func begin(_ listing: FolderListing, _ look: Look, _ order: Order) {
        let isEmpty = listing.recordings.isEmpty && listing.unseen.isEmpty
        guard !isEmpty || listing.isRecovered else { return }
        let place = scan.folders[look.id]
        // What goes leaves its names to others at once, as no later run would give them otherwise.
        let sought = sought(in: look.id)
        let staying = listing.unseen.filter {
            place.only != nil || stays($0, look, sought, holds: 0)
        }
        var folder = Folder(
            setting(
                for: listing, staying.map(\.entry.value.name),
                gone: staying, at: place.path))
        folder.obsolete = listing.obsolete
        folder.needsManifest = listing.isRecovered
        folder.loadedSeconds = pace.nowSeconds
        jobs.reserve(listing.recordings.count)
        for sighting in listing.recordings {
            take(sighting, in: &folder, look, order)
        }
        if place.only == nil {
            lose(listing.unseen, in: &folder, look, order)
        } else {
            folder.unlisted += listing.unseen
        }
        folders.insert(folder, as: look.id)
        // A watch lets go of it when all who asked for it have their answer.
        if configuration.watch == nil { writeManifestIfSettled(look.id, order) }
    }

    /// What all recordings of a folder have in common; those that are not looked at, or are gone,
    /// keep their names.
    /// - Parameter gone: of those that are not there, what was made is the last that there is of
    ///   them.
    func setting(
        for listing: FolderListing, _ absent: [Pathname], gone: [PreviousWork], at path: Pathname
    ) -> Boxed<Job.Setting> {
        let recipe = configuration.recipe.value
        let sources = listing.recordings.map(\.name) + absent
        let neighbours = gone.isEmpty ? [] : Set(listing.neighbours)
        let held = Set(
            gone.filter { !neighbours.contains($0.entry.value.name) }
                .flatMap(\.entry.value.outputs)
        ).subtracting(absent)
        let names = OutputNames(
            sources: absent.isEmpty ? sources : sources.sorted(),
            others: listing.subfolders + listing.lostFolders + listing.neighbours, held: held,
            recipe: recipe.waveform)
        return Boxed(
            Job.Setting(
                folder: path, recipe: recipe, names: names,
                isPatient: configuration.watch != nil))
    }

    /// Decides what is to be done for a recording that nothing is being done for.
    mutating func take(
        _ sighting: Sighting, in folder: inout Folder, _ look: Look, _ order: Order
    ) {
        let stamp: FileStamp
        switch sighting.finding {
        case .file(let found): stamp = found
        case .failure(let failure):
            settle(sighting, as: failure, in: &folder, look, order)
            return
        }
        if let previous = sighting.previous {
            vanished.forget(previous.entry.value, in: look.id)
        }
        let staleness = Staleness(
            stamp: stamp, previous: sighting.previous, names: folder.setting.value.names,
            wishes: wishes(for: sighting.name, look))
        guard case .stale(let stages, let reasons) = staleness else {
            if let previous = sighting.previous { keep(previous, in: &folder, look, order) }
            return
        }
        if let previous = sighting.previous, isOldFailure(previous, stamp, look) {
            return folder.entries.append(previous.entry(in: configuration.recipe))
        }
        guard mayStart(sighting, stamp, in: &folder, look, order) else { return }
        if configuration.explains {
            order(.announce(.explained(folder: folder.path, name: sighting.name, reasons)))
        }
        summary.recordings += 1
        if configuration.isDryRun {
            summary.planned += 1
            let told = stages.told(by: configuration.recipe.value)
            order(.announce(.planned(folder: folder.path, name: sighting.name, told)))
            return
        }
        let recording = jobs.append(
            Job.State(
                folder: look.id, name: sighting.name, stamp: stamp, phase: .waiting(stages),
                setting: folder.setting))
        folder.unsettled += 1
        if let previous = sighting.previous { folder.previous[recording] = previous }
        if configuration.watch != nil {
            folder.origins[recording] = waiting.takeFound(look.id, sighting.name)
        }
    }

    /// Whether a recording failed through no fault of its own, and nothing was told of it since: it
    /// is not tried again whenever something else happens in its folder.
    private func isOldFailure(
        _ previous: PreviousWork, _ stamp: FileStamp, _ look: Look
    ) -> Bool {
        guard let watch = configuration.watch, watch.pollSeconds == nil, !look.isFirst,
            !scan.folders[look.id].isPolled, let failure = previous.entry.value.failure
        else { return false }
        let name = previous.entry.value.name
        return !failure.liesInRecording && previous.entry.value.source == stamp
            && !look.heard.written.contains(name) && !look.heard.touched.contains(name)
            && waiting[look.id, name] == nil
    }

    /// What was asked for; what is to be done again is done again once, however often a folder is
    /// looked at.
    private func wishes(for name: Pathname, _ look: Look) -> Staleness.Wishes {
        guard configuration.watch != nil, !look.isFirst, waiting[look.id, name] == nil else {
            return look.wishes
        }
        var wishes = look.wishes
        wishes.redoesAll = false
        wishes.retriesFailed = false
        return wishes
    }

    /// A recording that is up to date, or failed before and would again.
    private mutating func keep(
        _ previous: PreviousWork, in folder: inout Folder, _ look: Look, _ order: Order
    ) {
        var entry = previous.entry(in: configuration.recipe)
        // The folder's recipe is that of a run which did not come to it.
        if entry.value.recipe != previous.entry.value.recipe { folder.needsManifest = true }
        let isBack = entry.value.status == .sourceMissing
        if isBack {
            entry.value.status = entry.value.failure == nil ? .done : .failed
            folder.needsManifest = true
            departures[look.id, entry.value.name] = nil
            if !look.isFirst { summary.missing -= 1 }
        }
        folder.entries.append(entry)
        dismiss(previous.entry.value.name, look, in: &folder)
        guard look.isFirst || isBack else { return }
        summary.recordings += 1
        tell(of: entry, in: folder.path, upToDate: true, order)
    }

    /// A recording that cannot even be looked at fails on the spot.
    ///
    /// The journal need not have it: the next run sees it as soon.
    private mutating func settle(
        _ sighting: Sighting, as failure: RecordingFailure, in folder: inout Folder,
        _ look: Look, _ order: Order
    ) {
        var failed = ManifestEntry(name: sighting.name, status: .failed, source: nil)
        failed.failure = failure
        dismiss(sighting.name, look, in: &folder)
        let (entry, obsolete) = folder.outcome(of: Boxed(failed), instead: sighting.previous)
        // Told once: where a folder is looked at again and again, it is no news.
        let isNews = configuration.watch == nil || sighting.previous?.entry.value != entry.value
        guard isNews else { return folder.entries.append(entry) }
        folder.settle(entry, obsolete: obsolete)
        summary.recordings += 1
        tell(of: entry, in: folder.path, upToDate: false, order)
    }

    mutating func tell(
        of entry: Boxed<ManifestEntry>, in folder: Pathname, upToDate: Bool, _ order: Order
    ) {
        summary.count(entry, upToDate: upToDate)
        order(.announce(.settled(folder: folder, entry, upToDate: upToDate)))
    }

    /// A folder that cannot be read is told of; the rest goes on.
    mutating func fail(_ id: FolderID, _ failure: RecordingFailure, _ order: Order) {
        guard case .running = phase, failedFolders.insert(id).inserted else { return }
        summary.foldersFailed += 1
        order(.announce(.folderFailed(scan.folders[id].path, failure)))
    }
}

extension FolderScan.State {
    /// Whether the listing that was just taken is the folder's first.
    func isFirstLook(at id: FolderID) -> Bool { watch == nil || folders[id].looks == 1 }
}

extension JobStore.Configuration {
    var wishes: Staleness.Wishes {
        var wishes = Staleness.Wishes(recipe: recipe)
        wishes.redoesAll = redoesAll
        wishes.retriesFailed = retriesFailed
        wishes.wantsChecksums = wantsChecksums
        wishes.wantsReasons = explains
        return wishes
    }
}
