/// Size and modification time of a file, which detect changes without reading it.
package struct FileStamp: Hashable, Codable, Sendable {
    /// The file's length.
    package var bytes: Int64
    /// Modification time (mtime) since 1970, UTC.
    package var modifiedNanoseconds: Int64

    package init(bytes: Int64, modifiedNanoseconds: Int64) {
        self.bytes = bytes
        self.modifiedNanoseconds = modifiedNanoseconds
    }
}

extension FileStamp {
    /// Timestamp granularities of file systems in nanoseconds, from NTFS (100 ns) to FAT (2 s).
    private static let timeSteps: [Int64] = [
        100, 1000, 1_000_000, 10_000_000, 1_000_000_000, 2_000_000_000,
    ]

    /// The stamp of an output that is made of the file with this one: it bears the same time.
    package func ofOutput(bytes: Int64) -> FileStamp {
        FileStamp(bytes: bytes, modifiedNanoseconds: modifiedNanoseconds)
    }

    /// Whether a file with this stamp can be the one that was given `written`.
    package func matches(_ written: FileStamp) -> Bool {
        bytes == written.bytes
            && FileStamp.isTime(modifiedNanoseconds, written.modifiedNanoseconds)
    }

    /// Whether a file's timestamp is the one that was set, allowing for the file system's rounding.
    package static func isTime(_ kept: Int64, _ given: Int64) -> Bool {
        if kept == given { return true }
        let (distance, overflows) = kept.subtractingReportingOverflow(given)
        return !overflows
            && timeSteps.contains {
                kept.isMultiple(of: $0) && distance.magnitude < $0.magnitude
            }
    }
}
