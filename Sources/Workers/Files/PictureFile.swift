import Glibc
import Jobs
import Recordings

/// A picture that the user asked for, in a place of the user's choice.
package enum PictureFile {
    /// The bytes with which every PNG begins.
    private static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

    /// Throws where a file may not be written there: one that is there and is no picture, perhaps a
    /// recording.
    ///
    /// Asked before the work, so that nobody waits for nothing.
    package static func check(_ path: Pathname) throws(PictureRefusal) {
        do throws(FileSystemError) {
            guard try FileSystem.status(path, followingLink: false).kind == .regular else {
                throw FileSystemError.notRegular(path)
            }
            try FileSystem.requireMark(signature, of: path)
        } catch {
            if error.code == EEXIST { throw .holdsSomethingElse(path) }
            guard error.code == ENOENT else {
                throw .notWritten(path, RecordingFailure(error, in: .waveform))
            }
        }
    }

    /// Writes the file, whole or not at all.
    package static func write(_ bytes: [UInt8], to path: Pathname) throws(PictureRefusal) {
        try check(path)
        do throws(FileSystemError) {
            let staged = try StagedOutput(at: path)
            _ = try staged.write { (put) throws(FileSystemError) in try put(bytes) }
            try staged.commit()
        } catch {
            throw .notWritten(path, RecordingFailure(error, in: .waveform))
        }
    }
}
