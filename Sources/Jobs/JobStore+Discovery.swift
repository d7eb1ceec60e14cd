import Recordings
import ReducerKit

extension JobStore.State {
    typealias Order = (JobStore.Command) -> Void

    /// Turns a listing into jobs; what is up to date or cannot even be opened settles at once.
    mutating func take(_ listing: FolderListing, of id: FolderID, _ order: Order) {
        guard case .running = phase, !folders.contains(id) else { return }
        let isEmpty = listing.recordings.isEmpty && listing.unseen.isEmpty
        guard !isEmpty || listing.isRecovered else { return }
        let request = scan.folders[Int(id.index)]
        // Recordings that are not looked at keep their names all the same.
        let unlisted = request.only == nil ? [] : listing.unseen
        let sources = listing.recordings.map(\.name) + unlisted.map(\.entry.value.name)
        let recipe = configuration.recipe.value
        let names = OutputNames(
            sources: unlisted.isEmpty ? sources : sources.sorted(),
            others: listing.subfolders + listing.neighbours, recipe: recipe.waveform)
        var folder = Folder(
            Boxed(Job.Setting(folder: request.path, recipe: recipe, names: names)))
        folder.unlisted = unlisted
        folder.obsolete = listing.obsolete
        folder.needsManifest = listing.isRecovered
        // Where the whole folder was looked at, these sources are gone.
        if request.only == nil, !listing.unseen.isEmpty { folder.needsManifest = true }
        summary.recordings += listing.recordings.count
        jobs.reserve(listing.recordings.count)
        let wishes = configuration.wishes
        for sighting in listing.recordings {
            take(sighting, in: &folder, id, wishes, order)
        }
        folders.insert(folder, as: id)
        writeManifestIfSettled(id, order)
    }

    private mutating func take(
        _ sighting: Sighting, in folder: inout Folder, _ id: FolderID,
        _ wishes: Staleness.Wishes, _ order: Order
    ) {
        let stamp: FileStamp
        switch sighting.finding {
        case .file(let found): stamp = found
        case .failure(let failure):
            settle(sighting, as: failure, in: &folder, order)
            return
        }
        let staleness = Staleness(
            stamp: stamp, previous: sighting.previous, names: folder.setting.value.names,
            wishes: wishes)
        guard case .stale(let stages, let reasons) = staleness else {
            guard let previous = sighting.previous else { return }
            let entry = previous.entry(in: configuration.recipe)
            // The folder's recipe is that of a run which did not come to it.
            if entry.value.recipe != previous.entry.value.recipe { folder.needsManifest = true }
            folder.entries.append(entry)
            tell(of: entry, in: folder.path, upToDate: true, order)
            return
        }
        if configuration.explains {
            order(.announce(.explained(folder: folder.path, name: sighting.name, reasons)))
        }
        if configuration.isDryRun {
            summary.planned += 1
            order(.announce(.planned(folder: folder.path, name: sighting.name, stages)))
            return
        }
        let recording = jobs.append(
            Job.State(
                folder: id, name: sighting.name, stamp: stamp, phase: .waiting(stages),
                setting: folder.setting))
        folder.unsettled += 1
        if let previous = sighting.previous { folder.previous[recording] = previous }
    }

    /// A recording that cannot even be looked at fails on the spot.
    ///
    /// The journal need not have it: the next run sees it as soon.
    private mutating func settle(
        _ sighting: Sighting, as failure: RecordingFailure, in folder: inout Folder,
        _ order: Order
    ) {
        var failed = ManifestEntry(name: sighting.name, status: .failed, source: nil)
        failed.failure = failure
        let (entry, obsolete) = folder.outcome(of: Boxed(failed), instead: sighting.previous)
        folder.settle(entry, obsolete: obsolete)
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
        order(.announce(.folderFailed(scan.folders[Int(id.index)].path, failure)))
    }
}

extension JobStore.Configuration {
    fileprivate var wishes: Staleness.Wishes {
        var wishes = Staleness.Wishes(recipe: recipe)
        wishes.redoesAll = redoesAll
        wishes.retriesFailed = retriesFailed
        wishes.wantsChecksums = wantsChecksums
        wishes.wantsReasons = explains
        return wishes
    }
}
