import Glibc
import Recordings

/// A file to be written, open for reading and writing; whoever opened it closes it.
///
/// Sound is written by descriptor alone: a path could lead elsewhere by the time it is opened.
package struct NewFile: Sendable {
    package let descriptor: Int32
    /// For errors.
    package let path: Pathname

    package init(descriptor: Int32, path: Pathname) {
        self.descriptor = descriptor
        self.path = path
    }

    /// Removes what was written, so that writing can begin again.
    func empty() throws(AudioFileError) {
        var info = stat()
        guard fstat(descriptor, &info) == 0, info.st_size == 0 || ftruncate(descriptor, 0) == 0
        else { throw AudioFileError(.creating, path, errno: errno) }
    }
}

/// A file that did not exist before; closed when it goes.
package struct CreatedFile: ~Copyable {
    package let file: NewFile

    /// Creates `path`, and throws where anything has that name, links included.
    package init(_ path: Pathname) throws(AudioFileError) {
        let flags = O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
        let descriptor = path.withCString { open($0, flags, 0o666) }
        guard descriptor >= 0 else { throw AudioFileError(.creating, path, errno: errno) }
        file = NewFile(descriptor: descriptor, path: path)
    }

    deinit { close(file.descriptor) }
}
