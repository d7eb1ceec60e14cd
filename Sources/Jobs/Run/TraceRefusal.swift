import Recordings

/// Why a trace cannot be written or read.
package enum TraceRefusal: Error, Hashable, Sendable {
    /// It would take the place of a file that is no trace.
    case foreign(Pathname)
    /// `detail` has the system's own words.
    case notWritten(Pathname, detail: String)
    case notRead(Pathname, detail: String)
    case notATrace(Pathname)
    /// It is of a format that this version does not know.
    case otherFormat(Pathname, Int)
    /// Lines are counted from 1.
    case damaged(Pathname, line: Int)
}
