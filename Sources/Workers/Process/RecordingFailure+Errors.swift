import Audio
import Glibc
import Recordings

// The one seam at which operating errors become outcomes of a recording.

extension RecordingFailure {
    /// An error of reading or writing sound, as the outcome of the stage in which it happened.
    init(_ error: AudioFileError, in stage: Stage) {
        self.init(
            stage: stage, reason: error.reason, detail: error.detail, code: error.code,
            frame: error.frame, expected: error.expected)
    }

    /// An error of the file system, as the outcome of the stage in which it happened.
    init(_ error: FileSystemError, in stage: Stage) {
        if error == .outputGone(error.path) {
            self.init(stage: stage, reason: .outputGone)
        } else if error == .linked(error.path) {
            self.init(stage: stage, reason: .linked)
        } else if error == .placeTaken(error.path) {
            self.init(stage: stage, reason: .placeTaken)
        } else if error == .nameTaken(error.path) || error.isNotRegular {
            self.init(
                stage: stage, reason: .nameTaken, detail: error.path.lastComponent.text)
        } else if error.isOfAnother {
            self.init(stage: stage, reason: .permissionDenied, detail: error.detail)
        } else {
            self.init(
                stage: stage, reason: Reason(errno: error.code), detail: error.detail,
                code: Int(error.code))
        }
    }
}

/// Runs file system work of a stage, turning its error into the stage's failure.
func inStage<Result: ~Copyable>(
    _ stage: Stage, _ body: () throws(FileSystemError) -> Result
) throws(RecordingFailure) -> Result {
    do throws(FileSystemError) {
        return try body()
    } catch {
        throw RecordingFailure(error, in: stage)
    }
}

/// Runs sound file work of a stage, turning its error into the stage's failure.
func inStage<Result: ~Copyable>(
    _ stage: Stage, _ body: () throws(AudioFileError) -> Result
) throws(RecordingFailure) -> Result {
    do throws(AudioFileError) {
        return try body()
    } catch {
        throw RecordingFailure(error, in: stage)
    }
}

/// Findings that are no system call's, under numbers that no call on files gives.
extension FileSystemError {
    /// The output is gone, or another folder is in its place.
    static func outputGone(_ path: Pathname) -> Self { Self(path, code: EOWNERDEAD) }

    /// Something that is no output bears the name of one.
    static func nameTaken(_ path: Pathname) -> Self { Self(path, code: EADDRINUSE) }

    /// A file is where a folder of the output was, or is to be.
    static func placeTaken(_ path: Pathname) -> Self { Self(path, code: EADDRNOTAVAIL) }

    /// A link has taken the place of a folder, or of one above it.
    static func linked(_ path: Pathname) -> Self { Self(path, code: ENOTUNIQ) }

    /// Something stands where a file of our own should: a link, a pipe, a device, a directory.
    static func notRegular(_ path: Pathname) -> Self { Self(path, code: ENOTSOCK) }

    var isNotRegular: Bool { code == ENOTSOCK }

    /// A file of our own that belongs to another user.
    static func ofAnother(_ path: Pathname) -> Self { Self(path, code: EUSERS) }

    var isOfAnother: Bool { code == EUSERS }
}
