import Glibc
import Jobs
import Recordings
import Synchronization

/// What in the output is the run's to write over and to remove.
///
/// An output is a folder like any other: while somebody watches, people move recordings there, or
/// put a link or a disk in the place of one of its folders. So whoever puts something in its place,
/// or takes something away, asks for the folder here, and does it in the one that was looked at.
final class OutputOwnership: Sendable {
    private let places: RunPlaces
    private let journal: RecoveredJournal
    private let known: Mutex<Known>

    private struct Known {
        /// Of each folder that was looked at, by its path below the output, which one it is.
        var folders: [Pathname: UInt64] = [:]
        /// Files that were put in their places since the journal was last put away, by folder: not
        /// all manifests have them yet.
        var landed: [Pathname: [Pathname: OutputRecords.Written]] = [:]
        /// What was recorded before that, of folders where it was asked.
        var recorded: [Pathname: OutputRecords] = [:]
    }

    init(_ places: RunPlaces, _ journal: RecoveredJournal) {
        self.places = places
        self.journal = journal
        var known = Known()
        known.folders[.empty] = (try? FileSystem.status(places.output))?.identity
        self.known = Mutex(known)
    }

    /// Holds a folder of the output, by its path below it.
    ///
    /// Goes there step by step from the output's top, each opened in the one before, so that no
    /// link leads elsewhere between a look and what is done. Throws where the folder, or one above
    /// it, is not the output's own: one that became another since it was looked at is looked at
    /// again.
    /// - Parameters:
    ///   - making: whether to make it, and what is missing above it.
    ///   - stage: for the failure.
    func hold(
        _ folder: Pathname, making: Bool = false, in stage: Stage = .manifest
    ) throws(RecordingFailure) -> DirectoryHandle {
        var held = try inStage(stage) { () throws(FileSystemError) in try holdTop() }
        var place: Pathname = .empty
        for component in folder.components {
            place = place.appending(component)
            held = try step(from: held, to: place, making, stage)
        }
        return held
    }

    /// Opens a folder in the one above it, and makes it first where that is wanted.
    private func step(
        from parent: DirectoryHandle, to place: Pathname, _ making: Bool, _ stage: Stage
    ) throws(RecordingFailure) -> DirectoryHandle {
        let name = place.lastComponent
        let (held, isNew) = try inStage(stage) {
            () throws(FileSystemError) -> (DirectoryHandle, Bool) in
            do throws(FileSystemError) {
                return (try parent.directory(name), false)
            } catch {
                guard making, error.code == ENOENT else { throw error }
                // A link that leads nowhere is for a disk that is not there.
                if let made = try parent.makeDirectory(name) { return (made, true) }
                return (try parent.directory(name), false)
            }
        }
        if isNew {
            known.withLock { $0.folders[place] = held.identity }
        } else {
            try require(held, as: place, stage)
        }
        return held
    }

    /// Throws unless an opened folder is the one that was looked at, or can be.
    private func require(
        _ held: DirectoryHandle, as folder: Pathname, _ stage: Stage
    ) throws(RecordingFailure) {
        if known.withLock({ $0.folders[folder] }) == held.identity { return }
        let reason = try inStage(stage) { () throws(FileSystemError) in
            try ownObstacle(in: folder)
        }
        if let reason { throw RecordingFailure(stage: stage, reason: reason) }
        guard known.withLock({ $0.folders[folder] }) == held.identity else {
            // It became another one again while it was looked at.
            throw RecordingFailure(stage: stage, reason: .unavailable)
        }
    }

    /// Why nothing can be written in a folder, by its path; `nil` where nothing is in the way.
    ///
    /// Below a folder in which nothing can be written, nothing can be.
    func obstacle(in folder: Pathname) throws(FileSystemError) -> RecordingFailure.Reason? {
        var place: Pathname = .empty
        for component in folder.components.dropLast() {
            place = place.appending(component)
            if let reason = try ownObstacle(in: place) { return reason }
        }
        return try ownObstacle(in: folder)
    }

    /// As `obstacle(in:)`, where nothing is in the way above.
    private func ownObstacle(
        in folder: Pathname
    ) throws(FileSystemError) -> RecordingFailure.Reason? {
        // Whether the output itself is another one, its mark tells.
        let isNew = folder.isEmpty || known.withLock { $0.folders[folder] == nil }
        let place = OutputPlace(folder, places)
        switch try place.finding(
            isNew: isNew,
            isOwn: { (names) throws(FileSystemError) in try ownsAll(in: folder, among: names) })
        {
        case .obstacle(let reason): return reason
        case .folder(let identity):
            known.withLock { $0.folders[folder] = identity }
            return nil
        case .nothing: return nil
        }
    }

