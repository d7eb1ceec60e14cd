import Jobs
import Recordings

/// A manifest that is written and not in its place yet.
struct StagedManifest {
    /// The folder's path below the output.
    let place: Pathname
    /// The folder's path.
    ///
    /// It is not held open: there may be more of them than files may be open.
    let folder: Pathname
    /// `nil` if the present manifest is the same, so that it keeps its time.
    private let file: StagedFile?
    /// Files to be deleted.
    private let obsolete: [RecordedFile]
    /// Whether the manifest is deleted too, with its folder.
    private let isLast: Bool
    /// Obsolete outputs that are retained, as they were modified.
    private(set) var spared: [Pathname] = []
    /// The manifest's stamp; `nil` before it is in its place, or if it is deleted.
    private(set) var printed: FileStamp?

    init(
        _ folder: DirectoryHandle, _ order: ManifestOrder, _ file: StagedFile?,
        obsolete: [RecordedFile]
    ) {
        self.folder = folder.path
        syncedFolder = folder.path
        place = order.folder
        self.file = file
        self.obsolete = obsolete
        isLast = order.isLast
    }

    var hasChanged: Bool { file != nil }

    var hasDeleted: Bool { isLast || !obsolete.isEmpty }

    /// A folder on the same disk that exists after `publish`.
    private(set) var syncedFolder: Pathname

    /// The obsolete outputs, which are gone once this is published, or nobody's to delete.
    var removed: [Pathname] { obsolete.map(\.name) }

    /// Puts it in its place, and deletes the obsolete outputs.
    mutating func publish(_ ownership: OutputOwnership) throws(RecordingFailure) {
        let held = try ownership.hold(place)
        try inStage(.manifest) { () throws(FileSystemError) in
            try requireNoOther(held)
            if let file { try held.rename(file.temporary, to: file.name) }
            let (names, problem) = removable(held)
            try held.removeAll(names)
            if let problem { throw problem }
            if isLast { try held.remove(OutputNames.manifest) }
            printed = try held.status(of: OutputNames.manifest)?.stamp
        }
        if isLast { removeEmptyFolders(ownership) }
    }

    /// The names of obsolete files that are as they were made: somebody may have put another there.
    /// - Returns: these, and the first error with another.
    private mutating func removable(
        _ held: DirectoryHandle
    ) -> (names: [Pathname], problem: FileSystemError?) {
        var removable: Set<Pathname> = []
        var problem: FileSystemError?
        for file in obsolete {
            do throws(FileSystemError) {
                guard let found = try held.status(of: file.name) else { continue }
                var isOurs = found.kind == .regular
                if file.stamp != nil {
                    if isOurs { isOurs = try file.isThat(found.stamp, in: held) }
                } else if file.name.isWaveformName {
                    isOurs = try WaveformBeginning.isThere(as: file.name, in: held)
                } else {
                    isOurs = false
                }
                if isOurs { removable.insert(file.name) } else { spared.append(file.name) }
            } catch {
                problem = problem ?? error
            }
        }
        spared = Set(spared).subtracting(removable).sorted()
        return (removable.sorted(), problem)
    }

    /// Throws where a file lies there that is no manifest of this program.
    ///
    /// Many programs give their files that name. What was there when the folder was listed, and
    /// could not be read, is kept under another by now.
    private func requireNoOther(_ held: DirectoryHandle) throws(FileSystemError) {
        let found = try held.status(of: OutputNames.manifest)
        guard try ManifestFile.isForeign(found, in: folder) else { return }
        throw .nameTaken(folder.appending(OutputNames.manifest))
    }

    /// Removes the folder, and those above it, as far as they have nothing in them any more.
    private mutating func removeEmptyFolders(_ ownership: OutputOwnership) {
        var place = place
        while !place.isEmpty {
            guard let above = try? ownership.hold(place.parent),
                above.removeDirectory(place.lastComponent)
            else { return }
            syncedFolder = above.path
            place = place.parent
        }
    }

    func discard(_ ownership: OutputOwnership) {
        if let file { try? ownership.hold(place).remove(file.temporary) }
    }
}
