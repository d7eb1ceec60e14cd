import CSync
import Glibc
import Recordings

// What names files in a folder have, whatever is in them.

extension DirectoryHandle {
    /// Renames a file within the directory, replacing any file of the new name.
    func rename(_ old: Pathname, to new: Pathname) throws(FileSystemError) {
        try rename(old, new) { renameat(descriptor, $0, descriptor, $1) }
        // rename(2) does nothing if both names are hard links to one file.
        try remove(old)
    }

    /// Renames a file within the directory; throws `EEXIST` if the new name exists.
    func rename(_ old: Pathname, toUnused new: Pathname) throws(FileSystemError) {
        do throws(FileSystemError) {
            try rename(old, new) {
                renameat2(descriptor, $0, descriptor, $1, UInt32(RENAME_NOREPLACE))
            }
        } catch {
            // Some file systems do not support RENAME_NOREPLACE.
            guard [EINVAL, ENOSYS, ENOTSUP].contains(error.code) else { throw error }
            if try status(of: new) != nil {
                throw FileSystemError(path.appending(new), code: EEXIST)
            }
            try rename(old, to: new)
        }
    }

    /// Renames a file to its name with a suffix, and a number where that exists; returns the name.
    func setAside(_ name: Pathname, suffix: String) throws(FileSystemError) -> Pathname {
        let first = name.adding(suffix: suffix)
        var free = first
        var number = 1
        while true {
            do throws(FileSystemError) {
                try rename(name, toUnused: free)
                return free
            } catch {
                guard error.code == EEXIST else { throw error }
            }
            number += 1
            free = first.adding(suffix: ".\(number)")
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

    /// Hard-links a file of one directory into another (`linkat`); tests replace it.
    typealias Linker = @Sendable (DirectoryHandle, Pathname, DirectoryHandle, Pathname) -> Int32

    /// The real `linkat`; it links a symlink itself, not its target.
    static let link: Linker = { folder, old, newFolder, new in
        guard old.isSingleName, new.isSingleName else {
            errno = EINVAL
            return -1
        }
        return old.withCString { old in
            new.withCString { linkat(folder.descriptor, old, newFolder.descriptor, $0, 0) }
        }
    }

    /// Deletes a file; a missing file, or a directory of that name, is not an error.
    func remove(_ name: Pathname) throws(FileSystemError) {
        try requireName(name)
        let result = name.withCString { unlinkat(descriptor, $0, 0) }
        guard result == 0 || [ENOENT, EISDIR].contains(errno) else {
            throw FileSystemError(path.appending(name))
        }
    }

    /// Deletes as many of the files as possible, then throws the first error.
    func removeAll(_ names: [Pathname]) throws(FileSystemError) {
        var first: FileSystemError?
        for name in names {
            do throws(FileSystemError) { try remove(name) } catch { first = first ?? error }
        }
        if let first { throw first }
    }
}