    /// Holds the output itself; throws where it is gone, or another folder is in its place.
    func holdTop() throws(FileSystemError) -> DirectoryHandle {
        let output = places.output
        let held = try ifThere { () throws(FileSystemError) in try DirectoryHandle(output) }
        if let held, held.identity == known.withLock({ $0.folders[.empty] }) { return held }
        // Not every file system gives a folder the same number for ever. Another run's output bears
        // a mark too, but not the one that is locked.
        guard let held, OutputLock.isHeld(held, for: places.root) else {
            throw .outputGone(output)
        }
        known.withLock { $0.folders[.empty] = held.identity }
        return held
    }
}

// MARK: - Whose a file is

extension OutputOwnership {
    /// Takes in that files of these names were put in their places in a folder.
    func noteLanded(_ names: [Pathname], of entry: ManifestEntry, in folder: Pathname) {
        known.withLock { known in
            for name in names {
                guard let file = entry.file(name), let source = entry.source else { continue }
                known.landed[folder, default: [:]][name] = OutputRecords.Written(file, of: source)
            }
        }
    }

    /// Forgets what landed, but for some folders: all other manifests have it.
    func forgetLanded(but folders: [Pathname]) {
        let kept = Set(folders)
        known.withLock { known in
            known.landed = known.landed.filter { kept.contains($0.key) }
            known.recorded = [:]
        }
        if folders.isEmpty { journal.letGo() }
    }

    /// Whether a file may be replaced by an output: it is an earlier one, or has nothing in it.
    ///
    /// It has to be as some record says that it was written; a waveform, which nobody else makes,
    /// need only begin like one. A copy looks like a recording, and may be one that somebody has
    /// moved there: without a record it has to be as old as its source, to the nanosecond.
    /// - Parameter source: the recording's, where it is there.
    /// - Complexity: O(entries of the folder) the first time; asked only where a name is taken.
    func mayReplace(
        _ name: Pathname, in held: DirectoryHandle, of folder: Pathname,
        source: FileStamp? = nil
    ) throws(FileSystemError) -> Bool {
        guard let found = try held.status(of: name) else { return true }
        guard found.kind == .regular else { return false }
        if found.stamp.bytes == 0 { return true }
        if try isRecorded(name, found.stamp, in: held, of: folder) { return true }
        if name.isWaveformName {
            return WaveformBeginning.isThere(as: name, in: held)
        }
        return source.map {
            FileStamp.isTime(found.stamp.modifiedNanoseconds, $0.modifiedNanoseconds)
        } ?? false
    }

    /// Whether a file that no entry names any more may be removed: of copies, those alone that are
    /// as some record says that they were written.
    func mayRemove(
        _ name: Pathname, in held: DirectoryHandle, of folder: Pathname
    ) throws(FileSystemError) -> Bool {
        guard !name.isWaveformName, let found = try held.status(of: name) else { return true }
        return try isRecorded(name, found.stamp, in: held, of: folder)
    }

    private func isRecorded(
        _ name: Pathname, _ found: FileStamp, in held: DirectoryHandle, of folder: Pathname
    ) throws(FileSystemError) -> Bool {
        if let landed = landed(name, in: folder), landed.isThat(found, as: name, in: held) {
            return true
        }
        return try records(in: folder)[name].contains { $0.isThat(found, as: name, in: held) }
    }

    private func landed(_ name: Pathname, in folder: Pathname) -> OutputRecords.Written? {
        known.withLock { $0.landed[folder]?[name] }
    }

    /// What the manifest, and the journal of an earlier run, say of outputs in a folder.
    private func records(in folder: Pathname) throws(FileSystemError) -> OutputRecords {
        if let records = known.withLock({ $0.recorded[folder] }) { return records }
        var records = try ownRecords(in: folder) ?? OutputRecords()
        try journal.forEachFact(in: folder) { records.add($0) }
        records.sort()
        known.withLock { $0.recorded[folder] = records }
        return records
    }

    /// Whether some record names each of these files in a folder; a manifest is one's own if it
    /// can be read, and is of this folder.
    private func ownsAll(
        in folder: Pathname, among names: [Pathname]
    ) throws(FileSystemError) -> Bool {
        if names.contains(OutputNames.manifest) { return try ownRecords(in: folder) != nil }
        let records = try records(in: folder)
        return names.allSatisfy { !records[$0].isEmpty || landed($0, in: folder) != nil }
    }

    /// What the folder's manifest says; `nil` where there is none, or none of this folder.
    private func ownRecords(in folder: Pathname) throws(FileSystemError) -> OutputRecords? {
        let manifest = try ManifestFile.readIfSound(
            in: places.output.appending(folder), into: OutputRecords()
        ) { (records, json) throws(JSONCursor.Malformed) in
            records.add(try ManifestEntry(&json))
        }
        return manifest?.folder == folder.orDot ? manifest?.entries : nil
    }
}

extension Pathname {
    /// Whether an output of this name is a waveform, and no copy.
    var isWaveformName: Bool { ["dat", "json"].contains(fileExtension) }
}
