import Glibc
import Recordings

/// An operation on a sound file that did not succeed: facts for whoever words it.
package struct AudioFileError: Error, Sendable, Hashable {
    /// What was being done.
    package enum Activity: String, Sendable, CaseIterable {
        case opening, reading, seeking, creating, writing, closing
    }

    package var activity: Activity
    package var path: Pathname
    package var reason: RecordingFailure.Reason
    /// `errno`, or the decoder's error number.
    package var code: Int?
    /// The decoder's or the system's own words.
    package var detail: String?
    /// Frames that had been decoded.
    package var frame: Int64?
    /// Frames promised; bytes of sound where it did not come to be opened.
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

    /// What a library says of a failure, or where it says nothing, this reason.
    init(
        _ activity: Activity, _ path: Pathname, _ refusal: LibraryRefusal?,
        or reason: RecordingFailure.Reason, frame: Int64? = nil, expected: Int64? = nil
    ) {
        self.init(
            activity: activity, path: path, reason: refusal?.reason ?? reason,
            code: refusal?.code, detail: refusal?.detail, frame: frame, expected: expected)
    }

    /// A system call's failure.
    package init(_ activity: Activity, _ path: Pathname, errno number: Int32, frame: Int64? = nil) {
        self.init(
            activity: activity, path: path, reason: RecordingFailure.Reason(errno: number),
            code: Int(number), detail: String(cString: strerror(number)), frame: frame)
    }
}

extension RecordingFailure.Reason {
    /// What the system's error number means for a recording.
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
