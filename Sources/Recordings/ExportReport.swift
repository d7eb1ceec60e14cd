/// Why a format cannot list a recording, or its segments cannot be written; it is left out.
package enum ExportObstacle: Error, Hashable, Codable, Sendable {
    /// Its name is not UTF-8, or holds a line break or another control character.
    case name
    /// It has more stretches than the format can hold.
    case tooManyStretches(limit: Int)
    /// Its file has the name of one that was made by somebody else, or was modified.
    case taken(Pathname)
    case failed(RecordingFailure)
}

/// What a run writes beside the results of each recording: exports, and split files.
package struct ExportChoice: Hashable, Codable, Sendable {
    /// What pages are called among the formats.
    package static let report = "report"

    /// Names of formats.
    package var formats: [String] = []
    /// Whether each segment is written to a file of its own.
    package var splits = false

    package init() {}
}

/// A recording that is missing from an export, or an export that is not up to date.
package struct ExportTrouble: Hashable, Codable, Sendable {
    /// The name of the format; "split" for split files.
    package var format: String
    /// Of the recording, relative to the root; of a file that could not be written, in the output.
    package var path: Pathname
    package var obstacle: ExportObstacle

    package init(format: String, path: Pathname, obstacle: ExportObstacle) {
        (self.format, self.path, self.obstacle) = (format, path, obstacle)
    }
}

/// What bringing the exports of an output up to date came to.
package struct ExportReport: Hashable, Codable, Sendable {
    /// Files that were written.
    package var written = 0
    package var troubles: [ExportTrouble] = []
    /// How long it took.
    package var seconds = 0.0

    package init() {}
}
