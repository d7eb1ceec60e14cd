import Jobs
import Recordings

/// A manifest that is written and not in its place yet.
struct StagedManifest {
    /// The folder's path below the output.
    let place: Pathname
    /// Where it was written.
    ///
    /// It is not held: there may be more of them than files may be open.
    let folder: Pathname
    /// `nil` where the manifest says all of it already, so that nothing seems new where nothing is:
    /// a recording that failed before and fails again changes nothing.
    private let file: StagedFile?
    /// Outputs that go when the manifest is in its place.
    private let obsolete: [Pathname]
    /// Outputs that go before.
    private let leaving: [Pathname]
    /// Whether the manifest goes again, with its folder.
    private let isLast: Bool
    /// Of the outputs those that stay, as they are not as they were written.
    private(set) var spared: [Pathname] = []

    init(_ folder: DirectoryHandle, _ order: ManifestOrder, _ file: StagedFile?) {
        self.folder = folder.path
        place = order.folder
        self.file = file
        obsolete = order.obsolete
        leaving = order.leaving
        isLast = order.isLast
    }

    /// Whether there is something in the folder that has to come onto the disk.
    var hasChanged: Bool { file != nil || !leaving.isEmpty }

    /// Removes the outputs that go before the manifest no longer names them.
    ///
    /// That has to come onto the disk before `publish`: a loss of power must not bring them back
    /// without an entry that names them.
    mutating func prepare(_ ownership: OutputOwnership) throws(RecordingFailure) {
        guard !leaving.isEmpty else { return }
        let held = try ownership.hold(place)
        try inStage(.manifest) { () throws(FileSystemError) in
            try requireNoOther(held)
            try held.removeAll(try removable(leaving, held, ownership))
        }
    }

    /// Puts it in its place, and then removes the outputs that are obsolete.
    mutating func publish(_ ownership: OutputOwnership) throws(RecordingFailure) {
        let held = try ownership.hold(place)
        try inStage(.manifest) { () throws(FileSystemError) in
            try requireNoOther(held)
            // As long as the manifest is there that tells what they are, and no earlier: somebody
            // may move an original there any time.
            let obsolete = try removable(obsolete, held, ownership)
            if let file { try held.rename(file.temporary, to: file.name) }
            try held.removeAll(obsolete)
            if isLast { try held.remove(OutputNames.manifest) }
        }
        if isLast { removeEmptyFolders(ownership) }
    }

    /// Those that may be removed: a recording may have been moved there that bears the name.
    private mutating func removable(
        _ names: [Pathname], _ held: DirectoryHandle, _ ownership: OutputOwnership
    ) throws(FileSystemError) -> [Pathname] {
        var removable: [Pathname] = []
        for name in names {
            if try ownership.mayRemove(name, in: held, of: place) {
                removable.append(name)
            } else {
                spared.append(name)
            }
        }
        return removable
    }

    /// Throws where a file lies there that is no manifest of this program.
    ///
    /// Many programs give their files that name. What was there when the folder was listed, and
    /// could not be read, is kept under another by now.
    private func requireNoOther(_ held: DirectoryHandle) throws(FileSystemError) {
        let found = try held.status(of: OutputNames.manifest)
        guard let found, found.kind == .regular, found.stamp.bytes > 0,
            !ManifestFile.isThere(in: folder)
        else { return }
        throw .nameTaken(folder.appending(OutputNames.manifest))
    }

    /// Removes the folder, and those above it, as far as they have nothing in them any more.
    private func removeEmptyFolders(_ ownership: OutputOwnership) {
        var place = place
        while !place.isEmpty {
            guard let above = try? ownership.hold(place.parent),
                above.removeDirectory(place.lastComponent)
            else { return }
            place = place.parent
        }
    }

    func discard(_ ownership: OutputOwnership) {
        if let file { try? ownership.hold(place).remove(file.temporary) }
    }
}
