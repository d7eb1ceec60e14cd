import CSync
import Recordings

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// A folder of the output, held by a descriptor, which is closed when it goes.
///
/// What is done in it is done there, whatever its path comes to lead to meanwhile.
struct HeldFolder: ~Copyable {
    let path: Pathname
    /// Which folder it is.
    let identity: UInt64
    private let descriptor: Int32

    init(_ path: Pathname) throws(FileSystemError) {
        let flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC
        let opened = path.withCString { open($0, flags) }
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

    /// Gives a file another name in the folder; what bears it already is replaced.
    func rename(_ old: Pathname, to new: Pathname) throws(FileSystemError) {
        try rename(old, new) { renameat(descriptor, $0, descriptor, $1) }
    }

    /// Gives a file another name in the folder; throws `EEXIST` where something bears it already.
    func rename(_ old: Pathname, toUnused new: Pathname) throws(FileSystemError) {
        do throws(FileSystemError) {
            try rename(old, new) {
                #if canImport(Glibc)
                    renameat2(descriptor, $0, descriptor, $1, UInt32(RENAME_NOREPLACE))
                #else
                    renameatx_np(descriptor, $0, descriptor, $1, UInt32(RENAME_EXCL))
                #endif
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
        let result = old.withCString { old in new.withCString { call(old, $0) } }
        guard result == 0 else { throw FileSystemError(path.appending(new)) }
    }

    /// What a name stands for, links not followed; `nil` where there is nothing of that name.
    func status(of name: Pathname) throws(FileSystemError) -> FileSystem.Status? {
        var info = stat()
        let result = name.withCString { fstatat(descriptor, $0, &info, AT_SYMLINK_NOFOLLOW) }
        if result == 0 { return FileSystem.Status(info) }
        guard errno == ENOENT else { throw FileSystemError(path.appending(name)) }
        return nil
    }

    /// Removes a file; one that is gone already, or has become a folder, is no failure.
    func remove(_ name: Pathname) throws(FileSystemError) {
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
