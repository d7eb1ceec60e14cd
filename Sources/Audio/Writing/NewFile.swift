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
