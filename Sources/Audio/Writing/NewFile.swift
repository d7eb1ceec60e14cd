import Glibc
import Recordings

/// An output file, open for reading and writing; whoever opened it closes it.
///
/// Sound is written by descriptor only: a path could lead to another file by the time it is opened.
package struct NewFile: Sendable {
    package let descriptor: Int32
    /// The path in error messages.
    package let path: Pathname

    package init(descriptor: Int32, path: Pathname) {
        self.descriptor = descriptor
        self.path = path
    }

    /// Truncates the file to zero bytes, so that writing can start over.
    func empty() throws(AudioFileError) {
        var info = stat()
        guard fstat(descriptor, &info) == 0, info.st_size == 0 || ftruncate(descriptor, 0) == 0
        else { throw AudioFileError(.creating, path, errno: errno) }
    }
}
