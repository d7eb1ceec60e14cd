import Recordings

/// A difference between the manifests and the files.
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
        /// The content differs and the time is the same: nobody wrote to it, but a disk or a copy
        /// did it harm.
        case corrupt
        /// An output was modified since it was written.
        case altered
        /// The source's length or modification time differs from that of the processed recording.
        /// `sameBytes` if its checksum was recorded and still matches.
        case changed(from: FileStamp, to: FileStamp, sameBytes: Bool)
        /// The path exists and is not a regular file.
        case notAFile
        /// With the system's own words.
        case unreadable(detail: String)
    }

    /// Relative to the output, or to the root.
    package var path: Pathname
    package var subject: Subject
    package var finding: Finding
    package var role = Role.waveform

    /// What an output is; a modified copy or export may be somebody's work, and stays.
    package enum Role: Hashable, Sendable {
        /// Or a manifest, or a file of a version that did not say.
        case waveform
        case copy
        /// Or a split file.
        case export
    }

    /// Whether a run leaves it, as somebody has modified it.
    package var isModified: Bool { finding == .altered && role != .waveform }

    package init(path: Pathname, subject: Subject, finding: Finding) {
        self.path = path
        self.subject = subject
        self.finding = finding
    }
}

/// Counts of a verification.
package struct VerificationSummary: Hashable, Codable, Sendable {
    /// Number of outputs checked.
    package var outputs = 0
    /// Number of recordings checked.
    package var recordings = 0
    package var discrepancies = 0
    /// Records and folders that could not be read, and files that could not be checked
    /// although they may be intact.
    package var unreadable = 0
    /// Whether there was nothing to check, which does not mean that all is well.
    package var isEmpty: Bool { self == VerificationSummary() }

    package init() {}
}
