import CSync
import Glibc
import Recordings

extension FileSystem.Status {
    init(_ info: stat) {
        switch info.st_mode & S_IFMT {
        case S_IFREG: kind = .regular
        case S_IFDIR: kind = .folder
        case S_IFLNK: kind = .link
        default: kind = .other
        }
        let modified = info.st_mtim
        let statusChanged = info.st_ctim
        stamp = FileStamp(
            bytes: Int64(info.st_size), modifiedNanoseconds: nanoseconds(of: modified))
        statusChangedNanoseconds = nanoseconds(of: statusChanged)
        owner = info.st_uid
        device = UInt64(truncatingIfNeeded: info.st_dev)
        number = UInt64(info.st_ino)
    }
}

extension FileSystem.Status {
    /// Adds the birth time of a name in a folder, which costs one more system call.
    func withBirth(
        of name: Pathname, in folder: Int32 = AT_FDCWD, followingLink: Bool
    ) -> FileSystem.Status {
        var status = self
        let flags = followingLink ? 0 : AT_SYMLINK_NOFOLLOW
        status.bornNanoseconds = name.withCString { birth_nanoseconds(folder, $0, flags) }
        return status
    }
}

extension FileSystem {
    /// The current time in nanoseconds since 1970, UTC, by the clock that stamps files.
    static var nowNanoseconds: Int64 {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return nanoseconds(of: time)
    }
}

/// Nanoseconds since 1970; times before 1678 or after 2261 are clamped to 64 bits.
///
/// Cameras with an empty clock battery and restored backups do leave such timestamps.
private func nanoseconds(of time: timespec) -> Int64 {
    let (seconds, secondsOverflow) = Int64(time.tv_sec)
        .multipliedReportingOverflow(by: 1_000_000_000)
    let (sum, sumOverflow) = seconds.addingReportingOverflow(Int64(time.tv_nsec))
    guard secondsOverflow || sumOverflow else { return sum }
    return time.tv_sec < 0 ? .min : .max
}

extension FileSystemError {
    /// Whether the file does not exist.
    var isMissing: Bool { code == ENOENT || code == ENOTDIR }

    /// Whether a retry may succeed: an unresponsive share, a transient disk error.
    var mayPass: Bool {
        [.inputOutput, .unavailable, .tooManyOpenFiles]
            .contains(RecordingFailure.Reason(errno: code))
    }
}

/// The result of `look`, or `nil` if the file or folder does not exist.
///
/// Other errors are rethrown: a file that is temporarily inaccessible is not missing.
func ifThere<Fact: ~Copyable>(
    _ look: () throws(FileSystemError) -> Fact
) throws(FileSystemError) -> Fact? {
    do throws(FileSystemError) {
        return try look()
    } catch {
        guard error.isMissing else { throw error }
        return nil
    }
}

/// The result of `read`, or `nil` if the file is not there or may not be read.
///
/// Throws if it cannot be read just now: then nobody knows what it is.
func ifReadable<Fact>(
    _ read: () throws(FileSystemError) -> Fact
) throws(FileSystemError) -> Fact? {
    do throws(FileSystemError) {
        return try read()
    } catch {
        if error.mayPass { throw error }
        return nil
    }
}
