import Audio
import Recordings

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

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
        self.init(
            stage: stage, reason: Reason(errno: error.code), detail: error.detail,
            code: Int(error.code))
    }
}

extension RecordingFailure.Reason {
    /// What a system error number means to a recording.
    init(errno code: Int32) {
        switch code {
        case ENOENT, ENOTDIR, ESTALE: self = .vanished
        case EACCES, EPERM: self = .permissionDenied
        case ENOSPC, EDQUOT, EFBIG: self = .noSpace
        case EROFS: self = .readOnly
        case ENAMETOOLONG: self = .nameTooLong
        case EMFILE, ENFILE: self = .tooManyOpenFiles
        case EIO: self = .inputOutput
        default: self = .other
        }
    }
}
