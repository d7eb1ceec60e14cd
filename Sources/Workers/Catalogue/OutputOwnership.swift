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
    private let record: OutputRecord
    /// The identity of each folder that was examined, by its path below the output.
    private let known: Mutex<[Pathname: UInt64]>

    init(_ places: RunPlaces, _ record: OutputRecord) {
        self.places = places
        self.record = record
        var known: [Pathname: UInt64] = [:]
        known[.empty] = (try? FileSystem.status(places.output))?.identity
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
            known.withLock { $0[place] = held.identity }
        } else {
            try require(held, as: place, stage)
        }
        return held
    }

    /// Throws unless an opened folder is the one that was looked at, or can be.
    private func require(
        _ held: DirectoryHandle, as folder: Pathname, _ stage: Stage
    ) throws(RecordingFailure) {
        if known.withLock({ $0[folder] }) == held.identity { return }
        let reason = try inStage(stage) { () throws(FileSystemError) in
            try ownObstacle(in: folder)
        }
        if let reason { throw RecordingFailure(stage: stage, reason: reason) }
        guard known.withLock({ $0[folder] }) == held.identity else {
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
        let seen = known.withLock { $0[folder] }
        // Other shards put files there that this one's record does not have.
        let isSeen =
            places.shard != nil && seen != nil
            && (try? FileSystem.status(places.output.appending(folder)))?.identity == seen
        let isNew = folder.isEmpty || seen == nil || isSeen
        let place = OutputPlace(folder, places)
        switch try place.finding(
            isNew: isNew,
            isOwn: { (names) throws(FileSystemError) in try ownsAll(in: folder, among: names) })
        {
        case .obstacle(let reason): return reason
        case .folder(let identity):
            known.withLock { $0[folder] = identity }
            return nil
        case .nothing: return nil
        }
    }

    /// Holds the output itself; throws where it is gone, or another folder is in its place.
    func holdTop() throws(FileSystemError) -> DirectoryHandle {
        let output = places.output
        let held = try ifThere { () throws(FileSystemError) in try DirectoryHandle(output) }
        if let held, held.identity == known.withLock({ $0[.empty] }) { return held }
        // Not every file system gives a folder the same number for ever. Another run's output is
        // not locked.
        guard let held, OutputLock.isHeld(held, isShared: true) else {
            throw .outputGone(output)
        }
        known.withLock { $0[.empty] = held.identity }
        return held
    }
}

// MARK: - Whose a file is

extension OutputOwnership {
    /// Whether a file may be replaced by an output: it is an earlier one, or has nothing in it.
    ///
    /// It has to be as some record says that it was written; a waveform, which nobody else makes,
    /// need only begin like one. A copy looks like a recording, and may be one that somebody has
    /// moved there: without a record it has to be as old as its source, to the nanosecond.
    /// - Parameter source: the recording's, where it is there.
    func mayReplace(
        _ name: Pathname, in held: DirectoryHandle, of folder: Pathname,
        source: FileStamp? = nil
    ) throws(FileSystemError) -> Bool {
        guard let found = try held.status(of: name) else { return true }
        guard found.kind == .regular else { return false }
        if found.stamp.bytes == 0 { return true }
        if try isRecorded(name, found.stamp, in: held, of: folder) { return true }
        if name.isWaveformName {
            return try WaveformBeginning.isThere(as: name, in: held)
        }
        return source.map {
            FileStamp.isTime(found.stamp.modifiedNanoseconds, $0.modifiedNanoseconds)
        } ?? false
    }

    private func isRecorded(
        _ name: Pathname, _ found: FileStamp, in held: DirectoryHandle, of folder: Pathname
    ) throws(FileSystemError) -> Bool {
        for file in try record.files(named: name, in: folder) where try file.isThat(found, in: held)
        {
            return true
        }
        return false
    }

    /// Whether the record names each of these files in a folder; a manifest is one's own if it is
    /// of this folder.
    private func ownsAll(
        in folder: Pathname, among names: [Pathname]
    ) throws(FileSystemError) -> Bool {
        if names.contains(OutputNames.manifest) {
            return try ManifestFile.isThere(for: folder, in: places.output)
        }
        for name in names where try record.files(named: name, in: folder).isEmpty { return false }
        return true
    }
}

extension RecordedFile {
    /// Whether a file is this one: read only if its time differs, as after a copy of the output.
    ///
    /// Throws if it cannot be read just now: then nobody knows.
    func isThat(_ found: FileStamp, in folder: DirectoryHandle) throws(FileSystemError) -> Bool {
        guard let stamp, found.bytes == stamp.bytes else { return false }
        if found.matches(stamp) { return true }
        guard sha256 != nil else { return false }
        return try ifReadable { () throws(FileSystemError) in
            try folder.receipt(of: name).sha256 == sha256
        } ?? false
    }
}

extension Pathname {
    /// Whether an output of this name is a waveform, and no copy.
    var isWaveformName: Bool { ["dat", "json"].contains(fileExtension) }
}
