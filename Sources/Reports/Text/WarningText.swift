import Recordings

/// What warnings say of a recording that is done all the same.
package enum WarningText {
    /// What is said if the kernel has nothing to cage a decoder with.
    package static let uncaged =
        "--isolate decodes in processes of their own, but this kernel has neither Landlock nor"
        + " seccomp: they may do all that you may"

    /// One sentence for a warning.
    /// - Parameter message: what the decoder printed.
    package static func sentence(for warning: RecordingWarning, message: String?) -> String {
        let place = warning.frame.map { " after frame \($0)" } ?? ""
        let lost = warning.lostSeconds.map { "; \(DurationText.words($0)) of audio missing" } ?? ""
        switch warning.kind {
        case .truncated: return "the file is cut off" + place + lost
        case .unfinished:
            return "the recorder did not finish this file; all audio after its header was used"
        case .damaged: return "the audio is damaged" + place + lost
        case .chainedStreams:
            return "the file holds further streams" + place + ", which were not read"
        case .formatChanges:
            return "the sample rate changes" + place + ", and the rest was not read"
        case .decoderMessage:
            return "the decoder reported a problem" + (message.map { ": \($0)" } ?? "")
        }
    }

    /// All warnings of a recording, for the line that announces it; `nil` if there are none.
    static func line(for entry: ManifestEntry) -> String? {
        guard let warnings = entry.warnings, entry.status == .done else { return nil }
        return "warning: "
            + warnings.map { sentence(for: $0, message: entry.decoderMessage) }
            .joined(separator: "; ")
    }
}
