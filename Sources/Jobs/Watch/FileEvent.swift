import Recordings

/// Something that happened in a folder that is watched.
///
/// It says where to look, not what is there now: by the time it arrives, more may have happened.
package struct FileEvent: Hashable, Codable, Sendable {
    package enum Kind: String, Codable, Sendable {
        /// A file was closed after writing or moved in, or a folder has come.
        case written
        /// Anything else: made, removed, moved away, its times or rights changed.
        case changed
        /// The folder itself was removed or moved away, and is watched no longer.
        case gone
        /// The disk that the folder was on is not mounted any more.
        case unmounted
    }

    /// Relative to the root.
    package var folder: Pathname
    /// What it happened to in the folder; `nil` where the folder itself is meant.
    package var name: Pathname?
    package var kind: Kind

    package init(folder: Pathname, name: Pathname? = nil, kind: Kind) {
        self.folder = folder
        self.name = name
        self.kind = kind
    }
}
