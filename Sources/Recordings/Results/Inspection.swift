/// All that is found out about one recording, to be shown rather than kept.
package struct Inspection: Hashable, Sendable {
    package var source: FileStamp
    package var format: AudioFormat
    package var levels: Levels
    package var silence: SilenceMap
    /// Every channel by itself, about a hundred pixels a second.
    package var peaks: Peaks
    /// Only where a picture is wanted.
    package var trace: DetectorTrace?
    /// Only where a picture is wanted.
    package var spectrogram: Spectrogram?
    /// Why not all of it could be decoded; all else is then about what could.
    package var failure: RecordingFailure?
    /// What the decoder printed; `nil` where that was nothing.
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
