import Recordings
import ReducerKit

extension JobStore.State {
    typealias Order = (JobStore.Command) -> Void

    /// What holds for all recordings of a listing.
    struct FolderVisit {
        var id: FolderID
        var policy: Staleness.RebuildPolicy
        /// Whether the folder was never looked at before in this run.
        var isFirst: Bool
        /// When it was looked at, by the clock that stamps files.
        var atNanoseconds: Int64
        /// What was told of the folder since the last look.
        var events: PendingEvents
    }

    /// Turns a listing into jobs; what is up to date or cannot even be opened settles at once.
    mutating func take(
        _ listing: FolderListing, of id: FolderID, _ events: PendingEvents, _ order: Order
    ) {
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
        guard willTake(listing, of: id, events, order) else { return }
        let visit = FolderVisit(
            id: id, policy: configuration.rebuildPolicy, isFirst: scan.folders[id].looks < 2,
            atNanoseconds: listing.lookedAtNanoseconds, events: events)
        if let folder = folders.remove(id) {
            merge(listing, into: folder, visit, order)
        } else {
            begin(listing, visit, order)
        }
        didTake(listing, of: id, order)
        if folders.contains(id) { writeManifestIfSettled(id, order) }
    }

    /// A folder of which nothing is known but what the listing tells.
    private mutating func begin(_ listing: FolderListing, _ visit: FolderVisit, _ order: Order) {
        let isEmpty = listing.recordings.isEmpty && listing.unseen.isEmpty
        guard !isEmpty || listing.isRecovered else { return }
        // What goes leaves its names to others at once, as no later run would give them otherwise.
        let candidates = renameCandidates(from: visit.id)
        let staying = listing.unseen.filter { stays($0, visit, candidates, holds: 0) }
        var folder = Folder(
            context(
                for: listing, staying.map(\.entry.name),
                gone: staying, at: scan.folders[visit.id].path))
        folder.needsManifest = listing.isRecovered
        for leftovers in listing.obsolete { folder.superfluous.replace(leftovers) }
        folder.loadedSeconds = pace.nowSeconds
        folder.entries.reserveCapacity(listing.recordings.count)
        // Of those that were here before, most are as they were.
        for scanned in listing.recordings {
            take(scanned, in: &folder, visit, order)
        }
        markMissing(listing.unseen, in: &folder, visit, order)
        keep(folder, as: visit.id)
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
    func context(
        for listing: FolderListing, _ absent: [Pathname], gone: [PreviousWork], at path: Pathname
    ) -> Boxed<Job.FolderContext> {
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
            Job.FolderContext(
                folder: path, recipe: recipe, names: names,
                isPatient: watch != nil))
    }

    /// Counts what has become of a recording, and tells of it.
    /// - Parameter value: the entry's.
    mutating func tell(
        of entry: SettledEntry, _ value: ManifestEntry, in folder: Pathname, upToDate: Bool,
        _ order: Order
    ) {
        summary.count(value, upToDate: upToDate && !countsAnew(value))
        order(.announce(.settled(folder: folder, entry, upToDate: upToDate)))
    }

    /// A folder that cannot be read is told of; the rest goes on.
    mutating func fail(_ id: FolderID, _ failure: RecordingFailure, _ order: Order) {
        guard case .running = phase, failedFolders.insert(id).inserted else { return }
        summary.foldersFailed += 1
        order(.announce(.folderFailed(scan.folders[id].path, failure)))
    }
}

extension JobStore.Configuration {
    var rebuildPolicy: Staleness.RebuildPolicy {
        var policy = Staleness.RebuildPolicy(recipe: recipe)
        policy.redoesAll = redoesAll
        policy.retriesFailed = retriesFailed
        policy.wantsChecksums = wantsChecksums
        policy.wantsReasons = explains
        return policy
    }
}
