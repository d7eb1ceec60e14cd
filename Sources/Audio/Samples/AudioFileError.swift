import Glibc
import Recordings

/// A failed operation on a sound file, as facts from which messages are worded.
package struct AudioFileError: Error, Sendable, Hashable {
    /// The operation that failed.
    package enum Activity: String, Sendable, CaseIterable {
        case opening, reading, seeking, creating, writing, closing
    }

    package var activity: Activity
    package var path: Pathname
    package var reason: RecordingFailure.Reason
    /// `errno`, or the decoder's error number.
    package var code: Int?
    /// The message of the decoder or the operating system.
    package var detail: String?
    /// Frames decoded before the error.
    package var frame: Int64?
    /// Frames declared in the header; bytes of sound if the file could not be opened.
    package var expected: Int64?

    package init(
        activity: Activity, path: Pathname, reason: RecordingFailure.Reason, code: Int? = nil,
        detail: String? = nil, frame: Int64? = nil, expected: Int64? = nil
    ) {
        self.activity = activity
        self.path = path
        self.reason = reason
        self.code = code
        self.detail = detail
        self.frame = frame
        self.expected = expected
    }

    /// A library's error; `reason` applies if the library reports none.
    init(
        _ activity: Activity, _ path: Pathname, _ refusal: LibraryRefusal?,
        or reason: RecordingFailure.Reason, frame: Int64? = nil, expected: Int64? = nil
    ) {
        self.init(
            activity: activity, path: path, reason: refusal?.reason ?? reason,
            code: refusal?.code, detail: refusal?.detail, frame: frame, expected: expected)
    }

    /// A failed system call.
    package init(_ activity: Activity, _ path: Pathname, errno number: Int32, frame: Int64? = nil) {
        self.init(
            activity: activity, path: path, reason: RecordingFailure.Reason(errno: number),
            code: Int(number), detail: String(cString: strerror(number)), frame: frame)
    }
}

extension RecordingFailure.Reason {
    /// The reason that stands for a system error number.
    package init(errno number: Int32) {
        self =
            switch number {
            case ENOENT, ENOTDIR: .vanished
            case EACCES, EPERM: .permissionDenied
            // A socket, or a device without a driver.
            case EISDIR, ENXIO, ENODEV: .notARegularFile
            case EMFILE, ENFILE: .tooManyOpenFiles
            case ENOSPC, EDQUOT: .noSpace
            case EFBIG: .tooLarge
            case EROFS: .readOnly
            case ENAMETOOLONG: .nameTooLong
            case EIO: .inputOutput
            case EAGAIN, EBUSY, EINTR, ENOMEM, ESTALE, ETIMEDOUT: .unavailable
            default: .other
            }
    }
}
