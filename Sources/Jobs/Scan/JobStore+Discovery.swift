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
        if let name = listing.setAside {
            order(.announce(.manifestSetAside(folder: scan.folders[id].path, name: name)))
        }
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
        let settled = listing.recordings.lazy.filter { [waiting] in
            waiting[id, $0.name]?.isMoving != true
        }
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
            !place.listsAll || stays($0, look, sought, holds: 0)
        }
        var folder = Folder(
            setting(
                for: listing, staying.map(\.entry.name),
                gone: staying, at: place.path))
        folder.needsManifest = listing.isRecovered
        for leftovers in listing.obsolete { folder.superfluous.replace(leftovers) }
        folder.loadedSeconds = pace.nowSeconds
        folder.entries.reserveCapacity(listing.recordings.count)
        // Of those that were here before, most are as they were.
        jobs.reserve(listing.recordings.lazy.filter { $0.previous == nil }.count)
        for sighting in listing.recordings {
            take(sighting, in: &folder, look, order)
        }
        if place.listsAll {
            lose(listing.unseen, in: &folder, look, order)
        } else {
            // What another disk hides is not lost. Beside what was named alone nothing counts.
            if place.only == nil, look.isFirst { for work in listing.unseen { count(work) } }
            folder.unlisted += listing.unseen
        }
        keep(folder, as: look.id)
        // A watch lets go of it when all who asked for it have their answer.
        if configuration.watch == nil { writeManifestIfSettled(look.id, order) }
    }

    /// Keeps in mind what is known of a folder's recordings, until `forget`.
    mutating func keep(_ folder: Folder, as id: FolderID) {
        folders.insert(folder, as: id)
        scan.folders[id].isKnown = true
    }

    /// Lets go of what is known of a folder's recordings: nobody is to be listing it who counts on
    /// that.
    mutating func forget(_ id: FolderID) -> Folder? {
        scan.folders[id].isKnown = false
        return folders.remove(id)
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
            gone.filter { !neighbours.contains($0.entry.name) }
                .flatMap { $0.entry.failure == nil ? $0.entry.value.made : $0.entry.value.outputs }
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

    /// Counts what has become of a recording, and tells of it.
    /// - Parameter value: the entry's.
    mutating func tell(
        of entry: SettledEntry, _ value: ManifestEntry, in folder: Pathname, upToDate: Bool,
        _ order: Order
    ) {
        // A watch has one number for all that have failed, as any may come right.
        let isOld = upToDate && (configuration.watch == nil || value.status != .failed)
        summary.count(value, upToDate: isOld)
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
