import Recordings

/// Something that happened in a folder that is watched.
package struct Notice: Hashable, Codable, Sendable {
    package enum Kind: String, Codable, Sendable {
        /// A file was closed after writing or moved in, or a folder has come.
        case written
        /// Anything else: something was made, removed or moved away, its times or rights changed.
        case changed
        /// The folder itself was removed, moved away or unmounted.
        case gone
    }

    /// Relative to the root.
    package var folder: Pathname
    /// `nil` where the folder itself is meant.
    package var name: Pathname?
    package var kind: Kind

    package init(folder: Pathname, name: Pathname?, kind: Kind) {
        self.folder = folder
        self.name = name
        self.kind = kind
    }
}
