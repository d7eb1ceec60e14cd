import Jobs
import Recordings

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

extension FolderScanner {
    /// Moves files to their places that a crash kept from it, and removes what else it left.
    ///
    /// Where a file cannot be moved nothing else may be done: in its place may be an earlier output
    /// that nothing but its bytes tells from it, and once it is gone nobody would know. No other
    /// run can be writing here: this one holds the output's lock.
    /// - Returns: for those that a dry run leaves where they are, where that is.
    func recover(
        _ facts: [JournalFact], in folder: Pathname
    ) throws(FileSystemError) -> [Pathname: Pathname] {
        let moves = try unfinishedMoves(of: facts, in: folder)
        if isDryRun {
            return Dictionary(moves.map { ($0.name, $0.temporary) }, uniquingKeysWith: { $1 })
        }
        let hidden = try ifThere { () throws(FileSystemError) in
            try OpenFolder(folder).names(beginningWith: ".tapedeck.")
        }
        let left = (hidden ?? []).filter(StagedOutput.isTemporary)
        guard !left.isEmpty else { return [:] }
        // What is seen of the journal and of these files need not be on the disk for certain. If it
        // came to light otherwise after a loss of power, nothing would be left to go on from.
        try FileSystem.syncAll(at: places.output)
        for file in moves {
            do throws(FileSystemError) {
                try FileSystem.rename(
                    folder.appending(file.temporary), to: folder.appending(file.name))
            } catch {
                // A folder in its place is no earlier output: the recording is done again, and
                // fails.
                guard error.code == EISDIR else { throw error }
            }
        }
        for name in left { try? FileSystem.remove(folder.appending(name)) }
        return [:]
    }

    private func unfinishedMoves(
        of facts: [JournalFact], in folder: Pathname
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
