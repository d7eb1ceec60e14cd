import Jobs
import Recordings

/// A manifest that is written and not in its place yet.
struct StagedManifest {
    let output: Pathname
    /// The folder's path below the output.
    let place: Pathname
    /// `nil` where the manifest says all of it already, so that nothing seems new where nothing is:
    /// a recording that failed before and fails again changes nothing.
    let file: StagedFile?
    /// Outputs that no entry names any more.
    let superfluous: [Pathname]
    /// Whether the manifest goes again, with its folder.
    let isLast: Bool
    /// Of the superfluous ones those that stay, as they are not as they were written.
    private(set) var spared: [Pathname] = []

    init(
        output: Pathname, place: Pathname, file: StagedFile?, superfluous: [Pathname],
        isLast: Bool
    ) {
        self.output = output
        self.place = place
        self.file = file
        self.superfluous = superfluous
        self.isLast = isLast
    }

    var folder: Pathname { output.appending(place) }
    /// Whether there is something in the folder that has to come onto the disk.
    var hasChanged: Bool { file != nil || !superfluous.isEmpty }

    /// Removes the outputs that no entry names any more, while the manifest is still there that
    /// tells what they are.
    ///
    /// That has to come onto the disk before `publish`: a loss of power must not bring them back
    /// without an entry that names them.
    mutating func removeSuperfluous(_ claims: OutputClaims) throws(RecordingFailure) {
        guard !superfluous.isEmpty else { return }
        let held = try claims.hold(place)
        var removable: [Pathname] = []
        try inStage(.manifest) { () throws(FileSystemError) in
            try requireNoOther(held)
            for name in superfluous {
                if try claims.mayRemove(name, in: held, of: place) {
                    removable.append(name)
                } else {
                    spared.append(name)
                }
            }
            for name in removable { try held.remove(name) }
        }
    }

    /// Puts it in its place.
    func publish(_ claims: OutputClaims) throws(RecordingFailure) {
        let held = try claims.hold(place)
        try inStage(.manifest) { () throws(FileSystemError) in
            try requireNoOther(held)
            if let file { try held.rename(file.temporary, to: file.name) }
            if isLast { try held.remove(OutputNames.manifest) }
        }
        if isLast { removeEmptyFolders() }
    }

    /// Throws where a file lies there that is no manifest of this program.
    ///
    /// Many programs give their files that name. What was there when the folder was listed, and
    /// could not be read, is kept under another by now.
    private func requireNoOther(_ held: borrowing HeldFolder) throws(FileSystemError) {
        let found = try held.status(of: OutputNames.manifest)
        guard let found, found.kind == .regular, found.stamp.bytes > 0,
            !ManifestFile.isThere(in: folder)
        else { return }
        throw .nameTaken(folder.appending(OutputNames.manifest))
    }

    /// Removes the folders that have nothing in them any more.
    private func removeEmptyFolders() {
        var empty: [Pathname] = []
        var place = folder
        while place != output, output.contains(place) {
            empty.insert(place, at: 0)
            place = place.parent
        }
        FileSystem.removeEmptyFolders(empty)
    }

    func discard() {
        if let file { try? FileSystem.remove(folder.appending(file.temporary)) }
    }
}
