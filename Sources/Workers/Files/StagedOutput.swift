import Audio
import Glibc
import Recordings

/// A file that appears under its name only when it is complete.
///
/// It is made under a temporary name in the same directory and renamed at the end, so whoever looks
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

    /// Creates a file for a place of the user's choice; its folder has to be there.
    ///
    /// Throws where a link has that name: /dev/stdout is one, which nothing should replace.
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

    /// Tells this process's temporary names from those that others have left.
    private static let ownPrefix =
        temporaryPrefix + String(UInt64.random(in: .min ... .max), radix: 16) + "-"

    /// Whether a name is a temporary one of another process, which holds the output no more.
    static func isLeftOver(_ name: Pathname) -> Bool {
        isTemporary(name) && !name.bytes.starts(with: ownPrefix.utf8)
    }

    /// Calls `make` with a name that nobody can know beforehand, and again with another where
    /// something bears it all the same.
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

    /// Writes the chunks that `body` hands out behind what is there, and hashes them on their way.
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

    /// Hashes a file, a bounded chunk at a time; what was hashed when told to stop is of no use.
    static func receipt(
        of path: Pathname, isCancelled: () -> Bool = { false }
    ) throws(FileSystemError) -> Receipt {
        let (descriptor, _) = try FileSystem.openRegular(path)
        defer { close(descriptor) }
        return try receipt(of: descriptor, path, isCancelled: isCancelled)
    }

    /// As `receipt(of:isCancelled:)`, for an open file from its beginning.
    static func receipt(
        of descriptor: Int32, _ path: Pathname, isCancelled: () -> Bool = { false }
    ) throws(FileSystemError) -> Receipt {
        var hash = SHA256()
        try FileSystem.forEachChunk(of: descriptor, path, isCancelled: isCancelled) {
            hash.update($0)
        }
        return Receipt(bytes: hash.bytes, sha256: hash.hexadecimal)
    }

    /// Leaves the complete file under its temporary name, bearing a given time of last change.
    ///
    /// Outputs bear their source's time: so an output that was altered since can be told without
    /// reading it, and the same tree gives the same tree, times included.
    consuming func keep(
        modifiedNanoseconds: Int64
    ) throws(FileSystemError) -> StagedFile {
        try FileSystem.setModified(file.descriptor, file.path, nanoseconds: modifiedNanoseconds)
        return try leave()
    }

    /// Leaves the complete file under its temporary name.
    consuming func leave() throws(FileSystemError) -> StagedFile {
        try closeFile()
        isDone = true
        return names
    }

    /// Puts the file in its place; that it is there outlasts a loss of power once the file system
    /// was synced.
    consuming func commit() throws(FileSystemError) {
        try closeFile()
        try folder.rename(names.temporary, to: names.name)
        isDone = true
    }

    /// Puts the file in its place and leaves it open; whoever calls this closes it.
    consuming func commitOpen() throws(FileSystemError) -> Int32 {
        try folder.rename(names.temporary, to: names.name)
        isDone = true
        isClosed = true
        return file.descriptor
    }

    /// The system may only now say that there was no room for what was written.
    private mutating func closeFile() throws(FileSystemError) {
        isClosed = true
        guard close(file.descriptor) == 0 || errno == EINTR else {
            throw FileSystemError(file.path)
        }
    }
}
