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

/// What one listening pass found out; parts that were not asked for are `nil`.
package struct Measurements: Hashable, Codable, Sendable {
    /// `nil` where nothing had to be decoded.
    package var format: AudioFormat?
    /// What the decoder printed, rather than only returned.
    package var decoderMessage: String?
    /// Of the source's bytes, in hexadecimal.
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
    /// Takes over what a listening pass found out; parts that were not asked for stay as they were.
    package mutating func update(with measured: Measurements) {
        if let format = measured.format {
            self.format = format
            decoderMessage = measured.decoderMessage
        }
        sourceSHA256 = measured.sourceSHA256 ?? sourceSHA256
        levels = measured.levels ?? levels
        silence = measured.silence ?? silence
        waveforms = measured.waveforms ?? waveforms
    }

    /// Whether it says all that is found in a recording; somebody may have taken something out.
    package var hasAllMeasurements: Bool {
        format != nil && levels != nil && silence != nil && waveforms != nil
    }
}
