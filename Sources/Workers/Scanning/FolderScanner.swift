import Glibc
import Jobs
import Recordings

/// Lists one folder: its recordings with their stamps, and the results of earlier runs.
///
/// It first reads the status of each recording. Reading the earlier results costs several times as
/// much, and is skipped if the fingerprint is unchanged.
struct FolderScanner: Sendable {
    let places: RunPlaces
    let record: OutputRecord
    /// In a dry run, not even a crash's temporary files are deleted.
    let isDryRun: Bool
    let ownership: OutputOwnership
    /// Starts watching a folder, given its path and its path relative to the root.
    var watch: (@Sendable (Pathname, Pathname) -> WatchOutcome)?

    init(
        places: RunPlaces, record: OutputRecord, isDryRun: Bool, ownership: OutputOwnership? = nil
    ) {
        self.places = places
        self.record = record
        self.isDryRun = isDryRun
        self.ownership = ownership ?? OutputOwnership(places, record)
    }

    /// Carries out a request to list a folder.
    func list(_ id: FolderID, _ request: FolderScan.Request) -> FolderScan.Action {
        // Taken first: a later write may be missed by the listing, but has a later timestamp.
        let lookedAtNanoseconds = FileSystem.nowNanoseconds
        do throws(FileSystemError) {
            let filter = try filter(of: request.path)
            if filter.isLeftOut { return try listLeftOut(id, request, filter) }
            // Later obstacles are this run's own files, or are found when publishing.
            if request.isFirst, let reason = try ownership.obstacle(in: request.path) {
                return .failed(id, RecordingFailure(stage: .manifest, reason: reason))
            }
            guard var listing = try list(request, filter) else { return .unchanged(id) }
            listing.lookedAtNanoseconds = lookedAtNanoseconds
            // Shards print none, and do not know which others have.
            if request.isFirst, !isDryRun, places.shard == nil {
                listing.setAside = try setAsideManifest(
                    in: request.path, isKnown: listing.recipe != nil)
            }
            return .listed(id, listing)
        } catch {
            let isOfOutput = places.output.contains(error.path)
            return .failed(id, RecordingFailure(error, in: isOfOutput ? .manifest : .scan))
        }
    }

    /// The folder's listing; `nil` if the folder is unchanged.
    private func list(
        _ request: FolderScan.Request, _ filter: FolderFilter
    ) throws(FileSystemError) -> FolderListing? {
        let output = places.output.appending(request.path)
        let outputs = try ifThere { () throws(FileSystemError) in try DirectoryReader(output) }
        var survey = try survey(request, filter)
        if request.only == nil, request.top != nil {
            survey.look(intoRecorded: try record.subfolders(of: request.path))
        }
        let fingerprint = survey.fingerprint
        if request.known == fingerprint { return nil }

        let recorded = try record.contents(of: request.path) {
            !request.isKnown || !survey.recordings.have($0)
        }
        // Only at first: later the folder has temporary files that are being written.
        let awaited = request.isFirst ? try recover(recorded, in: request.path) : [:]
        var earlier = EarlierWork(recorded.works)
        var trouble: FileSystemError?
        func stamp(_ name: Pathname) -> FileStamp? {
            do throws(FileSystemError) {
                return try ifThere { () throws(FileSystemError) in
                    try outputs?.status(of: awaited[name] ?? name).stamp
                } ?? nil
            } catch {
                // A file that is temporarily inaccessible is not missing.
                if error.mayPass { trouble = trouble ?? error }
                return nil
            }
        }
        let manifest = stamp(OutputNames.manifest)
        let known = survey.take(from: &earlier, in: places.root.appending(request.path), stamp)
        var unseen = earlier.rest(stamp: stamp)
        try record.addIdentities(to: &unseen, in: request.path)
        if let trouble { throw trouble }
        var recordings = survey.recordings
        checkDecodings(of: &recordings, in: places.root.appending(request.path))
        var listing = FolderListing(
            recordings: recordings, subfolders: survey.subfolders,
            neighbours: survey.neighbours, unseen: unseen,
            isRecovered: request.isFirst && recorded.isKnown
                && (recorded.printed == nil || recorded.printed != manifest
                    || recorded.hasObsolete || recorded.hasOrphans)
        )
        if survey.isWhole {
            listing.videos =
                survey.others.count { $0.isVideoName && !filter.leavesOut($0) }
                - known.count(where: \.name.isVideoName)
            listing.unsupported = survey.others.count {
                !$0.isVideoName && $0.bytes.first != UInt8(ascii: ".") && $0 != FileSettings.name
                    && !filter.leavesOut($0)
            }
        }
        listing.leftOut = leftOut(survey, unseen)
        listing.recipe = recorded.recipe
        listing.lostFolders = survey.lostFolders
        listing.isGone = survey.isGone
        listing.volume = survey.volume
        listing.watch = survey.watch
        listing.fingerprint = survey.fingerprint(fingerprint, withKnown: known)
        return request.known == listing.fingerprint ? nil : listing
    }

    /// A folder's recordings and the folders to list in it, without earlier results.
    func recordings(
        of request: FolderScan.Request
    ) throws(FileSystemError) -> (recordings: [ScannedFile], subfolders: [Pathname]) {
        let filter = try filter(of: request.path)
        guard !filter.isLeftOut else { return ([], []) }
        let survey = try survey(request, filter)
        return (survey.recordings, survey.subfolders)
    }

    /// Lists a folder; a missing one is no error if it is a target or lies below one.
    private func survey(
        _ request: FolderScan.Request, _ filter: FolderFilter
    ) throws(FileSystemError) -> DirectoryListing {
        let path = places.root.appending(request.path)
        let only = request.only.map(Set.init)
        var survey = DirectoryListing(
            isWhole: only == nil, named: (only ?? []).union(request.also),
            rules: places.rules, filter: filter)
        // Watch before reading, so that no change is missed.
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
            // A missing folder cannot be watched, which is not worth reporting.
            survey.isGone = true
            survey.volume = try volume(above: request.path, below: top)
        }
        return survey
    }

    /// Throws if a symlink has replaced the folder or one above it: symlinks are not entered, and
    /// the folder's outputs are retained.
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
    /// Mount evidence for a missing folder, from its nearest existing ancestor up to the target.
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
        // The output may have been recreated in the mount point of an unmounted disk.
        let own = path.relative(places.output).flatMap { $0.isSingleName ? $0 : nil }
        return MountEvidence(
            device: try folder.status().device, isBare: try folder.isBare(but: own))
    }
}
