import CSync
import Glibc
import Recordings

/// A handle to an open directory, closed on deinit.
///
/// Operations stay in that directory even if its path later leads elsewhere. File operations do not
/// follow symlinks, and creation never overwrites.
final class DirectoryHandle: Sendable {
    /// The path it was opened by, for errors.
    let path: Pathname
    /// The hash of device and inode; see `FileSystem.Status.identity`.
    let identity: UInt64
    let descriptor: Int32

    /// Opens a directory by its path, following symlinks.
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

    /// Whether the path still leads to this directory.
    func isInPlace() -> Bool { (try? FileSystem.status(path))?.identity == identity }

    /// The status of a name, without following symlinks; `nil` if it does not exist.
    func status(of name: Pathname) throws(FileSystemError) -> FileSystem.Status? {
        try requireName(name)
        var info = stat()
        let result = name.withCString { fstatat(descriptor, $0, &info, AT_SYMLINK_NOFOLLOW) }
        if result == 0 { return FileSystem.Status(info) }
        guard errno == ENOENT else { throw FileSystemError(path.appending(name)) }
        return nil
    }

    /// Throws unless this is a single path component: names read from a manifest are untrusted.
    func requireName(_ name: Pathname) throws(FileSystemError) {
        guard name.isSingleName else { throw FileSystemError(path.appending(name), code: EINVAL) }
    }

    /// Syncs the directory's entries to disk.
    func sync() throws(FileSystemError) {
        guard fsync(descriptor) == 0 else { throw FileSystemError(path) }
    }
}

// MARK: - Directories in it

extension DirectoryHandle {
    /// Opens a subdirectory, following a symlink; the caller checks where it leads
    /// (`OutputOwnership`).
    func directory(_ name: Pathname) throws(FileSystemError) -> DirectoryHandle {
        try requireName(name)
        return try DirectoryHandle(
            path.appending(name),
            name.withCString { openat(descriptor, $0, DirectoryHandle.flags) })
    }

    /// Creates and opens a subdirectory; `nil` if the name already exists.
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

    /// Removes a subdirectory if it is empty; returns whether it was removed.
    func removeDirectory(_ name: Pathname) -> Bool {
        name.isSingleName && name.withCString { unlinkat(descriptor, $0, AT_REMOVEDIR) } == 0
    }
}

// MARK: - Files in it

extension DirectoryHandle {
    /// Creates a file, open for reading and writing; throws `EEXIST` if the name exists.
    func create(_ name: Pathname) throws(FileSystemError) -> Int32 {
        try open(name, O_RDWR | O_CREAT | O_EXCL)
    }

    /// Opens a file of our own for reading or writing.
    ///
    /// Throws if the file is missing, is not a regular file, or belongs to another user, who could
    /// have planted it to have us read it or write through it.
    /// - Returns: the descriptor and the number of hard links.
    func openOwn(
        _ name: Pathname, _ access: Int32
    ) throws(FileSystemError) -> (descriptor: Int32, links: Int) {
        let place = path.appending(name)
        // Check the kind first: opening a device can change its state.
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

    /// Opens a regular file below the folder for reading; throws `EXDEV` if the path leads out of
    /// it, by links or otherwise.
    func openBeneath(_ path: Pathname) throws(FileSystemError) -> Int32 {
        let opened = path.withCString { open_beneath(descriptor, $0) }
        guard opened >= 0 else { throw FileSystemError(self.path.appending(path)) }
        return try requireRegular(opened, path).descriptor
    }

    private func openRegular(
        _ name: Pathname, _ access: Int32
    ) throws(FileSystemError) -> (descriptor: Int32, info: stat) {
        try requireRegular(try open(name, access | O_NONBLOCK), name)
    }

    /// Closes what is not a regular file.
    private func requireRegular(
        _ opened: Int32, _ name: Pathname
    ) throws(FileSystemError) -> (descriptor: Int32, info: stat) {
        var info = stat()
        let isKnown = fstat(opened, &info) == 0
        if isKnown, info.st_mode & S_IFMT == S_IFREG { return (opened, info) }
        let place = path.appending(name)
        let problem = isKnown ? FileSystemError.notRegular(place) : FileSystemError(place)
        close(opened)
        throw problem
    }

    /// As `FileSystem.beginning(of:bytes:)`, of a file in the folder.
    func beginning(of name: Pathname, bytes wanted: Int) throws(FileSystemError) -> [UInt8] {
        try ifReadable { () throws(FileSystemError) in
            let opened = try openRegular(name)
            defer { close(opened) }
            return try FileSystem.beginning(of: opened, path.appending(name), bytes: wanted)
        } ?? []
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
}
