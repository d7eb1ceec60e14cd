import Glibc
import Jobs
import Recordings

/// Lists one folder: its recordings with their stamps, and what an earlier run left of them.
///
/// First comes what there is, which costs a look at each recording, and then what is known of it,
/// which costs several times as much: where the first is as it was, the second is left out.
struct FolderScanner: Sendable {
    let places: RunPlaces
    let journal: RecoveredJournal
    /// A dry run leaves even a crash's temporary files where they are.
    let isDryRun: Bool
    let ownership: OutputOwnership
    /// Has the system tell of changes in a folder: where it is, and its path below the root.
    var watch: (@Sendable (Pathname, Pathname) -> WatchOutcome)?

    init(
        places: RunPlaces, journal: RecoveredJournal, isDryRun: Bool,
        ownership: OutputOwnership? = nil
    ) {
        self.places = places
        self.journal = journal
        self.isDryRun = isDryRun
        self.ownership = ownership ?? OutputOwnership(places, journal)
    }

    /// Answers an order to list a folder.
    func list(_ id: FolderID, _ request: FolderScan.Request) -> FolderScan.Action {
        // What is written from now on may be told of or not, but it bears a later time.
        let lookedAtNanoseconds = FileSystem.nowNanoseconds
        do throws(FileSystemError) {
            // What is there later is this run's, or seen when something is put there.
            if request.isFirst, let reason = try ownership.obstacle(in: request.path) {
                return .failed(id, RecordingFailure(stage: .manifest, reason: reason))
            }
            guard let (found, unreadable) = try list(request) else { return .unchanged(id) }
            var listing = found
            listing.lookedAtNanoseconds = lookedAtNanoseconds
            if let unreadable, !isDryRun {
                do throws(RecordingFailure) {
                    listing.setAside = try setAside(unreadable, in: request.path)
                } catch {
                    return .failed(id, error)
                }
            }
            return .listed(id, listing)
        } catch {
            let isOfOutput = places.output.contains(error.path)
            return .failed(id, RecordingFailure(error, in: isOfOutput ? .manifest : .scan))
        }
    }

    /// What is in a folder, and the manifest that could not be read, if there is one; `nil` where
    /// the folder looks as it did.
    private func list(
        _ request: FolderScan.Request
    ) throws(FileSystemError) -> (FolderListing, unreadable: FileStamp?)? {
        let output = places.output.appending(request.path)
        let outputs = try ifThere { () throws(FileSystemError) in try DirectoryReader(output) }
        var survey = try survey(request)
        if request.only == nil, request.top != nil {
            survey.lostFolders = try lostFolders(in: outputs, survey, request)
        }
        let fingerprint = survey.fingerprint
        if request.known == fingerprint { return nil }

        let facts = request.recovers ? try journal.earlierFacts(in: request.path) : []
        // Later there are files in the folder that are being written.
        let awaited = request.isFirst ? try recover(facts, in: request.path) : [:]
        let manifestStamp = try? outputs?.status(of: OutputNames.manifest).stamp
        let manifest = try ManifestFile.earlier(in: output) {
            !request.isKnown || !survey.recordings.have($0)
        }
        var earlier = EarlierWork(manifest: manifest, facts: facts)
        var trouble: FileSystemError?
        func stamp(_ name: Pathname) -> FileStamp? {
            do throws(FileSystemError) {
                return try ifThere { () throws(FileSystemError) in
                    try outputs?.status(of: awaited[name] ?? name).stamp
                } ?? nil
            } catch {
                // One that cannot be looked at just now is not missing.
                if error.mayPass { trouble = trouble ?? error }
                return nil
            }
        }
        let known = survey.take(from: &earlier, in: places.root.appending(request.path), stamp)
        let unseen = earlier.rest(stamp: stamp)
        if let trouble { throw trouble }
        var listing = FolderListing(
            recordings: survey.recordings, subfolders: survey.subfolders,
            neighbours: survey.neighbours, unseen: unseen,
            isRecovered: !facts.isEmpty, obsolete: EarlierResults.superfluous(in: facts))
        listing.lostFolders = survey.lostFolders
        listing.isGone = survey.isGone
        listing.volume = survey.volume
        listing.watch = survey.watch
        listing.fingerprint = survey.fingerprint(fingerprint, withKnown: known)
        guard request.known != listing.fingerprint else { return nil }
        return (listing, manifest == nil ? manifestStamp : nil)
    }

