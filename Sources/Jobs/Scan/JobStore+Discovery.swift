import Recordings
import ReducerKit

extension JobStore.State {
    typealias Order = (JobStore.Command) -> Void

    /// What holds for all recordings of a listing.
    struct FolderVisit {
        var id: FolderID
        var policy: Staleness.RebuildPolicy
        /// Whether this is the folder's first listing in this run.
        var isFirst: Bool
        /// Time of the listing, by the clock that stamps files.
        var atNanoseconds: Int64
        /// Events reported for the folder since the last listing.
        var events: PendingEvents
        /// Recordings that filters leave out.
        var leftOut: Set<Pathname>
        /// Whether filters leave out all of them.
        var leavesOutAll: Bool

        /// Whether filters leave out a recording, which then is neither processed nor gone.
        func leavesOut(_ name: Pathname) -> Bool { leavesOutAll || leftOut.contains(name) }
    }

    /// Turns a listing into jobs; up-to-date and unreadable recordings settle at once.
    mutating func take(
        _ listing: FolderListing, of id: FolderID, _ events: PendingEvents, _ order: Order
    ) {
        guard case .running = phase else { return }
        if let name = listing.setAside {
            order(.announce(.manifestSetAside(folder: scan.folders[id].path, name: name)))
        }
        guard !scan.folders[id].isAway else {
            // The failure of the top folder is announced; one for each subfolder would be noise.
            let isPart = listing.isGone && scan.folders[id].path != scan.folders[id].top
            if isPart { return }
            return fail(id, RecordingFailure(stage: .scan, reason: .emptied), order)
        }
        if failedFolders.remove(id) != nil { summary.foldersFailed -= 1 }
        guard willTake(listing, of: id, events, order) else { return }
        let visit = FolderVisit(
            id: id, policy: configuration.rebuildPolicy(in: scan.folders[id].path),
            isFirst: scan.folders[id].looks < 2,
            atNanoseconds: listing.lookedAtNanoseconds, events: events,
            leftOut: Set(listing.leftOut), leavesOutAll: listing.isLeftOut)
        if visit.isFirst {
            summary.videos += listing.videos
            summary.unsupported += listing.unsupported
            summary.leftOut += listing.leftOut.count
        }
        let listing = withMoves(listing, of: id)
        if let folder = folders.remove(id) {
            merge(listing, into: folder, visit, order)
        } else {
            begin(listing, visit, order)
        }
        didTake(listing, of: id, order)
        if folders.contains(id) { writeManifestIfSettled(id, order) }
    }

    /// A listing that knows what has moved since it read the record.
    private mutating func withMoves(_ listing: FolderListing, of id: FolderID) -> FolderListing {
        guard let moved = movedAway.removeValue(forKey: scan.folders[id].path) else {
            return listing
        }
        var listing = listing
        for index in listing.unseen.indices {
            let entry = listing.unseen[index].entry
            let source = moved[entry.name]
            if source != nil, source == entry.source { listing.unseen[index].isElsewhere = true }
        }
        return listing
    }

    /// Adds a folder of which only this listing is known.
    private mutating func begin(_ listing: FolderListing, _ visit: FolderVisit, _ order: Order) {
        let isEmpty = listing.recordings.isEmpty && listing.unseen.isEmpty
        guard !isEmpty || listing.isRecovered else { return }
        // Outputs to be deleted release their names at once: no later run would do it.
        let staying = listing.unseen.filter { stays($0, visit) }
        var folder = Folder(
            context(
                for: listing, staying.map(\.entry.name),
                gone: staying, at: scan.folders[visit.id].path))
        // The manifest's recipe may be that of a run that did not reach all recordings.
        folder.needsManifest =
            listing.isRecovered
            || listing.recipe.map { $0 != configuration.recipes[folder.path] } ?? false
        folder.loadedSeconds = pace.nowSeconds
        // Most recordings that were here before are unchanged.
        for scanned in listing.recordings {
            take(scanned, in: &folder, visit, order)
        }
        markMissing(
            listing.unseen, staying: Set(staying.map(\.entry.name)), in: &folder, listing, visit,
            order)
        keep(folder, as: visit.id)
    }

    /// Retains a folder's results in memory, until `forget`.
    mutating func keep(_ folder: Folder, as id: FolderID) {
        folders.insert(folder, as: id)
        scan.folders[id].isKnown = true
    }

    /// Releases a folder's results from memory; no listing that relies on them may be in flight.
    mutating func forget(_ id: FolderID) -> Folder? {
        scan.folders[id].isKnown = false
        return folders.remove(id)
    }

    /// What all recordings of a folder share; those that are not listed, left out or gone retain
    /// their names.
    /// - Parameter gone: recordings whose outputs stay as they are, as they are gone or left out.
    func context(
        for listing: FolderListing, _ absent: [Pathname], gone: [PreviousWork], at path: Pathname
    ) -> Boxed<Job.FolderContext> {
        let recipe = configuration.recipes[path].value
        var sources = listing.recordings.map(\.name) + absent
        if !listing.leftOut.isEmpty { sources = Array(Set(sources + listing.leftOut)) }
        if !absent.isEmpty || !listing.leftOut.isEmpty { sources.sort() }
        let neighbours = gone.isEmpty ? [] : Set(listing.neighbours)
        let absent = Set(absent)
        var held: [Pathname: Pathname] = [:]
        for work in gone where !neighbours.contains(work.entry.name) {
            let entry = work.entry
            for name in entry.failure == nil ? entry.made : entry.outputs
            where !absent.contains(name) {
                held[name] = entry.name
            }
        }
        let names = OutputNames(
            sources: sources,
            others: listing.subfolders + listing.lostFolders + listing.neighbours, held: held,
            recipe: recipe.waveform)
        return Boxed(
            Job.FolderContext(
                folder: path, recipe: recipe, names: names,
                isPatient: watch != nil))
    }

    /// Counts a recording's outcome and announces it.
    /// - Parameter whole: its entry, if that is not recorded already.
    mutating func tell(
        of entry: SettledEntry, _ whole: Boxed<ManifestEntry>? = nil, in folder: Pathname,
        upToDate: Bool, _ order: Order
    ) {
        summary.count(entry, upToDate: upToDate && !countsAnew(entry))
        order(.announce(.settled(folder: folder, entry, whole, upToDate: upToDate)))
    }

    /// Announces a folder that cannot be read; the run continues.
    mutating func fail(_ id: FolderID, _ failure: RecordingFailure, _ order: Order) {
        guard case .running = phase, failedFolders.insert(id).inserted else { return }
        // What is recorded in it from now on would be lost with it.
        if failure.reason == .damagedRecord { return stop(.trouble(failure), order) }
        summary.foldersFailed += 1
        order(.announce(.folderFailed(scan.folders[id].path, failure)))
    }
}

extension JobStore.Configuration {
    func rebuildPolicy(in folder: Pathname) -> Staleness.RebuildPolicy {
        var policy = Staleness.RebuildPolicy(recipe: recipes[folder])
        policy.redoesAll = redoesAll
        policy.retriesFailed = retriesFailed
        policy.isStrict = isStrict
        policy.wantsChecksums = wantsChecksums
        policy.wantsReasons = explains
        return policy
    }
}
