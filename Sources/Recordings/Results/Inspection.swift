/// The full analysis of one recording, for display; not stored.
package struct Inspection: Hashable, Sendable {
    package var source: FileStamp
    package var format: AudioFormat
    package var decoding: Decoding?
    package var metadata = RecordingMetadata()
    package var levels: Levels
    package var silence: SilenceMap
    /// Peaks per channel, about 100 pixels per second.
    package var peaks: Peaks
    /// Set only if a picture is requested.
    package var trace: DetectorTrace?
    /// Set only if a picture is requested.
    package var spectrogram: Spectrogram?
    /// Why decoding stopped early; the other fields cover the decoded part.
    package var failure: RecordingFailure?
    /// The fault despite which all could be analysed.
    package var warnings: [RecordingWarning]?
    /// The decoder's messages; `nil` if there were none.
    package var decoderMessage: String?

    package init(
        source: FileStamp, format: AudioFormat, levels: Levels, silence: SilenceMap, peaks: Peaks
    ) {
        self.source = source
        self.format = format
        self.levels = levels
        self.silence = silence
        self.peaks = peaks
    }
}
