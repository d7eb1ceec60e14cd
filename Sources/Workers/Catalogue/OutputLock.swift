import Glibc
import Jobs
import Recordings

/// The lock that one run holds on an output: flock(2) on a file of its own.
///
/// Not on the record: SQLite locks that itself, for readers beside a run too.
enum OutputLock {
    static let name: Pathname = ".tapedeck.lock"

    /// Locks an output, and returns the descriptor that holds the lock.
    /// - Parameter isShared: whether others may hold it so, too.
    static func take(
        in folder: DirectoryHandle, isShared: Bool = false
    ) throws(RunRefusal) -> Int32 {
        while true {
            let descriptor = try refusing(folder.path) { () throws(FileSystemError) in
                try open(in: folder)
            }
            do throws(RunRefusal) {
                try hold(descriptor, folder.path, isShared)
                let isInPlace = try refusing(folder.path) { () throws(FileSystemError) in
                    try folder.status(of: name)?.identity
                        == FileSystem.status(descriptor, folder.path.appending(name)).identity
                }
                if isInPlace { return descriptor }
            } catch {
                release(descriptor)
                throw error
            }
            // Somebody has put another file in its place.
            release(descriptor)
        }
    }

    /// Unlocks a file before it closes it: a child that is being started holds all descriptors too,
    /// until it is another program.
    ///
    /// The lock that names the holder goes first, so that the next holder can set its own.
    static func release(_ descriptor: Int32) {
        var region = wholeFile
        region.l_type = Int16(F_UNLCK)
        _ = fcntl(descriptor, F_SETLK, &region)
        flock(descriptor, LOCK_UN)
        close(descriptor)
    }

    /// Whether somebody holds the lock of a folder.
    /// - Parameter isShared: whether that may be a shared one, which takes leave to write.
    static func isHeld(_ folder: DirectoryHandle, isShared: Bool = false) -> Bool {
        guard let (descriptor, _) = try? folder.openOwn(name, isShared ? O_RDWR : O_RDONLY) else {
            return false
        }
        defer { release(descriptor) }
        let kind = isShared ? LOCK_EX : LOCK_SH
        return flock(descriptor, kind | LOCK_NB) != 0 && errno == EWOULDBLOCK
    }

    private static func open(in folder: DirectoryHandle) throws(FileSystemError) -> Int32 {
        while true {
            do throws(FileSystemError) {
                return try folder.openOwn(name, O_RDWR).descriptor
            } catch {
                guard error.code == ENOENT else { throw error }
            }
            do throws(FileSystemError) {
                return try folder.create(name)
            } catch {
                // Another run was quicker.
                guard error.code == EEXIST else { throw error }
            }
        }
    }

    private static func hold(
        _ descriptor: Int32, _ path: Pathname, _ isShared: Bool
    ) throws(RunRefusal) {
        guard flock(descriptor, (isShared ? LOCK_SH : LOCK_EX) | LOCK_NB) == 0 else {
            let code = errno
            throw code == EWOULDBLOCK
                ? .outputBusy(path, holder: holder(of: descriptor))
                : .outputNotMade(path, detail: FileSystemError(path, code: code).detail)
        }
        // This other kind of lock names its holder. It goes as soon as the process closes the file
        // anywhere, so it only tells, and the first kind keeps others out.
        var region = wholeFile
        _ = fcntl(descriptor, F_SETLK, &region)
    }

    /// The process that says it holds the lock.
    private static func holder(of descriptor: Int32) -> Int32? {
        var region = wholeFile
        guard fcntl(descriptor, F_GETLK, &region) == 0, region.l_type != Int16(F_UNLCK),
            region.l_pid > 0
        else { return nil }
        return region.l_pid
    }

    private static var wholeFile: flock {
        var region = flock()
        region.l_type = Int16(F_WRLCK)
        region.l_whence = Int16(SEEK_SET)
        return region
    }

    /// Converts errors with the files at the top of an output to refusals.
    static func refusing<Result>(
        _ output: Pathname, _ body: () throws(FileSystemError) -> Result
    ) throws(RunRefusal) -> Result {
        do throws(FileSystemError) {
            return try body()
        } catch {
            if error.isNotRegular { throw .outputFileNotRegular(error.path) }
            if error.isOfAnother { throw .outputFileOfAnother(error.path) }
            if error == .takenOver(error.path) { throw .shards(output, .takenOver) }
            if error.isLaterRecord { throw .recordUnreadable(output, detail: nil) }
            throw .outputNotMade(output, detail: error.detail)
        }
    }
}
