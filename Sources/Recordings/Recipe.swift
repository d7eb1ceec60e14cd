/// All settings that affect outputs, grouped by the stage that reads them.
package struct Recipe: Hashable, Codable, Sendable {
    package var waveform = WaveformRecipe()
    package var silence = SilenceRecipe()
    package var trim = TrimRecipe()

    package init() {}
}

/// How silence is found.
package struct SilenceRecipe: Hashable, Codable, Sendable {
    /// Increased when the detector's result changes for any recording.
    package static let currentMethod = 14

    /// The algorithm that separates sound from silence.
    package enum Detector: String, Codable, Sendable, CaseIterable {
        /// Thresholds band levels above their noise floor, and their modulation.
        case classical
        /// A small neural network trained on voices; only these count as sound.
        case learned
    }

    package static let defaultDetector = Detector.learned

    /// What counts as sound.
    package enum Activity: String, Codable, Sendable, CaseIterable {
        /// Speech only; other sounds count as silence where the detector can distinguish them.
        case speech
        /// Voices that speak or sing; only the network can tell.
        case voice
        /// Anything above the noise floor: birds, machines, music.
        case any
    }

    /// Which sound is looked at when a recording has several channels.
    package enum Channels: String, Codable, Sendable, CaseIterable {
        /// All of them as one.
        case together
        /// Each by itself, as in calls, where everybody has one.
        case each
    }

    package var method = SilenceRecipe.currentMethod
    package var detector = SilenceRecipe.defaultDetector
    package var activity = Activity.speech
    /// Shorter silences are not reported.
    package var minimumSeconds = 0.5
    /// Shorter sounds are ignored; neighbouring sounds are joined first.
    package var minimumSoundSeconds = 0.2
    /// Lowers thresholds by so many decibels, so that more is kept.
    package var sensitivityDecibels = 0.0
    /// A fixed threshold: sound above, silence below; `nil` to estimate it.
    package var thresholdDBFS: Double?
    /// `nil` for all together.
    package var channels: Channels?

    /// Whether the network decides: it detects only voices and uses no level threshold.
    package var goesByNetwork: Bool {
        detector == .learned && activity != .any && thresholdDBFS == nil
    }

    package init() {}

    /// What an earlier version did not know has its default.
    package init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        method = try values.decodeIfPresent(Int.self, forKey: .method) ?? method
        detector = try values.decodeIfPresent(Detector.self, forKey: .detector) ?? detector
        activity = try values.decodeIfPresent(Activity.self, forKey: .activity) ?? activity
        minimumSeconds =
            try values.decodeIfPresent(Double.self, forKey: .minimumSeconds) ?? minimumSeconds
        minimumSoundSeconds =
            try values.decodeIfPresent(Double.self, forKey: .minimumSoundSeconds)
            ?? minimumSoundSeconds
        sensitivityDecibels =
            try values.decodeIfPresent(Double.self, forKey: .sensitivityDecibels)
            ?? sensitivityDecibels
        thresholdDBFS = try values.decodeIfPresent(Double.self, forKey: .thresholdDBFS)
        channels = try values.decodeIfPresent(Channels.self, forKey: .channels)
    }
}

/// What is cut, how much padding remains, and the format of copies.
package struct TrimRecipe: Hashable, Codable, Sendable {
    package enum Mode: String, Codable, Sendable, CaseIterable {
        /// Leading and trailing silence.
        case edges
        /// Edges, and inner silences by `longestGapSeconds` and `keptGapShare`.
        case gaps
        case off
    }

    package enum Format: String, Codable, Sendable, CaseIterable {
        /// Lossless sources keep their format, lossy ones become FLAC.
        case auto
        case wav, flac
    }

    package var mode = Mode.edges
    /// Padding around sound at the edges; at least the length of a fade.
    package var keepSilenceSeconds = 0.25
    /// Longer inner silences are shortened to this; `nil` if only the share applies.
    package var longestGapSeconds: Double? = 1.0
    /// The share of each inner silence to keep, 0 to 1; `nil` if only the longest gap applies.
    package var keptGapShare: Double?
    /// Length of the fade on each side of a cut.
    package var fadeMilliseconds = 5.0
    package var format = Format.auto
    /// Recordings with a lower confidence are not cut; `nil` if all are.
    package var minimumConfidence: Double?

    package init() {}
}
