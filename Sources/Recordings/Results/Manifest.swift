/// What `manifest.json` of one folder says.
package struct Manifest: Hashable, Codable, Sendable {
    /// Grows when a reader of the file would have to change.
    package static let currentVersion = 1

    /// The folder, relative to the root; "." for the root itself.
    package var folder: Pathname
    package var recipe: Recipe
    /// SHA-256 of the recipe as written here, in hexadecimal.
    package var recipeFingerprint: String
    /// Ascending by the bytes of their names.
    package var recordings: [ManifestEntry]
    package var version: Int

    package init(
        folder: Pathname, recipe: Recipe, recipeFingerprint: String, recordings: [ManifestEntry]
    ) {
        self.folder = folder.orDot
        self.recipe = recipe
        self.recipeFingerprint = recipeFingerprint
        // Entries are large: most come in order, and their names can be compared where they are.
        let isSorted = recordings.indices.dropFirst()
            .allSatisfy { recordings[$0 - 1].name < recordings[$0].name }
        self.recordings = isSorted ? recordings : recordings.sorted { $0.name < $1.name }
        self.version = Manifest.currentVersion
    }
}

/// One recording in a manifest.
package struct ManifestEntry: Hashable, Codable, Sendable {
    package enum Status: String, Codable, Sendable, CaseIterable {
        case done, failed
        /// The source is gone; what was made of it is still there.
        ///
        /// All else is as it was when the source was last there, or nothing is said but what is to
        /// go.
        case sourceMissing
    }

    package var name: Pathname
    package var status: Status
    /// `nil` where the file could not even be looked at.
    package var source: FileStamp?
    /// Of the source's bytes, in hexadecimal; only where it was asked for.
    package var sourceSHA256: String?
    package var format: AudioFormat?
    /// What the decoder printed when it read the source; `nil` where that was nothing.
    package var decoderMessage: String?
    package var levels: Levels?
    package var silence: SilenceMap?
    package var waveforms: [WaveformFile]?
    package var trimmed: TrimmedFile?
    /// Why there is no trimmed copy; `nil` where there is one.
    package var notTrimmed: TrimRefusal?
    package var failure: RecordingFailure?
    /// Files that were made of it earlier.
    ///
    /// Of a recording that has failed since, they stay, as they may be the last copies, until a
    /// later run succeeds; of any other they are to go, and could not yet, as others in the folder
    /// were being worked on.
    package var leftBehind: [Pathname]?
    /// What was said of them when they were made, of each once; not of all: before there was this,
    /// it was not kept.
    package var earlier: [EarlierOutputs]?
    /// The recipe of this entry where it is not the folder's: work of an earlier run that this one
    /// did not come to.
    package var recipe: Recipe?

    package init(name: Pathname, status: Status, source: FileStamp?) {
        self.name = name
        self.status = status
        self.source = source
    }
}

/// A waveform file that was written.
package struct WaveformFile: Hashable, Codable, Sendable {
    /// Its name in the output folder of the recording's folder.
    package var path: Pathname
    package var samplesPerPixel: Int
    package var bits: Int
    package var channels: Int
    /// Pixels.
    package var length: Int
    /// The file's length.
    package var bytes: Int64
    /// Of the file's bytes, in hexadecimal.
    package var sha256: String

    package init(
        path: Pathname, samplesPerPixel: Int, bits: Int, channels: Int, length: Int, bytes: Int64,
        sha256: String
    ) {
        self.path = path
        self.samplesPerPixel = samplesPerPixel
        self.bits = bits
        self.channels = channels
        self.length = length
        self.bytes = bytes
        self.sha256 = sha256
    }
}

/// A trimmed copy that was written.
package struct TrimmedFile: Hashable, Codable, Sendable {
    /// Its name in the output folder of the recording's folder.
    package var path: Pathname
    package var durationSeconds: Double
    /// The file's length.
    package var bytes: Int64
    /// Of the file's bytes, in hexadecimal.
    package var sha256: String
    /// Maps the copy's time to the source's, exactly.
    package var edits: [Edit]

    package init(
        path: Pathname, durationSeconds: Double, bytes: Int64, sha256: String, edits: [Edit]
    ) {
        self.path = path
        self.durationSeconds = durationSeconds
        self.bytes = bytes
        self.sha256 = sha256
        self.edits = edits
    }
}

extension Pathname {
    /// As a manifest spells a folder below the root: the root itself is ".".
    package var orDot: Pathname { isEmpty ? "." : self }
}
