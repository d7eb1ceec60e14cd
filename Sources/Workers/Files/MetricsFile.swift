import Glibc
import Recordings

/// The file that a metrics collector reads.
package enum MetricsFile {
    /// Replaces the file atomically; its readers see the old contents or the new.
    ///
    /// Throws `EEXIST` if the file holds anything else than such metrics, perhaps a recording.
    /// - Parameter text: begins with a comment.
    package static func write(_ text: String, to path: Pathname) throws(FileSystemError) {
        let mark = Array(text.utf8.prefix(mostMarkBytes))
        do throws(FileSystemError) {
            try FileSystem.requireMark(mark, of: path)
        } catch {
            guard error.code == ENOENT else { throw error }
        }
        let staged = try StagedOutput(at: path)
        _ = try staged.write { (put) throws(FileSystemError) in try put(Array(text.utf8)) }
        try staged.commit()
    }

    /// As much as all such files begin with.
    private static let mostMarkBytes = 16
}
