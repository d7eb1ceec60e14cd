import Glibc
import Recordings

/// A system call that failed.
package struct FileSystemError: Error, Hashable, Sendable {
    package var path: Pathname
    /// `errno`.
    package var code: Int32

    init(_ path: Pathname, code: Int32 = errno) {
        self.path = path
        self.code = code
    }

    /// The system's own words, or ours for what the system has none for.
    package var detail: String {
        if isNotRegular { return "not a regular file" }
        return isOfAnother ? "belongs to another user" : String(cString: strerror(code))
    }
}

/// The system calls that workers need, on paths as bytes.
package enum FileSystem {
    package enum Kind: Hashable, Sendable {
        case regular, folder, link, other
    }

    /// What there is to know of a file without opening it.
    package struct Status: Hashable, Sendable {
        package var kind: Kind
        package var stamp: FileStamp
        /// When anything about it changed last, such as its rights: since 1970, UTC.
        package var statusChangedNanoseconds: Int64
        /// The user who owns it.
        package var owner: UInt32
        /// The file system it is on.
        package var device: UInt64
        /// Its number on that file system.
        package var number: UInt64

        /// When it was made, since 1970; 0 where that was not asked, or is not known.
        package var bornNanoseconds: Int64 = 0

        /// A hash of device, inode and birth time, which tells it from a deleted file of its inode.
        package var identity: UInt64 {
            number ^ (device &* 0x9E37_79B9_7F4A_7C15)
                ^ (UInt64(bitPattern: bornNanoseconds) &* 0xC2B2_AE3D_27D4_EB4F)
        }
    }

    /// One name in a folder; the kind is `nil` where the system did not say.
    struct Name {
        var name: Pathname
        var kind: Kind?
    }

    /// What the path leads to; a link is followed unless asked otherwise.
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

    /// What an open file is.
    /// - Parameter path: for the error.
    static func status(_ descriptor: Int32, _ path: Pathname) throws(FileSystemError) -> Status {
        var info = stat()
        guard fstat(descriptor, &info) == 0 else { throw FileSystemError(path) }
        return Status(info)
    }

    /// What a name in a folder stands for, asking again where the listing did not say; `nil` where
    /// it is gone.
    static func kind(of entry: Name, at path: Pathname) -> Kind? {
        entry.kind ?? (try? status(path, followingLink: false))?.kind
    }

    /// The path without links, "." and "..", from the root of the file system.
    package static func resolve(_ path: Pathname) throws(FileSystemError) -> Pathname {
        guard let resolved = path.withCString({ realpath($0, nil) }) else {
            throw FileSystemError(path)
        }
        defer { free(resolved) }
        return Pathname(cString: resolved)
    }

    static var workingFolder: Pathname {
        guard let path = getcwd(nil, 0) else { return "." }
        defer { free(path) }
        return Pathname(cString: path)
    }

    /// Makes a folder with all folders above it; one that is there already will do.
    package static func makeFolder(_ path: Pathname) throws(FileSystemError) {
        var made: [Pathname] = []
        try makeFolder(path, made: &made)
    }

    /// As `makeFolder(_:)`, and tells which folders were not there before, also after throwing.
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
                // Another worker may have been quicker.
                guard code == EEXIST, try isFolder(folder) else {
                    throw FileSystemError(folder, code: code)
                }
            }
        }
    }

    /// Whether there is a folder; throws where there is something else.
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

    /// Removes folders as far as they are empty, the last one first.
    static func removeEmptyFolders(_ folders: [Pathname]) {
        for folder in folders.reversed() { _ = folder.withCString { rmdir($0) } }
    }

    /// Removes a file; one that is gone already, or has become a folder, is no failure.
    static func remove(_ path: Pathname) throws(FileSystemError) {
        guard path.withCString({ unlink($0) }) == 0 || [ENOENT, EISDIR].contains(errno) else {
            throw FileSystemError(path)
        }
    }

    /// Sets an open file's time of last change, leaving the time of last access alone.
    static func setModified(
        _ descriptor: Int32, _ path: Pathname, nanoseconds: Int64
    ) throws(FileSystemError) {
        let (seconds, rest) = nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
        // Before 1970 the remainder is negative, which the system does not take.
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
