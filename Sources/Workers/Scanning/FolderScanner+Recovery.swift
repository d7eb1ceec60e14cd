import Glibc
import Jobs
import Recordings

extension FolderScanner {
    /// Completes the renames that a crash interrupted, and deletes its other temporary files.
    ///
    /// If a rename fails, nothing else is done. The output's lock excludes other runs.
    /// - Returns: in a dry run, the temporary name of each file that would be renamed.
    func recover(
        _ facts: [EarlierFact], in path: Pathname
    ) throws(FileSystemError) -> [Pathname: Pathname] {
        let folder = places.output.appending(path)
        let moves = try unfinishedMoves(of: facts, in: folder)
        if isDryRun {
            return Dictionary(moves.map { ($0.name, $0.temporary) }, uniquingKeysWith: { $1 })
        }
        let hidden = try ifThere { () throws(FileSystemError) in
            try DirectoryReader(folder).names(beginningWith: ".tapedeck.")
        }
        let left = (hidden ?? []).filter(StagedOutput.isLeftOver)
        guard !left.isEmpty else { return [:] }
        // The journal and these files may not be on disk yet. If a power loss then reverted one of
        // them, recovery would have nothing left to work from.
        try FileSystem.syncAll(at: places.output)
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
        for name in left { try? held.remove(name) }
        return [:]
    }

    /// Renames an unreadable manifest and returns its new name; `nil` if it has been replaced.
    ///
    /// It may be damaged, from a later version, or foreign: its contents must not be lost.
    func setAside(
        _ manifest: FileStamp, in folder: Pathname
    ) throws(RecordingFailure) -> Pathname? {
        let held = try ownership.hold(folder)
        return try inStage(.manifest) { () throws(FileSystemError) in
            try setAside(manifest, in: held)
        }
    }

    private func setAside(
        _ manifest: FileStamp, in held: DirectoryHandle
    ) throws(FileSystemError) -> Pathname? {
        let found = try held.status(of: OutputNames.manifest)
        guard let found, found.kind == .regular, found.stamp == manifest else { return nil }
        let name = Pathname(bytes: OutputNames.manifest.bytes + ".unreadable".utf8)
        for number in 1... {
            let free = number == 1 ? name : name.adding(suffix: ".\(number)")
            do throws(FileSystemError) {
                try held.rename(OutputNames.manifest, toUnused: free)
                return free
            } catch {
                guard error.code == EEXIST else { throw error }
            }
        }
        return nil
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

    private func unfinishedMoves(
        of facts: [EarlierFact], in folder: Pathname
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
}
