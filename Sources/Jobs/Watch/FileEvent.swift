import Recordings

/// A change in a watched folder.
///
/// It says where to look, not what is there now: by the time it arrives, more may have happened.
package struct FileEvent: Hashable, Codable, Sendable {
    package enum Kind: String, Codable, Sendable {
        /// A file was closed after writing or moved in, or a subfolder was added.
        case written
        /// Any other change: created, deleted, moved away, or its times or permissions changed.
        case changed
        /// The folder itself was deleted or moved away, and is no longer watched.
        case gone
        /// The folder's disk was unmounted.
        case unmounted
    }

    /// Relative to the root.
    package var folder: Pathname
    /// The name that changed in the folder; `nil` if the folder itself changed.
    package var name: Pathname?
    package var kind: Kind

    package init(folder: Pathname, name: Pathname? = nil, kind: Kind) {
        self.folder = folder
        self.name = name
        self.kind = kind
    }
}
