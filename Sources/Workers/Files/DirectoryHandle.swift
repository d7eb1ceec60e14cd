import CSync
import Glibc
import Recordings

/// A directory that is held open; closed when it goes.
///
/// What is done in it is done there, whatever its path comes to lead to meanwhile. Names in it are
/// never followed where they are links, and what is created there did not exist before.
final class DirectoryHandle: Sendable {
    /// Where it was found, for errors.
    let path: Pathname
    /// Which directory it is.
    let identity: UInt64
    private let descriptor: Int32

    /// Opens a directory by its path, links followed.
    convenience init(_ path: Pathname) throws(FileSystemError) {
        try self.init(path, path.withCString { openat(AT_FDCWD, $0, DirectoryHandle.flags) })
    }

    private static let flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NONBLOCK

    private init(_ path: Pathname, _ opened: Int32) throws(FileSystemError) {
        guard opened >= 0 else {
            throw errno == ENOTDIR ? .placeTaken(path) : FileSystemError(path)
        }
        var info = stat()
        guard fstat(opened, &info) == 0 else {
            let code = errno
            close(opened)
            throw FileSystemError(path, code: code)
        }
        descriptor = opened
        identity = FileSystem.Status(info).identity
        self.path = path
    }

    deinit { close(descriptor) }

    /// Whether its path still leads to it.
    func isInPlace() -> Bool { (try? FileSystem.status(path))?.identity == identity }

    /// What a name stands for, links not followed; `nil` where there is nothing of that name.
    func status(of name: Pathname) throws(FileSystemError) -> FileSystem.Status? {
        try requireName(name)
        var info = stat()
        let result = name.withCString { fstatat(descriptor, $0, &info, AT_SYMLINK_NOFOLLOW) }
        if result == 0 { return FileSystem.Status(info) }
        guard errno == ENOENT else { throw FileSystemError(path.appending(name)) }
        return nil
    }

    /// Throws for what is no name but a way: what is read in a manifest may be anything.
    private func requireName(_ name: Pathname) throws(FileSystemError) {
        guard name.isSingleName else { throw FileSystemError(path.appending(name), code: EINVAL) }
    }

    /// Returns once the directory's names are on the disk.
    func sync() throws(FileSystemError) {
        guard fsync(descriptor) == 0 else { throw FileSystemError(path) }
    }
}

// MARK: - Directories in it

extension DirectoryHandle {
    /// Opens a directory in this one; a link to one is followed, and whoever calls looks where it
    /// leads (`OutputOwnership`).
    func directory(_ name: Pathname) throws(FileSystemError) -> DirectoryHandle {
        try requireName(name)
        return try DirectoryHandle(
            path.appending(name),
            name.withCString { openat(descriptor, $0, DirectoryHandle.flags) })
    }

    /// Makes a directory in this one and opens it; `nil` where something bears the name already.
    func makeDirectory(_ name: Pathname) throws(FileSystemError) -> DirectoryHandle? {
        try requireName(name)
        guard name.withCString({ mkdirat(descriptor, $0, 0o777) }) == 0 else {
            guard errno == EEXIST else { throw FileSystemError(path.appending(name)) }
            return nil
        }
        return try DirectoryHandle(
            path.appending(name),
            name.withCString { openat(descriptor, $0, DirectoryHandle.flags | O_NOFOLLOW) })
    }

    /// Removes a directory in this one, if it is empty; whether it was.
    func removeDirectory(_ name: Pathname) -> Bool {
        name.isSingleName && name.withCString { unlinkat(descriptor, $0, AT_REMOVEDIR) } == 0
    }
}

// MARK: - Files in it

extension DirectoryHandle {
    /// Creates a file, open for reading and writing; throws `EEXIST` where anything has that name.
    func create(_ name: Pathname) throws(FileSystemError) -> Int32 {
        try open(name, O_RDWR | O_CREAT | O_EXCL)
    }

    /// Opens a file of our own, for reading or for changing it.
    ///
    /// Throws where it is missing, is anything but a regular file, or belongs to another user, who
    /// could have put it there to be read or written through.
    /// - Returns: its descriptor, and how many names it has.
    func openOwn(
        _ name: Pathname, _ access: Int32
    ) throws(FileSystemError) -> (descriptor: Int32, links: Int) {
        let place = path.appending(name)
        // Asked first, as to open a device may be enough to change its state.
        guard let found = try status(of: name) else { throw FileSystemError(place, code: ENOENT) }
        guard found.kind == .regular else { throw .notRegular(place) }
        let (opened, info) = try openRegular(name, access)
        if !FileSystem.isOurs(owner: info.st_uid), FileSystem.keepsOwners(opened) {
            close(opened)
            throw .ofAnother(place)
        }
        return (opened, Int(info.st_nlink))
    }

