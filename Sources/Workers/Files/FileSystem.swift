import Glibc
import Recordings

/// An error of a system call.
package struct FileSystemError: Error, Hashable, Sendable {
    package var path: Pathname
    /// `errno`.
    package var code: Int32

    init(_ path: Pathname, code: Int32 = errno) {
        self.path = path
        self.code = code
    }

    /// The system's message, or ours for errors it has no message for.
    package var detail: String {
        if isNotRegular { return "not a regular file" }
        if isDamagedRecord { return "the record is damaged" }
        return isOfAnother ? "belongs to another user" : String(cString: strerror(code))
    }
}

/// The system calls that workers need, on paths as bytes.
package enum FileSystem {
    package enum Kind: Hashable, Sendable {
        case regular, folder, link, other
    }

    /// A file's status, read without opening it.
    package struct Status: Hashable, Sendable {
        package var kind: Kind
        package var stamp: FileStamp
        /// The ctime (contents or metadata such as permissions), in nanoseconds since 1970, UTC.
        package var statusChangedNanoseconds: Int64
        /// The owner's user ID.
        package var owner: UInt32
        /// The device number of its file system.
        package var device: UInt64
        /// The inode number.
        package var number: UInt64

        /// The birth time in nanoseconds since 1970; 0 if not requested or unknown.
        package var bornNanoseconds: Int64 = 0

        /// A hash of device, inode and birth time; it tells a reused inode from the deleted file.
        package var identity: UInt64 {
            number ^ (device &* 0x9E37_79B9_7F4A_7C15)
                ^ (UInt64(bitPattern: bornNanoseconds) &* 0xC2B2_AE3D_27D4_EB4F)
        }
    }

    /// A directory entry; the kind is `nil` if the listing did not report it.
    struct Name {
        var name: Pathname
        var kind: Kind?
    }

    /// The status of a path, by default following a symlink.
    package static func status(
        _ path: Pathname, followingLink: Bool = true
    ) throws(FileSystemError) -> Status {
        var info = stat()
        let flags = followingLink ? 0 : AT_SYMLINK_NOFOLLOW
        guard path.withCString({ fstatat(AT_FDCWD, $0, &info, flags) }) == 0 else {
            throw FileSystemError(path)
        }
        return Status(info)
    }

    /// The status of an open file.
    /// - Parameter path: for errors.
    static func status(_ descriptor: Int32, _ path: Pathname) throws(FileSystemError) -> Status {
        var info = stat()
        guard fstat(descriptor, &info) == 0 else { throw FileSystemError(path) }
        return Status(info)
    }

    /// The kind of an entry, calling `stat` if the listing did not report it; `nil` if it is gone.
    static func kind(of entry: Name, at path: Pathname) -> Kind? {
        entry.kind ?? (try? status(path, followingLink: false))?.kind
    }

    /// The absolute path without symlinks, "." and "..".
    package static func resolve(_ path: Pathname) throws(FileSystemError) -> Pathname {
        guard let resolved = path.withCString({ realpath($0, nil) }) else {
            throw FileSystemError(path)
        }
        defer { free(resolved) }
        return Pathname(cString: resolved)
    }

    package static var workingFolder: Pathname {
        guard let path = getcwd(nil, 0) else { return "." }
        defer { free(path) }
        return Pathname(cString: path)
    }

    /// Creates a folder and its missing parents; an existing folder is not an error.
    package static func makeFolder(_ path: Pathname) throws(FileSystemError) {
        var made: [Pathname] = []
        try makeFolder(path, made: &made)
    }

    /// As `makeFolder(_:)`; appends each created folder to `made`, even if it throws.
    static func makeFolder(
        _ path: Pathname, made: inout [Pathname]
    ) throws(FileSystemError) {
        var missing: [Pathname] = []
        var place = path
        while try !isFolder(place) {
            missing.append(place)
            guard place.parent != place, !place.parent.isEmpty else { break }
            place = place.parent
        }
        for folder in missing.reversed() {
            if folder.withCString({ mkdir($0, 0o777) }) == 0 {
                made.append(folder)
            } else {
                let code = errno
                // Another worker may have created it first.
                guard code == EEXIST, try isFolder(folder) else {
                    throw FileSystemError(folder, code: code)
                }
            }
        }
    }

    /// Whether a folder exists; throws if the path leads to anything else.
    private static func isFolder(_ path: Pathname) throws(FileSystemError) -> Bool {
        do throws(FileSystemError) {
            guard try status(path).kind == .folder else {
                throw FileSystemError(path, code: ENOTDIR)
            }
            return true
        } catch {
            guard error.code == ENOENT else { throw error }
            return false
        }
    }

    /// Removes those of the folders that are empty, starting with the last.
    static func removeEmptyFolders(_ folders: [Pathname]) {
        for folder in folders.reversed() { _ = folder.withCString { rmdir($0) } }
    }

    /// Deletes a file; a missing file, or a folder of that name, is not an error.
    static func remove(_ path: Pathname) throws(FileSystemError) {
        guard path.withCString({ unlink($0) }) == 0 || [ENOENT, EISDIR].contains(errno) else {
            throw FileSystemError(path)
        }
    }

    /// Deletes a file, or a folder with all that is in it, as far as possible; follows no symlink.
    static func removeAll(at path: Pathname) {
        guard (try? status(path, followingLink: false))?.kind == .folder else {
            try? remove(path)
            return
        }
        for entry in (try? names(in: path)) ?? [] { removeAll(at: path.appending(entry.name)) }
        removeEmptyFolders([path])
    }

    /// Creates a symlink; one that leads there already is no error.
    /// - Parameter replaces: whether another symlink may be replaced.
    /// - Returns: whether it is there; not if its name is taken.
    static func makeLink(
        _ path: Pathname, to target: Pathname, replaces: Bool
    ) throws(FileSystemError) -> Bool {
        func make() -> Bool {
            target.withCString { target in path.withCString { symlink(target, $0) } } == 0
        }
        if make() { return true }
        guard errno == EEXIST else { throw FileSystemError(path) }
        var found = [UInt8](repeating: 0, count: Int(PATH_MAX))
        let count = path.withCString { readlink($0, &found, found.count) }
        guard count >= 0 else { return false }
        if Pathname(bytes: Array(found.prefix(count))) == target { return true }
        guard replaces else { return false }
        try remove(path)
        guard make() else { throw FileSystemError(path) }
        return true
    }

    /// Sets an open file's modification time; the access time is unchanged.
    static func setModified(
        _ descriptor: Int32, _ path: Pathname, nanoseconds: Int64
    ) throws(FileSystemError) {
        let (seconds, rest) = nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
        // Before 1970 the remainder is negative, which futimens(3) rejects.
        let borrow = rest < 0 ? 1 : 0
        let times = [
            timespec(tv_sec: 0, tv_nsec: utimeOmit),
            timespec(tv_sec: Int(seconds) - borrow, tv_nsec: Int(rest) + borrow * 1_000_000_000),
        ]
        guard futimens(descriptor, times) == 0 else { throw FileSystemError(path) }
    }
}

/// `UTIME_OMIT`, whose macro Swift does not import.
private let utimeOmit = (1 << 30) - 2

extension Pathname {
    init(cString: UnsafePointer<CChar>) {
        let text = UnsafeRawBufferPointer(start: cString, count: strlen(cString))
        self.init(bytes: Array(text))
    }
}
