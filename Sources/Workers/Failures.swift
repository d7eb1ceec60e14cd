import Audio
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
        if error.isOutputGone {
            self.init(stage: stage, reason: .outputGone)
        } else if error.isNameTaken {
            self.init(
                stage: stage, reason: .nameTaken, detail: error.path.lastComponent.text)
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
