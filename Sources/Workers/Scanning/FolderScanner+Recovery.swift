import Glibc
import Jobs
import Recordings

extension FolderScanner {
    /// Completes the renames that a crash interrupted, and deletes its other temporary files.
    ///
    /// If a rename fails, nothing else is done. The output's lock excludes other runs.
    /// - Returns: in a dry run, the temporary name of each file that would be renamed.
    func recover(
        _ recorded: OutputRecord.FolderContents, in path: Pathname
    ) throws(FileSystemError) -> [Pathname: Pathname] {
        let files = recorded.staged
        let folder = places.output.appending(path)
        let moves = try unfinishedMoves(of: files, in: folder)
        if isDryRun {
            return Dictionary(moves.map { ($0.name, $0.temporary) }, uniquingKeysWith: { $1 })
        }
        let hidden = try ifThere { () throws(FileSystemError) in
            try DirectoryReader(folder).names(beginningWith: ".tapedeck.")
        }
        let left = (hidden ?? []).filter(StagedOutput.isLeftOver)
        let isClean = files.isEmpty && !recorded.hasOrphans
        guard !left.isEmpty || !isClean else { return [:] }
        if hidden == nil, try isGone(folder) {
            // So is all that was on its way there.
            try record.endRecovery(of: path)
            return [:]
        }
        let held = try hold(path)
        for file in moves {
            do throws(FileSystemError) {
                if try ownership.mayReplace(file.name, in: held, of: path) {
                    try held.rename(file.temporary, to: file.name)
                } else {
                    try held.rename(file.temporary, toUnused: file.name)
                }
            } catch {
                // The file in its place is not an earlier output: the recording is processed again,
                // and fails.
                guard [EISDIR, EEXIST].contains(error.code) else { throw error }
            }
        }
        if !isClean {
            // The renames have to be on the disk before the record no longer asks for them.
            try FileSystem.syncAll(at: folder)
            try record.endRecovery(of: path)
        }
        for name in left { try? held.remove(name) }
        return [:]
    }

    /// Renames a manifest that this program has not printed, or could not read when it made the
    /// record, and returns its new name; `nil` if there is none.
    ///
    /// Many programs give their files that name: nothing of it must be lost.
    /// - Parameter isKnown: whether the record knows the folder.
    func setAsideManifest(
        in folder: Pathname, isKnown: Bool
    ) throws(FileSystemError) -> Pathname? {
        let place = places.output.appending(folder)
        let found = try ifThere { () throws(FileSystemError) in
            try FileSystem.status(place.appending(OutputNames.manifest), followingLink: false)
        }
        guard let found, found.kind == .regular, found.stamp.bytes > 0 else { return nil }
        if isKnown, try !ManifestFile.isForeign(found, in: place) { return nil }
        return try hold(folder).setAside(OutputNames.manifest, suffix: ".unreadable")
    }

    /// Whether not even a symlink is left of a folder: that may lead to a disk that comes back.
    private func isGone(_ folder: Pathname) throws(FileSystemError) -> Bool {
        try ifThere { () throws(FileSystemError) in
            try FileSystem.status(folder, followingLink: false)
        } == nil
    }

    /// As `OutputOwnership.hold`, for a folder that a moment ago had no obstacle.
    private func hold(_ folder: Pathname) throws(FileSystemError) -> DirectoryHandle {
        do throws(RecordingFailure) {
            return try ownership.hold(folder)
        } catch {
            let path = places.output.appending(folder)
            switch error.reason {
            case .outputGone: throw .outputGone(places.output)
            case .placeTaken: throw .placeTaken(path)
            default: throw FileSystemError(path, code: error.code.map(Int32.init) ?? EAGAIN)
            }
        }
    }

    /// Files that a crash kept from their names: complete, with the recorded time and digest.
    private func unfinishedMoves(
        of files: [RecordedFile], in folder: Pathname
    ) throws(FileSystemError) -> [StagedFile] {
        var moves: [StagedFile] = []
        for file in files {
            guard let temporary = file.temporary, let stamp = file.stamp else { continue }
            let place = folder.appending(temporary)
            let found = try ifThere { () throws(FileSystemError) in
                try FileSystem.status(place, followingLink: false)
            }
            guard let found, found.kind == .regular, found.stamp.matches(stamp),
                try StagedOutput.receipt(of: place).sha256 == file.sha256
            else { continue }
            moves.append(StagedFile(temporary: temporary, name: file.name))
        }
        return moves
    }
}
