/// What tells one state of a file from another without reading it.
package struct FileStamp: Hashable, Codable, Sendable {
    /// The file's length.
    package var bytes: Int64
    /// The time of its last change, since 1970, UTC.
    package var modifiedNanoseconds: Int64

    package init(bytes: Int64, modifiedNanoseconds: Int64) {
        self.bytes = bytes
        self.modifiedNanoseconds = modifiedNanoseconds
    }
}
