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

extension FileStamp {
    /// The steps in which file systems count time, in nanoseconds: from those of NTFS to those of
    /// FAT.
    private static let timeSteps: [Int64] = [
        100, 1000, 1_000_000, 10_000_000, 1_000_000_000, 2_000_000_000,
    ]

    /// Whether a file's time is the one that it was given, as far as its file system can tell.
    package static func isTime(_ kept: Int64, _ given: Int64) -> Bool {
        if kept == given { return true }
        let (distance, overflows) = kept.subtractingReportingOverflow(given)
        return !overflows
            && timeSteps.contains {
                kept.isMultiple(of: $0) && distance.magnitude < $0.magnitude
            }
    }
}
