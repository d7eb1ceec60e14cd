import Audio
import Glibc
import Recordings

// Converts operating errors to recording failures; this is the only place that does.

extension RecordingFailure {
    /// Converts an error of reading or writing sound to a failure of the stage.
    init(_ error: AudioFileError, in stage: Stage) {
        self.init(
            stage: stage, reason: error.reason, detail: error.detail, code: error.code,
            frame: error.frame, expected: error.expected)
    }

    /// Converts a file system error to a failure of the stage.
    init(_ error: FileSystemError, in stage: Stage) {
        if error == .outputGone(error.path) {
            self.init(stage: stage, reason: .outputGone)
        } else if error == .takenOver(error.path) {
            self.init(stage: stage, reason: .takenOver)
        } else if error.isDamagedRecord {
            self.init(stage: stage, reason: .damagedRecord)
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

/// Runs file system work of a stage and converts its errors to the stage's failure.
func inStage<Result: ~Copyable>(
    _ stage: Stage, _ body: () throws(FileSystemError) -> Result
) throws(RecordingFailure) -> Result {
    do throws(FileSystemError) {
        return try body()
    } catch {
        throw RecordingFailure(error, in: stage)
    }
}

/// Runs sound file work of a stage and converts its errors to the stage's failure.
func inStage<Result: ~Copyable>(
    _ stage: Stage, _ body: () throws(AudioFileError) -> Result
) throws(RecordingFailure) -> Result {
    do throws(AudioFileError) {
        return try body()
    } catch {
        throw RecordingFailure(error, in: stage)
    }
}

/// Errors of our own, with `errno` values that no file system call returns.
extension FileSystemError {
    /// The output folder is missing or was replaced by another folder.
    static func outputGone(_ path: Pathname) -> Self { Self(path, code: EOWNERDEAD) }

    /// Another process has begun to work on the same shard.
    static func takenOver(_ path: Pathname) -> Self { Self(path, code: EKEYREVOKED) }

    /// A file that is not an output has an output's name.
    static func nameTaken(_ path: Pathname) -> Self { Self(path, code: EADDRINUSE) }

    /// A file is in the place of an output folder.
    static func placeTaken(_ path: Pathname) -> Self { Self(path, code: EADDRNOTAVAIL) }

    /// A symlink has replaced the folder or one above it.
    static func linked(_ path: Pathname) -> Self { Self(path, code: ENOTUNIQ) }

    /// A symlink, pipe, device or directory is in the place of a file of our own.
    static func notRegular(_ path: Pathname) -> Self { Self(path, code: ENOTSOCK) }

    var isNotRegular: Bool { code == ENOTSOCK }

    /// A file of our own that belongs to another user.
    static func ofAnother(_ path: Pathname) -> Self { Self(path, code: EUSERS) }

    var isOfAnother: Bool { code == EUSERS }
}
