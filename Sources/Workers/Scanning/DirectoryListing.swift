import Glibc
import Jobs
import Recordings

/// What is in a folder, as far as it shows without knowing what earlier runs made of it.
struct DirectoryListing {
    /// Whether everything is wanted, and not only what was named.
    let isWhole: Bool
    /// Recordings by the user's word.
    let named: Set<Pathname>
    /// Whether a file is to be told from all that are gone, as one that was moved is known by that.
    let tellsFilesApart: Bool

    /// Recordings by name or by the user's word, ascending; later also those that earlier runs
    /// knew.
    private(set) var recordings: [ScannedFile] = []
    /// Whatever else may be a recording, ascending.
    private(set) var others: [Pathname] = []
    private(set) var subfolders: [Pathname] = []
    /// Links to folders, and output folders, ascending: neither is entered.
    private(set) var detours: [Pathname] = []
    private(set) var neighbours: [Pathname] = []
    /// When the recordings' status changed last, in the order in which they were looked at.
    private var statusChanges = Hasher()
    var lostFolders: [Pathname] = []
    var isGone = false
    var volume: MountEvidence?
    var watch: WatchOutcome?

    init(isWhole: Bool, named: Set<Pathname>, tellsFilesApart: Bool = false) {
        self.isWhole = isWhole
        self.named = named
        self.tellsFilesApart = tellsFilesApart
    }

    /// Takes in the names that are not hidden, and those that the user named, there or not.
    /// - Parameter isOutput: whether a folder in it, by its name, is an output.
    mutating func look(
        into folder: borrowing DirectoryReader, isOutput: (Pathname) -> Bool
    ) throws(FileSystemError) {
        let names = withNamed(try folder.visibleNames())
        recordings.reserveCapacity(names.count)
        for entry in names {
            let isNamed = named.contains(entry.name)
            switch folder.kind(of: entry) {
            case .folder where isOutput(entry.name): detours.append(entry.name)
            case .folder where isWhole: subfolders.append(entry.name)
            case .folder: neighbours.append(entry.name)
            case .link where DirectoryListing.isFolder(entry.name, in: folder):
                detours.append(entry.name)
            case _ where isNamed || (isWhole && entry.name.isRecordingName):
                let sighting = DirectoryListing.sighting(of: entry.name, isNamed: isNamed) {
                    (name, followingLink) throws(FileSystemError) in
                    let status = try folder.status(
                        of: name, followingLink: followingLink, withBirth: tellsFilesApart)
                    statusChanges.combine(status.statusChangedNanoseconds)
                    return status
                }
                if let sighting { recordings.append(sighting) }
            case _ where entry.name.isRecordingName: neighbours.append(entry.name)
            default: others.append(entry.name)
            }
        }
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

    /// What a name stands for; `nil` where it is gone again, unless the user gave it.
    ///
    /// Names are read before files are looked at, and in between one may be renamed or deleted:
    /// then there is nothing to tell of, no more than if the names had been read a moment later.
    /// - Parameter status: what the name, or the link it may be, leads to.
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

    /// Whether there is not even a link that leads to nothing.
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
    /// Takes each recording's earlier work; what only earlier runs took for a recording is one too.
    /// - Parameters:
    ///   - path: the folder's.
    ///   - stamp: of the outputs there.
    /// - Returns: what was not among the recordings before.
    mutating func take(
        from earlier: inout EarlierWork, in path: Pathname, _ stamp: EarlierWork.Stamp
    ) -> [ScannedFile] {
        // Both are ascending, as earlier work is asked for.
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
            let found = DirectoryListing.sighting(of: name, isNamed: false) {
                (name, followingLink) throws(FileSystemError) in
                let place = path.appending(name)
                let status = try FileSystem.status(place, followingLink: followingLink)
                statusChanges.combine(status.statusChangedNanoseconds)
                return tellsFilesApart
                    ? status.withBirth(of: place, followingLink: followingLink) : status
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
    /// A hash of the folder's state, valid in this process; even.
    ///
    /// Ask for it before the earlier work is taken. It covers all that is known of recordings,
    /// also when their permissions changed, but only the names of other files: a growing log beside
    /// them is no change. `fingerprint(_:withKnown:)` adds what earlier runs took for recordings.
    /// Outputs are not covered: only this program writes them.
    var fingerprint: UInt64 {
        var hasher = Hasher()
        hasher.combine(isGone)
        hasher.combine(watch)
        hasher.combine(recordings)
        hasher.combine(statusChanges.finalize())
        hasher.combine([others, subfolders, detours, neighbours, lostFolders])
        return UInt64(bitPattern: Int64(hasher.finalize())) & ~1
    }

    /// The fingerprint where recordings are known by earlier runs alone: then it is odd.
    ///
    /// Whether there are any, only a manifest tells. So an odd number is never that of a folder of
    /// which no manifest was read, and such a folder is the only one whose manifest is read each
    /// time.
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
