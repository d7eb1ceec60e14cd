import Recordings

/// Something that is not as the manifests say.
package struct Discrepancy: Hashable, Sendable {
    package enum Subject: String, Codable, Sendable {
        /// A file that a run made.
        case output
        /// The source.
        case recording
    }

    package enum Finding: Hashable, Sendable {
        /// There is no such file.
        case missing
        /// The bytes are others, though time and length may be the same.
        case altered
        /// The recording is not the one that was worked on: its length or its time is another.
        /// `sameBytes` where its digest was kept and still holds.
        case changed(from: FileStamp, to: FileStamp, sameBytes: Bool)
        /// There is something, and it is no file.
        case notAFile
        /// With the system's own words.
        case unreadable(detail: String)
    }

    /// Relative to the output, or to the root.
    package var path: Pathname
    package var subject: Subject
    package var finding: Finding

    package init(path: Pathname, subject: Subject, finding: Finding) {
        self.path = path
        self.subject = subject
        self.finding = finding
    }
}

/// A verification in numbers.
package struct VerificationSummary: Hashable, Codable, Sendable {
    /// Outputs that were looked at.
    package var outputs = 0
    /// Recordings that were looked at.
    package var recordings = 0
    package var discrepancies = 0
    /// Manifests, journals and folders that could not be read, and files that could not be looked
    /// at though nothing may be wrong with them.
    package var unreadable = 0
    /// Whether there was nothing to look at, which is not to be taken for all being well.
    package var isEmpty: Bool { self == VerificationSummary() }

    package init() {}
}