    /// Opens a regular file for reading, whoever owns it.
    func openRegular(_ name: Pathname) throws(FileSystemError) -> Int32 {
        try openRegular(name, O_RDONLY).descriptor
    }

    private func openRegular(
        _ name: Pathname, _ access: Int32
    ) throws(FileSystemError) -> (descriptor: Int32, info: stat) {
        let opened = try open(name, access | O_NONBLOCK)
        var info = stat()
        let isKnown = fstat(opened, &info) == 0
        if isKnown, info.st_mode & S_IFMT == S_IFREG { return (opened, info) }
        let place = path.appending(name)
        let problem = isKnown ? FileSystemError.notRegular(place) : FileSystemError(place)
        close(opened)
        throw problem
    }

    /// Up to so many bytes from the beginning of a file; none where it cannot be read.
    func beginning(of name: Pathname, bytes wanted: Int) -> [UInt8] {
        guard let opened = try? openRegular(name) else { return [] }
        defer { close(opened) }
        return FileSystem.beginning(of: opened, bytes: wanted)
    }

    /// The length and digest of a file.
    func receipt(of name: Pathname) throws(FileSystemError) -> StagedOutput.Receipt {
        let opened = try openRegular(name)
        defer { close(opened) }
        return try StagedOutput.receipt(of: opened, path.appending(name))
    }

    private func open(_ name: Pathname, _ flags: Int32) throws(FileSystemError) -> Int32 {
        try requireName(name)
        let all = flags | O_NOFOLLOW | O_CLOEXEC
        let opened = name.withCString { openat(descriptor, $0, all, 0o666) }
        guard opened >= 0 else {
            let place = path.appending(name)
            throw errno == ELOOP ? .notRegular(place) : FileSystemError(place)
        }
        return opened
    }

    /// Gives a file another name in the directory; what bears it already is replaced.
    func rename(_ old: Pathname, to new: Pathname) throws(FileSystemError) {
        try rename(old, new) { renameat(descriptor, $0, descriptor, $1) }
        // Where both names were links to one file, nothing has happened (rename(2)).
        try remove(old)
    }

    /// Gives a file another name in the directory; throws `EEXIST` where something bears it.
    func rename(_ old: Pathname, toUnused new: Pathname) throws(FileSystemError) {
        do throws(FileSystemError) {
            try rename(old, new) {
                renameat2(descriptor, $0, descriptor, $1, UInt32(RENAME_NOREPLACE))
            }
        } catch {
            // Some file systems cannot do both at once.
            guard [EINVAL, ENOSYS, ENOTSUP].contains(error.code) else { throw error }
            if try status(of: new) != nil {
                throw FileSystemError(path.appending(new), code: EEXIST)
            }
            try rename(old, to: new)
        }
    }

    private func rename(
        _ old: Pathname, _ new: Pathname,
        _ call: (UnsafePointer<CChar>, UnsafePointer<CChar>) -> Int32
    ) throws(FileSystemError) {
        try requireName(old)
        try requireName(new)
        let result = old.withCString { old in new.withCString { call(old, $0) } }
        guard result == 0 else { throw FileSystemError(path.appending(new)) }
    }

    /// The system's `linkat`, which tests replace: gives a file of one directory a name in another.
    typealias Linker = @Sendable (DirectoryHandle, Pathname, DirectoryHandle, Pathname) -> Int32

    /// The system's own; a link is linked to, not followed.
    static let link: Linker = { folder, old, newFolder, new in
        guard old.isSingleName, new.isSingleName else {
            errno = EINVAL
            return -1
        }
        return old.withCString { old in
            new.withCString { linkat(folder.descriptor, old, newFolder.descriptor, $0, 0) }
        }
    }

    /// Removes a file; one that is gone already, or has become a directory, is no failure.
    func remove(_ name: Pathname) throws(FileSystemError) {
        try requireName(name)
        let result = name.withCString { unlinkat(descriptor, $0, 0) }
        guard result == 0 || [ENOENT, EISDIR].contains(errno) else {
            throw FileSystemError(path.appending(name))
        }
    }

    /// Removes files, all that can be; throws what was the matter with the first that cannot.
    func removeAll(_ names: [Pathname]) throws(FileSystemError) {
        var first: FileSystemError?
        for name in names {
            do throws(FileSystemError) { try remove(name) } catch { first = first ?? error }
        }
        if let first { throw first }
    }
}
