import Jobs
import Recordings

// Listing a folder of the simulated tree, as `FolderScanner` does it, by the rules of
// `EarlierResults`.

extension SimulatedWorld {
    mutating func list(
        _ id: FolderID, _ request: FolderScan.Request
    ) throws(SimulatedCrash) -> FolderScan.Action {
        let folder = request.path
        let facts = recovered.filter { $0.folder == folder }
        guard let awaited = try recover(facts, in: folder) else {
            return .failed(id, Example.failure(.inputOutput, in: .scan))
        }
        if goesWrong() {
            happened(.listingFailed)
            return .failed(id, Example.failure(.permissionDenied, in: .scan))
        }
        let disk = disk
        func stamp(_ name: Pathname) -> FileStamp? {
            disk.file(awaited[name] ?? name, in: folder)?.stamp
        }
        var earlier = EarlierWork(manifest: disk.manifest(in: folder), facts: facts)
        var listing = FolderListing(
            isRecovered: !facts.isEmpty, obsolete: EarlierResults.superfluous(in: facts))
        let only = request.only.map(Set.init)
        let named = Set(request.also).union(only ?? [])
        let found = Set((sources.recordings[folder] ?? [:]).keys).union(named)
        for name in found.sorted() {
            let isNamed = named.contains(name)
            guard isNamed || name.isRecordingName || earlier.knows(name) else { continue }
            if isNamed || only == nil {
                listing.recordings.append(
                    sighting(of: name, in: folder, earlier.take(name, stamp: stamp)))
            } else {
                listing.neighbours.append(name)
            }
        }
        let subfolders = sources.subfolders[folder] ?? []
        if only == nil {
            listing.subfolders = subfolders
        } else {
            listing.neighbours = (listing.neighbours + subfolders).sorted()
        }
        listing.unseen = earlier.rest(stamp: stamp)
        return .listed(id, listing)
    }

    private mutating func sighting(
        of name: Pathname, in folder: Pathname, _ previous: PreviousWork?
    ) -> Sighting {
        if goesWrong() {
            happened(.unreadable)
            let failure = Example.failure(.permissionDenied, in: .scan)
            return Sighting(name: name, finding: .failure(failure), previous: previous)
        }
        guard let source = sources[folder, name] else {
            let failure = Example.failure(.vanished, in: .scan)
            return Sighting(name: name, finding: .failure(failure), previous: previous)
        }
        return Sighting(name: name, finding: .file(source.stamp), previous: previous)
    }

    /// - Returns: for those that a dry run leaves where they are, where that is; `nil` where one
    ///   could not be moved.
    private mutating func recover(
        _ facts: [JournalFact], in folder: Pathname
    ) throws(SimulatedCrash) -> [Pathname: Pathname]? {
        let moves =
            mutant == .trustingTemporaryNames
            ? facts.flatMap(\.staged) : disk.unfinishedMoves(of: facts, in: folder)
        if plan.configuration.isDryRun {
            return Dictionary(moves.map { ($0.name, $0.temporary) }, uniquingKeysWith: { $1 })
        }
        let left = disk.names(in: folder).filter(SimulatedWorld.isTemporary)
        guard !left.isEmpty else { return [:] }
        if goesWrong() { return nil }
        if mutant != .recoveringWithoutSync { try disk.sync() }
        for file in moves {
            if plan.faultPercent > 0, random.chance(percent: 10) {
                happened(.moveFailed)
                return nil
            }
            try disk.rename(file.temporary, to: file.name, in: folder)
            happened(.rolledForward)
        }
        for name in left where !goesWrong() { try disk.remove(name, in: folder) }
        return [:]
    }
}

extension SimulatedDisk {
    /// What the next run would move to its place.
    func unfinishedMoves(of facts: [JournalFact], in folder: Pathname) -> [StagedFile] {
        EarlierResults.unfinishedMoves(
            in: facts, stamp: { (name) throws(Never) in file(name, in: folder)?.stamp },
            digest: { (name) throws(Never) in digest(of: name, in: folder) })
    }
}
