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
}
