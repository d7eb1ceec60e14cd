import Glibc
import Jobs
import Recordings

/// The contents of a folder, before the results of earlier runs are considered.
struct DirectoryListing {
    /// Whether the whole folder is processed, not only the named files.
    let isWhole: Bool
    /// The files that the user named as recordings.
    let named: Set<Pathname>
    let rules: InputRules
    let filter: FolderFilter

    /// The recordings by file name or named by the user, later also those known from earlier runs;
    /// sorted.
    private(set) var recordings: [ScannedFile] = []
    /// Other files that may be recordings, sorted.
    private(set) var others: [Pathname] = []
    private(set) var subfolders: [Pathname] = []
    /// Symlinks to folders, and output folders, sorted: neither is entered.
    private(set) var detours: [Pathname] = []
    private(set) var neighbours: [Pathname] = []
    /// Recordings that the filter leaves out.
    private(set) var leftOut: [Pathname] = []
    /// A hash of the recordings' ctimes, in the order they were read.
    private var statusChanges = Hasher()
    /// Folders that exist only in the output; those that the filter leaves out are neighbours.
    private(set) var lostFolders: [Pathname] = []
    var isGone = false
    var volume: MountEvidence?
    var watch: WatchOutcome?

    init(
        isWhole: Bool, named: Set<Pathname>, rules: InputRules = InputRules(),
        filter: FolderFilter = FolderFilter()
    ) {
        (self.rules, self.filter) = (rules, filter)
        self.isWhole = isWhole
        self.named = named
    }

    /// Adds the names that are not hidden, and those named by the user, even if missing.
    /// - Parameter isOutput: whether a subfolder of this name is an output folder.
    mutating func look(
        into folder: borrowing DirectoryReader, isOutput: (Pathname) -> Bool
    ) throws(FileSystemError) {
        let names = withNamed(try folder.visibleNames())
        recordings.reserveCapacity(names.count)
        for entry in names {
            let isNamed = named.contains(entry.name)
            switch folder.kind(of: entry) {
            case .folder where isOutput(entry.name): detours.append(entry.name)
            case .folder where isWhole && !filter.leavesOut(folder: entry.name):
                subfolders.append(entry.name)
            case .folder: neighbours.append(entry.name)
            case .link where DirectoryListing.isFolder(entry.name, in: folder):
                detours.append(entry.name)
            case _ where isNamed || (isWhole && rules.isRecording(entry.name)):
                let found = scanned(entry.name, isNamed: isNamed) {
                    (name, followingLink) throws(FileSystemError) in
                    try folder.status(of: name, followingLink: followingLink, withBirth: true)
                }
                if let found { recordings.append(found) }
            case _ where rules.isRecording(entry.name): neighbours.append(entry.name)
            default: others.append(entry.name)
            }
        }
    }

    /// Adds folders that have results.
    mutating func look(intoRecorded folders: [Pathname]) {
        let there = Set(subfolders + detours + neighbours)
        let lost = folders.filter { !there.contains($0) }
        lostFolders = lost.filter { !filter.leavesOut(folder: $0) }
        guard lostFolders.count < lost.count else { return }
        neighbours = (neighbours + lost.filter { filter.leavesOut(folder: $0) }).sorted()
    }

    private func withNamed(_ names: [FileSystem.Name]) -> [FileSystem.Name] {
        guard !named.isEmpty else { return names }
        let missing = named.subtracting(names.map(\.name))
        let all = names + missing.map { FileSystem.Name(name: $0, kind: .regular) }
        return all.sorted { $0.name < $1.name }
    }

    private static func isFolder(_ name: Pathname, in folder: borrowing DirectoryReader) -> Bool {
        (try? folder.status(of: name))?.kind == .folder
    }

    private typealias Look = (
        _ name: Pathname, _ followingLink: Bool
    ) throws(FileSystemError) -> FileSystem.Status

    /// Checks a recording; `nil` if it is gone, or the filter leaves it out, which is noted.
    private mutating func scanned(
        _ name: Pathname, isNamed: Bool = false, status: Look
    ) -> ScannedFile? {
        guard !filter.leavesOut(name) else {
            leftOut.append(name)
            return nil
        }
        let found = DirectoryListing.sighting(of: name, isNamed: isNamed) {
            (name, followingLink) throws(FileSystemError) in
            let status = try status(name, followingLink)
            statusChanges.combine(status.statusChangedNanoseconds)
            return status
        }
        guard case .file(let stamp) = found?.finding, filter.leavesOut(stamp) else { return found }
        leftOut.append(name)
        return nil
    }

