import Glibc
import Recordings

/// A file open for reading; renaming or replacing its name does not affect it.
final class ReadableFile: Sendable {
    let path: Pathname
    let descriptor: Int32

    /// Opens a file; throws unless it is a regular file.
    convenience init(_ path: Pathname) throws(FileSystemError) {
        self.init(try FileSystem.openRegular(path).descriptor, path)
    }

    /// Adopts an open descriptor and closes it on deinit.
    init(_ descriptor: Int32, _ path: Pathname) {
        self.descriptor = descriptor
        self.path = path
    }

    /// Opens a file or a pipe, blocking until the pipe has a writer.
    init(waitingFor path: Pathname) throws(FileSystemError) {
        descriptor = path.withCString { open($0, O_RDONLY | O_CLOEXEC) }
        self.path = path
        guard descriptor >= 0 else { throw FileSystemError(path) }
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }
}
