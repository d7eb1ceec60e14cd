import Jobs
import Recordings

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

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
            guard try FileSystem.status(path).kind == .regular else { throw notAFile(path) }
            let isPicture = try begins(path, with: signature)
            if !isPicture, try FileSystem.status(path).stamp.bytes > 0 {
                throw FileSystemError(path, code: EEXIST)
            }
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
            let folder = path.parent.isEmpty && !path.isAbsolute ? "." : path.parent
            // The folder is the user's: one that is not there is a slip, not an order.
            _ = try FileSystem.status(folder)
            let staged = try StagedOutput(
                path.lastComponent, in: folder, tag: "picture-\(getpid())")
            _ = try staged.write { (put) throws(FileSystemError) in try put(bytes) }
            try staged.commit()
        } catch {
            throw .notWritten(path, RecordingFailure(error, in: .waveform))
        }
    }

    private static func notAFile(_ path: Pathname) -> FileSystemError {
        FileSystemError(path, code: EISDIR)
    }

    private static func begins(
        _ path: Pathname, with bytes: [UInt8]
    ) throws(FileSystemError) -> Bool {
        var found: [UInt8] = []
        try FileSystem.forEachChunk(
            of: path, chunkBytes: bytes.count, isCancelled: { !found.isEmpty }
        ) { found += $0 }
        return found == bytes
    }
}