    /// Checks a file; `nil` if it no longer exists, unless the user named it.
    ///
    /// A file can be renamed or deleted between the listing and this check. It is then not
    /// reported, as if the listing had been read a moment later.
    /// - Parameter status: reads the status of the name, or of the symlink's target.
    private static func sighting(
        of name: Pathname, isNamed: Bool, status: Look
    ) -> ScannedFile? {
        do throws(FileSystemError) {
            let status = try status(name, true)
            guard status.kind == .regular else {
                let failure = RecordingFailure(stage: .scan, reason: .notARegularFile)
                return ScannedFile(name: name, finding: .failure(failure))
            }
            return ScannedFile(name: name, finding: .file(status.stamp), identity: status.identity)
        } catch {
            if error.code == ENOENT, !isNamed, isGone(name, status) { return nil }
            return ScannedFile(name: name, finding: .failure(RecordingFailure(error, in: .scan)))
        }
    }

    /// Whether the name is gone, so that not even a dangling symlink remains.
    private static func isGone(_ name: Pathname, _ status: Look) -> Bool {
        do throws(FileSystemError) {
            _ = try status(name, false)
            return false
        } catch {
            return error.code == ENOENT
        }
    }
}

// MARK: - Earlier work

extension DirectoryListing {
    /// Attaches earlier results to recordings, and adds files that only earlier runs knew as such.
    /// - Parameters:
    ///   - path: the folder's path.
    ///   - stamp: reads the stamp of an output.
    /// - Returns: the recordings that were added.
    mutating func take(
        from earlier: inout EarlierWork, in path: Pathname, _ stamp: EarlierWork.Stamp
    ) -> [ScannedFile] {
        // Both lists are sorted: `EarlierWork` must be queried in ascending order.
        var places = recordings.indices
        var oddNames: [Pathname] = []
        var odd: [ScannedFile] = []
        for name in others {
            take(from: &earlier, &places, before: name, stamp)
            guard earlier.knows(name) else { continue }
            guard isWhole else {
                oddNames.append(name)
                continue
            }
            let found = scanned(name) { (name, followingLink) throws(FileSystemError) in
                let place = path.appending(name)
                return try FileSystem.status(place, followingLink: followingLink)
                    .withBirth(of: place, followingLink: followingLink)
            }
            guard var sighting = found else { continue }
            sighting.previous = earlier.take(name, stamp: stamp)
            odd.append(sighting)
        }
        take(from: &earlier, &places, before: nil, stamp)
        if !odd.isEmpty { recordings = (recordings + odd).sorted { $0.name < $1.name } }
        if !oddNames.isEmpty { neighbours = (neighbours + oddNames).sorted() }
        return odd
    }

    private mutating func take(
        from earlier: inout EarlierWork, _ places: inout Range<Int>, before name: Pathname?,
        _ stamp: EarlierWork.Stamp
    ) {
        while let place = places.first {
            if let name, recordings[place].name >= name { return }
            recordings[place].previous = earlier.take(recordings[place].name, stamp: stamp)
            places.removeFirst()
        }
    }
}

// MARK: - Fingerprints

extension DirectoryListing {
    /// A hash of the folder's state, valid in this process; always even.
    ///
    /// Read it before adding earlier results. It covers everything known of recordings, including
    /// permission changes, but only the names of other files: a growing log file is no change.
    /// `fingerprint(_:withKnown:)` adds files that earlier runs treated as recordings. Outputs are
    /// not covered: only this program writes them.
    var fingerprint: UInt64 {
        var hasher = Hasher()
        hasher.combine(isGone)
        hasher.combine(watch)
        hasher.combine(recordings)
        hasher.combine(statusChanges.finalize())
        hasher.combine([others, subfolders, detours, neighbours, lostFolders, leftOut])
        hasher.combine(filter)
        return UInt64(bitPattern: Int64(hasher.finalize())) & ~1
    }

    /// The fingerprint with files that are recordings only by earlier runs; odd if there are any.
    ///
    /// Only a manifest tells whether there are any. An odd fingerprint thus never matches that of a
    /// folder whose manifest was not read, and only folders with such files have their manifest
    /// read each time.
    func fingerprint(_ even: UInt64, withKnown known: [ScannedFile]) -> UInt64 {
        guard !known.isEmpty else { return even }
        var hasher = Hasher()
        hasher.combine(even)
        for var sighting in known {
            sighting.previous = nil
            hasher.combine(sighting)
        }
        hasher.combine(statusChanges.finalize())
        return UInt64(bitPattern: Int64(hasher.finalize())) | 1
    }
}
