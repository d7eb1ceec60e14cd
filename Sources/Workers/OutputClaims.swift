import Jobs
import Recordings
import Synchronization

/// What in the output is the run's to write over and to remove.
///
/// An output is a folder like any other: while somebody watches, people move recordings there, or
/// put a link or a disk in the place of one of its folders. So whoever puts something in its place,
/// or takes something away, asks for the folder here, and does it in the one that was looked at.
final class OutputClaims: Sendable {
    private let places: RunPlaces
    private let journal: RecoveredJournal
    private let known: Mutex<Known>

    private struct Known {
        /// Of each folder that was looked at, by its path below the output, which one it is.
        var folders: [Pathname: UInt64] = [:]
        /// Names of files that were put in their places since the journal was last put away: not
        /// all manifests have them yet.
        var landed: [Pathname: Set<Pathname>] = [:]
        /// The manifest that was asked last, and what it names.
        var manifest: (folder: Pathname, stamp: FileStamp, names: Set<Pathname>)?
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
    /// Throws where it is not the output's own: one that became another since it was looked at is
    /// looked at again.
    func hold(_ folder: Pathname) throws(RecordingFailure) -> HeldFolder {
        try inStage(.manifest) { () throws(FileSystemError) in try requireTop() }
        let place = places.output.appending(folder)
        let held = try inStage(.manifest) { () throws(FileSystemError) in try HeldFolder(place) }
        let identity = try inStage(.manifest) { () throws(FileSystemError) in
            try held.status().identity
        }
        if known.withLock({ $0.folders[folder] }) == identity { return held }
        let reason = try inStage(.manifest) { () throws(FileSystemError) in
            try obstacle(in: folder)
        }
        if let reason { throw RecordingFailure(stage: .manifest, reason: reason) }
        guard known.withLock({ $0.folders[folder] }) == identity else {
            // It became another one again while it was looked at.
            throw RecordingFailure(stage: .manifest, reason: .unavailable)
        }
        return held
    }

    /// Why nothing can be written in a folder, by its path; `nil` where nothing is in the way.
    func obstacle(in folder: Pathname) throws(FileSystemError) -> RecordingFailure.Reason? {
        // Whether the output itself is another one, its mark tells.
        let isNew = folder.isEmpty || known.withLock { $0.folders[folder] == nil }
        let place = OutputPlace(folder, places)
        switch try place.finding(isNew: isNew, isOwn: { self.ownsAll(in: folder, among: $0) }) {
        case .obstacle(let reason): return reason
        case .folder(let identity):
            known.withLock { $0.folders[folder] = identity }
            return nil
        case .nothing: return nil
        }
    }

    /// Throws where the output itself is gone, or another folder is in its place.
    private func requireTop() throws(FileSystemError) {
        let output = places.output
        let identity = try ifThere { () throws(FileSystemError) in
            try FileSystem.status(output).identity
        }
        guard identity == nil || identity != known.withLock({ $0.folders[.empty] }) else { return }
        // Not every file system gives a folder the same number for ever.
        guard let identity, OutputFolder.isMarked(output) else { throw .outputGone(output) }
        known.withLock { $0.folders[.empty] = identity }
    }
}

// MARK: - Whose a name is

extension OutputClaims {
    /// Takes in that files of these names were put in their places in a folder.
    func noteLanded(_ names: [Pathname], in folder: Pathname) {
        guard !names.isEmpty else { return }
        known.withLock { $0.landed[folder, default: []].formUnion(names) }
    }

    /// Forgets what landed, but for some folders: all other manifests have it.
    func forgetLanded(but folders: [Pathname]) {
        let kept = Set(folders)
        known.withLock { known in known.landed = known.landed.filter { kept.contains($0.key) } }
    }

    /// Whether a file in a folder is some recording's output, by what any record says.
    /// - Complexity: O(entries of the folder) the first time; asked only where a name is taken
    ///   already, and not by the recording's own earlier output.
    func owns(_ name: Pathname, in folder: Pathname) -> Bool {
        if known.withLock({ $0.landed[folder]?.contains(name) == true }) { return true }
        if namedByManifest(of: folder)?.contains(name) == true { return true }
        return namedByJournal(of: folder).contains(name)
    }

    /// Whether some record names each of these files in a folder; a manifest is one's own if it can
    /// be read, and is of this folder.
    private func ownsAll(in folder: Pathname, among names: [Pathname]) -> Bool {
        if names.contains(OutputNames.manifest) { return namedByManifest(of: folder) != nil }
        let landed = known.withLock { $0.landed[folder] ?? [] }
        return Set(names).subtracting(landed).isSubset(of: namedByJournal(of: folder))
    }

    private func namedByJournal(of folder: Pathname) -> Set<Pathname> {
        Set(journal.facts(in: folder).flatMap { $0.entry.outputs + $0.obsolete })
    }

    /// `nil` where there is no manifest, or none of this folder.
    private func namedByManifest(of folder: Pathname) -> Set<Pathname>? {
        let place = places.output.appending(folder)
        let stamp = try? FileSystem.status(place.appending(OutputNames.manifest)).stamp
        let last = known.withLock { $0.manifest }
        if let last, last.folder == folder, last.stamp == stamp { return last.names }
        guard let stamp, let manifest = try? ManifestFile.read(in: place),
            manifest.folder == (folder.isEmpty ? "." : folder)
        else { return nil }
        let names = Set(manifest.recordings.flatMap(\.outputs))
        known.withLock { $0.manifest = (folder, stamp, names) }
        return names
    }
}