    /// Looks at a folder; at one that was asked for, or lies in one, also where it is gone.
    private func survey(
        _ request: FolderScan.Request
    ) throws(FileSystemError) -> DirectoryListing {
        let path = places.root.appending(request.path)
        let only = request.only.map(Set.init)
        var survey = DirectoryListing(
            isWhole: only == nil, named: (only ?? []).union(request.also),
            tellsFilesApart: request.tellsFilesApart)
        // Before the folder is read, so that nothing falls between.
        let outcome = request.watches ? watch?(path, request.path) : nil
        do throws(FileSystemError) {
            try refuseLink(at: path, request)
            let folder = try DirectoryReader(path)
            try survey.look(into: folder) { isOutput(path.appending($0)) }
            survey.watch = outcome
            if survey.isWhole, request.top != nil {
                survey.volume = try volume(folder, at: path)
            }
        } catch {
            guard error.isMissing, error.path == path, let top = request.top else { throw error }
            // Nobody can tell of changes in it either, which is no news.
            survey.isGone = true
            survey.volume = try volume(above: request.path, below: top)
        }
        return survey
    }

    /// Throws where a link has taken the place of a folder, or of one above it: what links lead to
    /// is not entered, and what was made of the folder stays.
    private func refuseLink(
        at path: Pathname, _ request: FolderScan.Request
    ) throws(FileSystemError) {
        guard request.top != nil, request.top != request.path, !request.isFirst else { return }
        if try FileSystem.resolve(path) != path { throw .linked(path) }
    }

    private func isOutput(_ path: Pathname) -> Bool {
        path == places.output || OutputFolder.isMarked(path)
    }
}

// MARK: - What is gone

extension FolderScanner {
    /// Where a folder stood that is gone: what there is of the nearest above it that is there, up
    /// to the one asked for.
    private func volume(
        above gone: Pathname, below top: Pathname
    ) throws(FileSystemError) -> MountEvidence {
        var place = gone
        while true {
            let path = places.root.appending(place)
            let folder = try ifThere { () throws(FileSystemError) in try DirectoryReader(path) }
            if let folder { return try volume(folder, at: path) }
            guard place != top else { return MountEvidence(device: nil, isBare: true) }
            place = place.parent
        }
    }

    private func volume(
        _ folder: borrowing DirectoryReader, at path: Pathname
    ) throws(FileSystemError) -> MountEvidence {
        // The output may have been made anew, below where a disk was.
        let own = path.relative(places.output).flatMap { $0.isSingleName ? $0 : nil }
        return MountEvidence(
            device: try folder.status().device, isBare: try folder.isBare(but: own))
    }

    /// The folders in the output whose recordings are gone together with their folder.
    private func lostFolders(
        in outputs: borrowing DirectoryReader?, _ survey: DirectoryListing,
        _ request: FolderScan.Request
    ) throws(FileSystemError) -> [Pathname] {
        guard let (folders, links) = try outputs?.visibleFolders() else { return [] }
        let there = Set(survey.subfolders + survey.detours)
        let gone = { (names: [Pathname]) in
            names.filter { !there.contains($0) }.map(request.path.appending)
        }
        var lost: [Pathname] = []
        for folder in gone(folders) {
            if isOfResults(folder, isFirst: request.isFirst) {
                lost.append(folder)
            } else if request.isFirst, !isDryRun {
                removeRemains(below: folder)
            }
        }
        // Where a link leads may be anything: what is told there must be meant for this place.
        lost += gone(links).filter { ManifestFile.isThere(for: $0, in: places.output) }
        return lost.map(\.lastComponent).sorted()
    }

    /// Removes what a crash left in a folder of the output that tells of no recordings: nobody will
    /// name it, as no fact is there that does.
    private func removeRemains(below folder: Pathname) {
        let path = places.output.appending(folder)
        guard !OutputFolder.isMarked(path), let names = try? DirectoryReader(path) else { return }
        let left = (try? names.names(beginningWith: ".tapedeck.")) ?? []
        if left.contains(where: StagedOutput.isTemporary), let held = try? ownership.hold(folder) {
            for name in left where StagedOutput.isTemporary(name) { try? held.remove(name) }
        }
        let below = (try? names.visibleFolders().folders) ?? []
        for name in below { removeRemains(below: folder.appending(name)) }
    }

    /// Whether a folder in the output, with what lies below it, tells of recordings.
    ///
    /// - Parameter isFirst: whether the journal may say more than manifests do.
    private func isOfResults(_ folder: Pathname, isFirst: Bool) -> Bool {
        let path = places.output.appending(folder)
        // That of other recordings may have been put there.
        guard !OutputFolder.isMarked(path) else { return false }
        return holdsManifest(path) || isFirst && journal.folders.contains { folder.contains($0) }
    }

    /// Whether there is a manifest in a folder or below it; stops at the first.
    private func holdsManifest(_ path: Pathname) -> Bool {
        let manifest = try? FileSystem.status(
            path.appending(OutputNames.manifest), followingLink: false)
        if manifest?.kind == .regular { return true }
        let folders = (try? DirectoryReader(path).visibleFolders().folders) ?? []
        return folders.contains { holdsManifest(path.appending($0)) }
    }
}
