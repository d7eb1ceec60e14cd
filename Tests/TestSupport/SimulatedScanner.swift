import Jobs
import Recordings
import ReducerKit

// Listing a folder of the simulated tree, as `FolderScanner` does it.

extension SimulatedWorld {
    mutating func list(
        _ id: FolderID, _ request: FolderScan.Request
    ) throws(SimulatedCrash) -> FolderScan.Action {
        let folder = request.path
        let outcome = watch(request)
        if goesWrong() || !(sources.holds(folder) || request.top != nil) {
            happened(.listingFailed)
            return .failed(id, Example.failure(.permissionDenied, in: .scan))
        }
        var recorded = record.folders[folder] ?? SimulatedRecord.Folder()
        guard let awaited = request.isFirst ? try recover(recorded, in: folder) : [:] else {
            return .failed(id, Example.failure(.inputOutput, in: .scan))
        }
        let disk = disk
        func stamp(_ name: Pathname) -> FileStamp? {
            disk.file(awaited[name] ?? name, in: folder)?.stamp
        }
        if request.isKnown {
            happened(.workNotTold)
            let there = Set(sources.names(in: folder).filter(\.isRecordingName))
            for name in there { recorded.entries[name] = nil }
        }
        var earlier = EarlierWork(recorded.works)
        let isKnown = record.folders[folder] != nil
        let isPrinted =
            recorded.printed != nil && recorded.printed == disk.manifest(in: folder)
        let hasObsolete = recorded.files.contains { $0.state == .obsolete } || recorded.hasOrphans
        var listing = FolderListing(
            isRecovered: request.isFirst && isKnown && (!isPrinted || hasObsolete))
        listing.recipe = recorded.recipe.map { Boxed($0) }
        if sources.holds(folder) {
            survey(request, &listing, &earlier, stamp)
        } else {
            happened(.folderGone)
            listing.isGone = true
        }
        listing.unseen = earlier.rest(stamp: stamp)
        record.addIdentities(to: &listing.unseen, in: folder)
        if let top = request.top {
            listing.lostFolders = lostFolders(of: request, beside: listing.subfolders)
            if listing.isGone || top == folder { listing.volume = sources.volume(of: top) }
        }
        listing.watch = outcome
        listing.lookedAtNanoseconds = Int64(seconds * 1e9)
        listing.fingerprint = fingerprint(of: listing)
        return request.known == listing.fingerprint ? .unchanged(id) : .listed(id, listing)
    }

    /// Has the system tell of changes in a folder, where that is wanted.
    private mutating func watch(_ request: FolderScan.Request) -> WatchOutcome? {
        guard request.watches, sources.holds(request.path) else { return nil }
        // The place of a disk that is not there is a folder of its own.
        let own = sources.mount == .there ? sources.folderIdentities[request.path] : 0
        guard let identity = own else { return nil }
        if plan.watching.refuses, identity % 3 == 0 {
            notices.forget(request.path)
            return .outOfWatches
        }
        notices.watch(identity, as: request.path)
        return .watched
    }

    /// Takes in what there is.
    private mutating func survey(
        _ request: FolderScan.Request, _ listing: inout FolderListing,
        _ earlier: inout EarlierWork, _ stamp: EarlierWork.Stamp
    ) {
        let only = request.only.map(Set.init)
        let named = Set(request.also).union(only ?? [])
        let found = Set(sources.names(in: request.path)).union(named)
        for name in found.sorted() {
            let isNamed = named.contains(name)
            guard isNamed || name.isRecordingName || earlier.knows(name) else { continue }
            if isNamed || only == nil {
                let previous = earlier.take(name, stamp: stamp)
                listing.recordings.append(scanned(of: name, in: request.path, previous))
            } else {
                listing.neighbours.append(name)
            }
        }
        let subfolders = sources.subfolders(of: request.path)
        if only == nil {
            listing.subfolders = subfolders
        } else {
            listing.neighbours = (listing.neighbours + subfolders).sorted()
        }
    }

    /// Folders that only the output has, with results in or below them.
    private mutating func lostFolders(
        of request: FolderScan.Request, beside subfolders: [Pathname]
    ) -> [Pathname] {
        let below = Set(record.folders.keys.compactMap { $0.child(of: request.path) })
        let lost = below.subtracting(subfolders).sorted()
        if !lost.isEmpty { happened(.folderLost) }
        return lost
    }

    /// Another number for each state of the folder; earlier work is none of it.
    private func fingerprint(of listing: FolderListing) -> UInt64 {
        var bare = listing
        for index in bare.recordings.indices { bare.recordings[index].previous = nil }
        bare.unseen = []
        bare.volume = nil
        bare.lookedAtNanoseconds = 0
        return UInt64(bitPattern: Int64(bare.hashValue))
    }

    private mutating func scanned(
        of name: Pathname, in folder: Pathname, _ previous: PreviousWork?
    ) -> ScannedFile {
        if goesWrong() {
            happened(.unreadable)
            let failure = Example.failure(.permissionDenied, in: .scan)
            return ScannedFile(name: name, finding: .failure(failure), previous: previous)
        }
        if previous?.entry.status == .sourceMissing { happened(.back) }
        guard let source = sources[folder, name] else {
            let failure = Example.failure(.vanished, in: .scan)
            return ScannedFile(name: name, finding: .failure(failure), previous: previous)
        }
        return ScannedFile(
            name: name, finding: .file(source.stamp), identity: source.identity,
            previous: previous)
    }

    /// - Returns: for those that a dry run leaves where they are, where that is; `nil` where one
    ///   could not be moved.
    private mutating func recover(
        _ recorded: SimulatedRecord.Folder, in folder: Pathname
    ) throws(SimulatedCrash) -> [Pathname: Pathname]? {
        let staged = recorded.files.filter { $0.temporary != nil && $0.state != .obsolete }
        let moves = staged.filter { disk.holds($0, in: folder) }.compactMap(\.stagedFile)
        if plan.configuration.isDryRun {
            return Dictionary(moves.map { ($0.name, $0.temporary) }, uniquingKeysWith: { $1 })
        }
        let left = disk.names(in: folder).filter(SimulatedWorld.isTemporary)
        let isClean = staged.isEmpty && !recorded.hasOrphans
        guard !left.isEmpty || !isClean else { return [:] }
        if goesWrong() { return nil }
        for file in moves {
            if plan.faultPercent > 0, random.chance(percent: 16) {
                happened(.moveFailed)
                return nil
            }
            try disk.rename(file.temporary, to: file.name, in: folder)
            happened(.rolledForward)
        }
        if !isClean {
            if mutant != .recoveringWithoutSync { try disk.sync() }
            if goesWrong() { return nil }
            try disk.step()
            record.endRecovery(of: folder)
        }
        for name in left where !goesWrong() { try disk.remove(name, in: folder) }
        return [:]
    }
}

extension SimulatedDisk {
    /// Whether a file that was recorded is complete under its temporary name.
    func holds(_ file: RecordedFile, in folder: Pathname) -> Bool {
        guard let temporary = file.temporary, let found = self.file(temporary, in: folder),
            case .output(let digest) = found.content
        else { return false }
        return found.stamp == file.stamp && digest == file.sha256
    }
}

extension RecordedFile {
    var stagedFile: StagedFile? {
        temporary.map { StagedFile(temporary: $0, name: name) }
    }
}

extension Pathname {
    /// The name of the folder in `folder` that this one is or lies in; `nil` where it does not.
    fileprivate func child(of folder: Pathname) -> Pathname? {
        guard self != folder, let way = folder.relative(self) else { return nil }
        return way.components.first
    }
}
