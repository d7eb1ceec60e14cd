import Jobs
import Recordings
import ReducerKit

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Lists one folder: its recordings with their stamps, and what an earlier run left of them.
struct FolderScanner: Sendable {
    let places: RunPlaces
    let journal: RecoveredJournal
    /// A dry run leaves even a crash's temporary files where they are.
    let isDryRun: Bool

    /// Answers an order to list a folder.
    func list(_ id: FolderID, _ request: FolderScan.Request) -> FolderScan.Action {
        do throws(FileSystemError) {
            return .listed(id, try list(request))
        } catch {
            let isOfOutput = places.output.contains(error.path)
            return .failed(id, RecordingFailure(error, in: isOfOutput ? .manifest : .scan))
        }
    }

    private func list(_ request: FolderScan.Request) throws(FileSystemError) -> FolderListing {
        let path = places.root.appending(request.path)
        let folder = try OpenFolder(path)
        let facts = journal.facts(in: request.path)
        let output = places.output.appending(request.path)
        let awaited = try recover(facts, in: output)
        var earlier = EarlierWork(manifest: try ManifestFile.readIfSound(in: output), facts: facts)
        let outputs = try ifThere { () throws(FileSystemError) in try OpenFolder(output) }
        func stamp(_ name: Pathname) -> FileStamp? {
            (try? outputs?.status(of: awaited[name] ?? name))?.stamp
        }
        var listing = FolderListing(
            isRecovered: !facts.isEmpty, obsolete: EarlierResults.superfluous(in: facts))
        let only = request.only.map(Set.init)
        let named = Set(request.also).union(only ?? [])
        let names = try names(in: folder, with: named)
        listing.recordings.reserveCapacity(names.count)
        for entry in names {
            let isNamed = named.contains(entry.name)
            let isRecording =
                isNamed || entry.name.isRecordingName || earlier.knows(entry.name)
            switch folder.kind(of: entry) {
            case .folder:
                guard !isOutput(path.appending(entry.name)) else { continue }
                if only == nil {
                    listing.subfolders.append(entry.name)
                } else {
                    listing.neighbours.append(entry.name)
                }
            case .link where isFolder(entry.name, in: folder):
                continue
            case _ where isRecording && (isNamed || only == nil):
                listing.recordings.append(
                    sighting(
                        of: entry.name, in: folder, earlier.take(entry.name, stamp: stamp)))
            case _ where isRecording:
                listing.neighbours.append(entry.name)
            default:
                continue
            }
        }
        listing.unseen = earlier.rest(stamp: stamp)
        return listing
    }

    /// The names in a folder that are not hidden, and those that the user named, there or not;
    /// ascending.
    private func names(
        in folder: borrowing OpenFolder, with named: Set<Pathname>
    ) throws(FileSystemError) -> [FileSystem.Name] {
        var names = try folder.visibleNames()
        guard !named.isEmpty else { return names }
        let missing = named.subtracting(names.map(\.name))
        names += missing.map { FileSystem.Name(name: $0, kind: .regular) }
        return names.sorted { $0.name < $1.name }
    }

    private func isFolder(_ name: Pathname, in folder: borrowing OpenFolder) -> Bool {
        (try? folder.status(of: name))?.kind == .folder
    }

    private func isOutput(_ path: Pathname) -> Bool {
        path == places.output || OutputFolder.isMarked(path)
    }

    private func sighting(
        of name: Pathname, in folder: borrowing OpenFolder, _ previous: PreviousWork?
    ) -> Sighting {
        do throws(FileSystemError) {
            let status = try folder.status(of: name)
            guard status.kind == .regular else {
                let failure = RecordingFailure(stage: .scan, reason: .notARegularFile)
                return Sighting(name: name, finding: .failure(failure), previous: previous)
            }
            return Sighting(name: name, finding: .file(status.stamp), previous: previous)
        } catch {
            let failure = RecordingFailure(error, in: .scan)
            return Sighting(name: name, finding: .failure(failure), previous: previous)
        }
    }

    /// Moves files to their places that a crash kept from it, and removes what else it left.
    ///
    /// Where a file cannot be moved nothing else may be done: in its place may be an earlier output
    /// that nothing but its bytes tells from it, and once it is gone nobody would know. No other run
    /// can be writing here: this one holds the output's lock.
    /// - Returns: for those that a dry run leaves where they are, where that is.
    private func recover(
        _ facts: [JournalFact], in folder: Pathname
    ) throws(FileSystemError) -> [Pathname: Pathname] {
        let moves = try unfinishedMoves(of: facts, in: folder)
        if isDryRun {
            return Dictionary(moves.map { ($0.name, $0.temporary) }, uniquingKeysWith: { $1 })
        }
        let hidden = try ifThere { () throws(FileSystemError) in
            try OpenFolder(folder).names(beginningWith: ".tapedeck.")
        }
        let left = (hidden ?? []).filter(StagedOutput.isTemporary)
        guard !left.isEmpty else { return [:] }
        // What is seen of the journal and of these files need not be on the disk for certain. If it
        // came to light otherwise after a loss of power, nothing would be left to go on from.
        try FileSystem.syncAll(at: places.output)
        for file in moves {
            do throws(FileSystemError) {
                try FileSystem.rename(
                    folder.appending(file.temporary), to: folder.appending(file.name))
            } catch {
                // A folder in its place is no earlier output: the recording is done again, and fails.
                guard error.code == EISDIR else { throw error }
            }
        }
        for name in left { try? FileSystem.remove(folder.appending(name)) }
        return [:]
    }

    private func unfinishedMoves(
        of facts: [JournalFact], in folder: Pathname
    ) throws(FileSystemError) -> [StagedFile] {
        try EarlierResults.unfinishedMoves(
            in: facts,
            stamp: { (name) throws(FileSystemError) in
                try ifThere { () throws(FileSystemError) in
                    try FileSystem.status(folder.appending(name)).stamp
                }
            },
            digest: { (name) throws(FileSystemError) in
                try ifThere { () throws(FileSystemError) in
                    try StagedOutput.receipt(of: folder.appending(name)).sha256
                }
            })
    }

    /// What is to be known of a file or folder; `nil` where there is none.
    ///
    /// One that cannot be looked at just now is not taken for that.
    private func ifThere<Fact: ~Copyable>(
        _ look: () throws(FileSystemError) -> Fact
    ) throws(FileSystemError) -> Fact? {
        do throws(FileSystemError) {
            return try look()
        } catch {
            guard error.isMissing else { throw error }
            return nil
        }
    }
}
