import Glibc
import Recordings

/// Checks whether a file is open for writing.
package enum OpenWriterCheck {
    /// Whether a process on this machine has a file open or mapped for writing; `nil` if unknown:
    /// the file is gone, belongs to another user, or its file system has no leases.
    ///
    /// Holds a lease (fcntl(2), F_SETLEASE) for some microseconds. A process that opens the file
    /// for writing just then blocks, or fails with `O_NONBLOCK`. The lease-break signal is ignored
    /// by default.
    package static func isBeingWritten(_ path: Pathname) -> Bool? {
        // O_NONBLOCK: do not wait until another process releases its lease.
        let flags = O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC
        let descriptor = path.withCString { open($0, flags) }
        guard descriptor >= 0 else {
            // Another process holds a write lease, as file servers do for their clients. This open
            // has asked it to release the lease.
            return errno == EAGAIN ? true : nil
        }
        defer { close(descriptor) }
        guard !FileSystem.isRemote(descriptor) else { return nil }
        return isOpenForWriting(descriptor)
    }

    /// A read lease is granted only if nobody has the file open for writing.
    private static func isOpenForWriting(_ descriptor: Int32) -> Bool? {
        // Set the signal first: the default, SIGIO, terminates a process.
        guard fcntl(descriptor, setSignal, SIGURG) == 0 else { return nil }
        if fcntl(descriptor, setLease, Int32(F_RDLCK)) == 0 {
            // If this fails, closing the file releases the lease.
            _ = fcntl(descriptor, setLease, Int32(F_UNLCK))
            return false
        }
        return errno == EAGAIN ? true : nil
    }

    /// `F_SETLEASE` and `F_SETSIG`, which glibc hides unless `_GNU_SOURCE` is defined.
    private static let setLease: Int32 = 1024
    private static let setSignal: Int32 = 10
}
