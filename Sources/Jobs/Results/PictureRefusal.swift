import Recordings

/// Why a picture is not written; what was there stays.
package enum PictureRefusal: Error, Hashable, Sendable {
    /// The file is there and is no picture.
    case holdsSomethingElse(Pathname)
    case notWritten(Pathname, RecordingFailure)
}
