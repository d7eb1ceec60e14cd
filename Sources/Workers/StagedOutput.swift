import Recordings

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// A file that appears under its name only when it is complete.
///
/// It is made under a temporary name in the same folder and renamed at the end, so whoever looks
/// sees either the old file or the whole new one. One that is neither committed nor left under its
/// temporary name, complete, for somebody else to move is removed.
struct StagedOutput: ~Copyable {
    /// What is known of a file once it is in place.
    struct Receipt {
        var bytes: Int64
        /// In hexadecimal.
        var sha256: String
    }

    /// Temporary names begin and end like this; scanning removes what a crash has left.
    static let temporaryPrefix = ".tapedeck."
    static let temporarySuffix = ".partial"

    /// Where the bytes go until the commit.
    let temporary: Pathname
    private let names: StagedFile
    private let folder: Pathname
    private var isDone = false

    /// Prepares for a file in a folder, which is made if need be.
    /// - Parameters:
    ///   - output: where the folder lies in an output, that one, which is not made: where it is
    ///     gone, so is the mark in it, and with it all that keeps others away.
    ///   - tag: tells this output from others that are made in the folder meanwhile.
    init(
        _ name: Pathname, in folder: Pathname, below output: Pathname? = nil, tag: String
    ) throws(FileSystemError) {
        try StagedOutput.makeFolder(folder, below: output)
        self.folder = folder
        names = StagedFile(
            temporary: Pathname(
                StagedOutput.temporaryPrefix + tag + StagedOutput.temporarySuffix),
            name: name)
        temporary = folder.appending(names.temporary)
    }

    /// Makes the folder if need be, but not the output that it lies in.
    private static func makeFolder(
        _ folder: Pathname, below output: Pathname?
    ) throws(FileSystemError) {
        // Where it is there, so is what it lies in.
        if (try? FileSystem.status(folder))?.kind == .folder { return }
        if let output {
            let top = try ifThere { () throws(FileSystemError) in try FileSystem.status(output) }
            guard top != nil else { throw .outputGone(output) }
        }
        do throws(FileSystemError) {
            try FileSystem.makeFolder(folder)
        } catch {
            // A link that leads nowhere is for a disk that is not there.
            let isLink = (try? FileSystem.status(folder, followingLink: false))?.kind == .link
            let isTaken = error.code == ENOTDIR || error.code == EEXIST && !isLink
            throw output != nil && isTaken ? .placeTaken(folder) : error
        }
    }

    deinit {
        if !isDone { try? FileSystem.remove(temporary) }
    }

    static func isTemporary(_ name: Pathname) -> Bool {
        name.bytes.starts(with: temporaryPrefix.utf8)
            && name.bytes.suffix(temporarySuffix.utf8.count).elementsEqual(temporarySuffix.utf8)
    }

    /// Writes the file from the chunks that `body` hands out, and hashes them on their way.
    func write(
        syncing: Bool = false,
        _ body: (([UInt8]) throws(FileSystemError) -> Void) throws(FileSystemError) -> Void
    ) throws(FileSystemError) -> Receipt {
        let flags = O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC
        let descriptor = temporary.withCString { open($0, flags, 0o666) }
        guard descriptor >= 0 else { throw FileSystemError(temporary) }
        var running = RunningReceipt()
        do throws(FileSystemError) {
            try body { (chunk: [UInt8]) throws(FileSystemError) in
                chunk.withUnsafeBytes { running.add($0) }
                try FileSystem.write(chunk, to: descriptor, of: temporary)
            }
            if syncing, fsync(descriptor) != 0 { throw FileSystemError(temporary) }
        } catch {
            close(descriptor)
            throw error
        }
        guard close(descriptor) == 0 else { throw FileSystemError(temporary) }
        return running.receipt
    }

    /// Hashes what somebody else has written to `temporary`.
    func receipt(
        isCancelled: () -> Bool = { false }
    ) throws(FileSystemError) -> Receipt {
        try StagedOutput.receipt(of: temporary, isCancelled: isCancelled)
    }

    /// Hashes a file, a bounded chunk at a time; what was hashed when told to stop is of no use.
    static func receipt(
        of path: Pathname, isCancelled: () -> Bool = { false }
    ) throws(FileSystemError) -> Receipt {
        var running = RunningReceipt()
        try FileSystem.forEachChunk(of: path, isCancelled: isCancelled) { running.add($0) }
        return running.receipt
    }

    /// Leaves the complete file under its temporary name, bearing a given time of last change.
    ///
    /// Outputs bear their source's time: so an output that was altered since can be told without
    /// reading it, and the same tree gives the same tree, times included.
    consuming func keep(
        modifiedNanoseconds: Int64
    ) throws(FileSystemError) -> StagedFile {
        try FileSystem.setModified(temporary, nanoseconds: modifiedNanoseconds)
        return leave()
    }

    /// Leaves the complete file under its temporary name.
    consuming func leave() -> StagedFile {
        isDone = true
        return names
    }

    /// Puts the file in its place; that it is there outlasts a loss of power once the file system
    /// was synced.
    consuming func commit() throws(FileSystemError) {
        try FileSystem.rename(temporary, to: folder.appending(names.name))
        isDone = true
    }

    /// Puts the file in its place and returns once that is on the disk.
    consuming func commitAndSync() throws(FileSystemError) {
        let folder = folder
        try commit()
        try FileSystem.syncFolder(folder)
    }
}

/// The receipt of what has gone by so far.
struct RunningReceipt {
    private var hash = SHA256()
    private var bytes: Int64 = 0

    /// Takes in the next bytes.
    mutating func add(_ chunk: UnsafeRawBufferPointer) {
        hash.update(chunk)
        bytes += Int64(chunk.count)
    }

    var receipt: StagedOutput.Receipt {
        StagedOutput.Receipt(bytes: bytes, sha256: hash.hexadecimal)
    }
}
