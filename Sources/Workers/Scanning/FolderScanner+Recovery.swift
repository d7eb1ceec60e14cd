import Glibc
import Jobs
import Recordings

extension FolderScanner {
    /// Renames files into place that a crash kept from it, and removes what else it left.
    ///
    /// If a file cannot be renamed, nothing else is done. The output's lock keeps other runs away.
    /// - Returns: for those that a dry run leaves where they are, where that is.
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
        // What is seen of the journal and of these files need not be on the disk for certain. If it
        // came to light otherwise after a loss of power, nothing would be left to go on from.
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
                // What is in its place is no earlier output: the recording is done again, and
                // fails.
                guard [EISDIR, EEXIST].contains(error.code) else { throw error }
            }
        }
        for name in left { try? held.remove(name) }
        return [:]
    }

    /// Keeps a manifest that could not be read under another name, which is told; `nil` where it is
    /// not that one any more.
    ///
    /// It may be damaged, a later version's, or somebody else's: what it says is not lost for that.
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

    /// As `OutputOwnership.hold`, of a folder in the way of which nothing was a moment ago.
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
