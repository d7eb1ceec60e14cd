import Glibc
import Jobs
import Recordings

/// Writes a picture to a path chosen by the user.
package enum PictureFile {
    /// The signature of PNG files.
    private static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

    /// Comments and a document type may stand before the element `svg`.
    private static let mostBytesBeforeElement = 4096

    /// Whether a file that begins like this is a PNG or an SVG.
    private static func isPicture(_ beginning: [UInt8]) -> Bool {
        if beginning.starts(with: signature) || beginning.starts(with: "<svg".utf8) { return true }
        return beginning.starts(with: "<?xml".utf8) && beginning.contains(Array("<svg".utf8))
    }

    /// Throws if the path must not be overwritten: it holds a file that is neither a PNG nor an
    /// SVG, perhaps a recording.
    ///
    /// Call it before the work, so that nobody waits in vain.
    package static func check(_ path: Pathname) throws(PictureRefusal) {
        do throws(FileSystemError) {
            guard try FileSystem.status(path, followingLink: false).kind == .regular else {
                throw FileSystemError.notRegular(path)
            }
            try FileSystem.requireBeginning(
                of: path, bytes: mostBytesBeforeElement, isPicture)
        } catch {
            if error.code == EEXIST { throw .holdsSomethingElse(path) }
            guard error.code == ENOENT else {
                throw .notWritten(path, RecordingFailure(error, in: .waveform))
            }
        }
    }

    /// Writes the file atomically.
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
