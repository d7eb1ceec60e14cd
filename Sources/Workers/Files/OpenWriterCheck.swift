import Glibc
import Recordings

/// Who has a file open for writing.
package enum OpenWriterCheck {
    /// Whether some process of this machine has a file open for writing, or mapped so; `nil` where
    /// the system does not say: the file is gone, belongs to another user, or lies on a file system
    /// that knows nothing of leases or of what other machines do.
    ///
    /// A few system calls. For their time, microseconds, the file is under a lease: a process that
    /// opens it for writing just then waits until the lease is given back. One that would rather
    /// fail than wait (`O_NONBLOCK`) is told to try again; hardly any program opens plain files so.
    /// The signal by which the system tells of such a process is one that everybody passes over
    /// unless they ask for it, so nothing needs to be set up in this process.
    package static func isBeingWritten(_ path: Pathname) -> Bool? {
        // Not to wait for somebody else's lease to be given back.
        let flags = O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC
        let descriptor = path.withCString { open($0, flags) }
        guard descriptor >= 0 else {
            // Somebody has it under a lease to write, as a file server does for its clients; it
            // has now been asked to give that back.
            return errno == EAGAIN ? true : nil
        }
        defer { close(descriptor) }
        guard !FileSystem.isRemote(descriptor) else { return nil }
        return isOpenForWriting(descriptor)
    }

    /// A lease to read is granted only where nobody has the file open for writing.
    private static func isOpenForWriting(_ descriptor: Int32) -> Bool? {
        // It must come first: SIGIO, which is sent otherwise, ends a process.
        guard fcntl(descriptor, setSignal, SIGURG) == 0 else { return nil }
        if fcntl(descriptor, setLease, Int32(F_RDLCK)) == 0 {
            // Were this to fail, closing would do it.
            _ = fcntl(descriptor, setLease, Int32(F_UNLCK))
            return false
        }
        return errno == EAGAIN ? true : nil
    }

    /// `F_SETLEASE` and `F_SETSIG`, which the C library keeps back unless `_GNU_SOURCE` is set.
    private static let setLease: Int32 = 1024
    private static let setSignal: Int32 = 10
}
