import Audio
import Glibc
import Jobs
import Recordings
import Synchronization

/// A file written under a temporary name and renamed into place when complete.
///
/// The temporary file is in the same directory, so readers see either the old file or the whole new
/// one. It is deleted unless it is committed, or left complete under its temporary name for
/// somebody else to move.
struct StagedOutput: ~Copyable {
    /// The length and digest of a written file.
    struct Receipt {
        var bytes: Int64
        /// In hexadecimal.
        var sha256: String
    }

    /// The prefix and suffix of temporary names; scanning deletes those left by a crash.
    static let temporaryPrefix = ".tapedeck."
    static let temporarySuffix = ".partial"

    /// The temporary file.
    let file: NewFile
    private let names: StagedFile
    private let folder: DirectoryHandle
    private var isDone = false
    private var isClosed = false

    /// Creates an empty file under a temporary name.
    init(_ name: Pathname, in folder: DirectoryHandle) throws(FileSystemError) {
        let (temporary, descriptor) = try StagedOutput.unused {
            (temporary) throws(FileSystemError) in try folder.create(temporary)
        }
        self.folder = folder
        names = StagedFile(temporary: temporary, name: name)
        file = NewFile(descriptor: descriptor, path: folder.path.appending(temporary))
    }

    /// Creates a temporary file for a user-chosen path, whose folder must exist.
    ///
    /// Throws if the path is a symlink: /dev/stdout is one, and must not be replaced.
    init(at path: Pathname) throws(FileSystemError) {
        let folder = path.parent.isEmpty && !path.isAbsolute ? "." : path.parent
        let held = try DirectoryHandle(folder)
        if try held.status(of: path.lastComponent)?.kind == .link { throw .notRegular(path) }
        try self.init(path.lastComponent, in: held)
    }

    deinit {
        if !isClosed { close(file.descriptor) }
        if !isDone { try? folder.remove(names.temporary) }
    }

    /// What this process's temporary names begin with.
    private static let prefixes = Mutex(Prefixes(shard: nil, epoch: 0))

    private struct Prefixes {
        /// With the number of a shard, if this process holds one.
        let ofShard: String
        /// The number of this process among those that held it.
        let epoch: Int64
        let own: String

        init(shard: Shard?, epoch: Int64) {
            ofShard = StagedOutput.temporaryPrefix + (shard.map { "shard\($0.number)-" } ?? "")
            self.epoch = epoch
            own =
                ofShard + (shard == nil ? "" : "\(epoch)-")
                + String(UInt64.random(in: .min ... .max), radix: 16) + "-"
        }

        /// Whether a temporary name is of a process that holds the lock no more: of a shard, only
        /// of those that held it before, as one that lost it may not know that yet.
        func isLeftOver(_ name: Pathname) -> Bool {
            guard name.bytes.starts(with: ofShard.utf8), !name.bytes.starts(with: own.utf8) else {
                return false
            }
            guard epoch > 0 else { return true }
            let rest = name.bytes.dropFirst(ofShard.utf8.count)
            let number = Int64(String(decoding: rest.prefix { $0 != 0x2D }, as: UTF8.self))
            return number.map { $0 < epoch } ?? false
        }
    }

    /// Has temporary names say that they are of a shard, so that the others leave them alone.
    /// - Parameter epoch: from 1.
    static func name(after shard: Shard, epoch: Int64) {
        prefixes.withLock { $0 = Prefixes(shard: shard, epoch: epoch) }
    }

    private static var ownPrefix: String { prefixes.withLock(\.own) }

    /// Whether a temporary file is left over from another process, which no longer holds the lock.
    static func isLeftOver(_ name: Pathname) -> Bool {
        isTemporary(name) && prefixes.withLock { $0.isLeftOver(name) }
    }

    /// Calls `make` with an unpredictable temporary name, and retries with another if that name
    /// exists.
    static func unused<Made>(
        _ make: (Pathname) throws(FileSystemError) -> Made
    ) throws(FileSystemError) -> (temporary: Pathname, made: Made) {
        while true {
            let number = String(UInt64.random(in: .min ... .max), radix: 16)
            let name = Pathname(ownPrefix + number + temporarySuffix)
            do throws(FileSystemError) {
                return (name, try make(name))
            } catch {
                guard error.code == EEXIST else { throw error }
            }
        }
    }

    static func isTemporary(_ name: Pathname) -> Bool {
        name.bytes.starts(with: temporaryPrefix.utf8)
            && name.bytes.suffix(temporarySuffix.utf8.count).elementsEqual(temporarySuffix.utf8)
    }

    /// Appends the chunks that `body` yields and hashes them on the way.
    func write(
        syncing: Bool = false,
        _ body: (([UInt8]) throws(FileSystemError) -> Void) throws(FileSystemError) -> Void
    ) throws(FileSystemError) -> Receipt {
        var hash = SHA256()
        try body { (chunk: [UInt8]) throws(FileSystemError) in
            hash.update(chunk)
            try FileSystem.write(chunk, to: file.descriptor, of: file.path)
        }
        if syncing, fsync(file.descriptor) != 0 { throw FileSystemError(file.path) }
        return Receipt(bytes: hash.bytes, sha256: hash.hexadecimal)
    }

    /// Hashes a file in chunks of bounded size; the result is meaningless if cancelled.
    static func receipt(
        of path: Pathname, isCancelled: () -> Bool = { false }
    ) throws(FileSystemError) -> Receipt {
        let (descriptor, _) = try FileSystem.openRegular(path)
        defer { close(descriptor) }
        return try receipt(of: descriptor, path, isCancelled: isCancelled)
    }

    /// As `receipt(of:isCancelled:)`, for an open file, from its start.
    static func receipt(
        of descriptor: Int32, _ path: Pathname, isCancelled: () -> Bool = { false }
    ) throws(FileSystemError) -> Receipt {
        var hash = SHA256()
        try FileSystem.forEachChunk(of: descriptor, path, isCancelled: isCancelled) {
            hash.update($0)
        }
        return Receipt(bytes: hash.bytes, sha256: hash.hexadecimal)
    }

    /// Closes the complete file under its temporary name and sets its modification time.
    ///
    /// Outputs get their source's modification time: a modified output can be detected without
    /// reading it, and the same recordings give an identical tree, timestamps included.
    consuming func keep(
        modifiedNanoseconds: Int64
    ) throws(FileSystemError) -> StagedFile {
        try FileSystem.setModified(file.descriptor, file.path, nanoseconds: modifiedNanoseconds)
        return try leave()
    }

    /// Closes the complete file under its temporary name.
    consuming func leave() throws(FileSystemError) -> StagedFile {
        try closeFile()
        isDone = true
        return names
    }

    /// Renames the file into place; durable only after the file system is synced.
    consuming func commit() throws(FileSystemError) {
        try closeFile()
        try folder.rename(names.temporary, to: names.name)
        isDone = true
    }

    /// Renames the file into place and returns its open descriptor; the caller closes it.
    consuming func commitOpen() throws(FileSystemError) -> Int32 {
        try folder.rename(names.temporary, to: names.name)
        isDone = true
        isClosed = true
        return file.descriptor
    }

    /// close(2) may be the first call to report a full disk.
    private mutating func closeFile() throws(FileSystemError) {
        isClosed = true
        guard close(file.descriptor) == 0 || errno == EINTR else {
            throw FileSystemError(file.path)
        }
    }
}
