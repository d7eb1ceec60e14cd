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
    /// With the time of birth of what a name in a folder leads to, which costs another call.
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
    /// The time since 1970, UTC, by the clock that also stamps files.
    static var nowNanoseconds: Int64 {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return nanoseconds(of: time)
    }
}

/// A time since 1970; one before 1678 or after 2261 becomes the nearest that 64 bits hold.
///
/// Cameras with an empty clock battery, and restored backups, do leave such times on files.
private func nanoseconds(of time: timespec) -> Int64 {
    let (seconds, secondsOverflow) = Int64(time.tv_sec)
        .multipliedReportingOverflow(by: 1_000_000_000)
    let (sum, sumOverflow) = seconds.addingReportingOverflow(Int64(time.tv_nsec))
    guard secondsOverflow || sumOverflow else { return sum }
    return time.tv_sec < 0 ? .min : .max
}

extension FileSystemError {
    /// Whether there is no such file.
    var isMissing: Bool { code == ENOENT || code == ENOTDIR }

    /// Whether another try may go well: a share that does not answer, a disk that hiccups.
    var mayPass: Bool {
        [.inputOutput, .unavailable, .tooManyOpenFiles]
            .contains(RecordingFailure.Reason(errno: code))
    }
}

/// What is to be known of a file or folder; `nil` where there is none.
///
/// One that cannot be looked at just now is not taken for that.
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
