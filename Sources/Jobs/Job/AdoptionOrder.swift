import Recordings
import ReducerKit

/// Orders new names for the outputs that a recording has under another name.
package struct AdoptionOrder: Hashable, Codable, Sendable {
    /// An existing file, and the name that it gets in addition to its old one.
    package struct Renaming: Hashable, Codable, Sendable {
        package var old: Pathname
        package var new: Pathname
        /// Of the old file, in hexadecimal: it tells where its time does not.
        package var sha256: String

        package init(old: Pathname, new: Pathname, sha256: String) {
            self.old = old
            self.new = new
            self.sha256 = sha256
        }
    }

    package var source: RecordingSource
    /// The folder of the old names, relative to the root.
    package var folder: Pathname
    /// The modification time that the old files bear: the recording's, at its old place.
    package var formerNanoseconds: Int64
    package var files: [Renaming]
    /// Attempts before this one.
    package var attempt: UInt8

    package init(
        source: RecordingSource, folder: Pathname, formerNanoseconds: Int64,
        files: [Renaming], attempt: UInt8 = 0
    ) {
        self.source = source
        self.folder = folder
        self.formerNanoseconds = formerNanoseconds
        self.files = files
        self.attempt = attempt
    }
}
