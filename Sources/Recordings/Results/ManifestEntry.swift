/// One recording in a manifest.
package struct ManifestEntry: Hashable, Codable, Sendable {
    package enum Status: String, Codable, Sendable, CaseIterable {
        case done, failed
        /// The source is missing; its outputs remain.
        ///
        /// The other fields retain their last values, or only the files to delete are listed.
        case sourceMissing
    }

    package var name: Pathname
    package var status: Status
    /// `nil` if the file's metadata could not be read.
    package var source: FileStamp?
    /// Hexadecimal SHA-256 of the source file; only if checksums were requested.
    package var sourceSHA256: String?
    package var format: AudioFormat?
    /// `nil` if nothing was decoded, or if a version decoded it that did not record this.
    package var decoding: Decoding?
    /// What its headers and tags say; `nil` if nothing was decoded, or by a version that did not
    /// read them.
    package var metadata: RecordingMetadata?
    /// The decoder's messages for the source; `nil` if there were none.
    package var decoderMessage: String?
    /// Faults despite which the recording is done; `nil` if there are none.
    package var warnings: [RecordingWarning]?
    package var levels: Levels?
    package var silence: SilenceMap?
    package var waveforms: [WaveformFile]?
    package var trimmed: TrimmedFile?
    /// Why there is no trimmed copy; `nil` if there is one.
    package var notTrimmed: TrimRefusal?
    package var failure: RecordingFailure?
    /// Outputs of earlier runs that are not deleted yet.
    ///
    /// If the recording has failed since, they are retained until a later run succeeds, as they may
    /// be the last copies. Otherwise their deletion waits for other work in the folder to finish.
    package var leftBehind: [Pathname]?
    /// The records of these files, each file once; incomplete for files from versions that did not
    /// keep such records.
    package var earlier: [EarlierOutputs]?
    /// The entry's recipe if it differs from the folder's: the result of an earlier run that this
    /// run did not reach.
    package var recipe: Recipe?

    package init(name: Pathname, status: Status, source: FileStamp?) {
        self.name = name
        self.status = status
        self.source = source
    }
}

/// The results of one decoding pass; parts that were not requested are `nil`.
package struct Measurements: Hashable, Codable, Sendable {
    /// `nil` if nothing was decoded.
    package var format: AudioFormat?
    package var decoding: Decoding?
    package var metadata: RecordingMetadata?
    /// The decoder's printed messages, as opposed to the errors it returned.
    package var decoderMessage: String?
    /// Faults that are no failure; `nil` if there are none.
    package var warnings: [RecordingWarning]?
    /// Hexadecimal SHA-256 of the source file.
    package var sourceSHA256: String?
    package var levels: Levels?
    package var silence: SilenceMap?
    package var waveforms: [WaveformFile]?

    package init(
        format: AudioFormat?, levels: Levels? = nil, silence: SilenceMap? = nil,
        waveforms: [WaveformFile]? = nil
    ) {
        self.format = format
        self.levels = levels
        self.silence = silence
        self.waveforms = waveforms
    }
}

extension ManifestEntry {
    /// Copies the results of a decoding pass; parts that were not requested are unchanged.
    package mutating func update(with measured: Measurements) {
        if let format = measured.format {
            self.format = format
            decoding = measured.decoding
            metadata = measured.metadata
            decoderMessage = measured.decoderMessage
            warnings = measured.warnings
        }
        sourceSHA256 = measured.sourceSHA256 ?? sourceSHA256
        levels = measured.levels ?? levels
        silence = measured.silence ?? silence
        waveforms = measured.waveforms ?? waveforms
    }

    /// Whether all measurements are present; somebody may have edited the manifest.
    package var hasAllMeasurements: Bool {
        format != nil && levels != nil && silence != nil && waveforms != nil
    }
}
