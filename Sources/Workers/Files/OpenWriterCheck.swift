import Glibc
import Recordings

/// Who has a file open for writing.
package enum OpenWriterCheck {
    /// Whether a process on this machine has a file open or mapped for writing; `nil` where the
    /// system does not say: the file is gone, belongs to another user, or its file system has no
    /// leases.
    ///
    /// Takes a lease (fcntl(2), F_SETLEASE) for some microseconds: a process that opens the file
    /// for writing just then waits, or with `O_NONBLOCK` fails. The signal that goes with leases is
    /// ignored by default.
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
