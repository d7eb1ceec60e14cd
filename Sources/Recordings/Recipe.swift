/// All settings that shape outputs, in parts that are each read by their own stages only.
package struct Recipe: Hashable, Codable, Sendable {
    package var waveform = WaveformRecipe()
    package var silence = SilenceRecipe()
    package var trim = TrimRecipe()

    package init() {}
}

/// How waveforms are drawn.
package struct WaveformRecipe: Hashable, Codable, Sendable {
    package enum Format: String, Codable, Sendable, CaseIterable {
        case dat, json
    }

    /// One file is written for each; ascending use is not required, repeats are not allowed.
    package var samplesPerPixel = [256]
    /// 8 or 16.
    package var bits = 8
    package var format = Format.dat
    /// Keep channels apart instead of mixing them down.
    package var splitChannels = false

    package init() {}
}

/// How silence is found.
package struct SilenceRecipe: Hashable, Codable, Sendable {
    /// Grows when the detector changes its mind about any recording.
    package static let currentMethod = 11

    /// What tells sound from silence.
    package enum Detector: String, Codable, Sendable, CaseIterable {
        /// By how far the levels of the bands stand above their floor, and how they waver.
        case classical
        /// By a small network that was trained on voices: only speech is sound.
        case learned
    }

    package static let defaultDetector = Detector.learned

    /// What counts as sound.
    package enum Activity: String, Codable, Sendable, CaseIterable {
        /// Speech; other noise as far as it can be told from it is silence.
        case speech
        /// Whatever rises above the floor: birds, machines, music.
        case any
    }

    package var method = SilenceRecipe.currentMethod
    package var detector = SilenceRecipe.defaultDetector
    package var activity = Activity.speech
    /// Shorter silences are not reported.
    package var minimumSeconds = 0.5
    /// Shorter sounds, once those that belong together are joined, are not taken for sound.
    package var minimumSoundSeconds = 0.2
    /// Decibels by which thresholds are lowered, so that more is kept.
    package var sensitivityDecibels = 0.0
    /// The level over which all is sound, and under which nothing is; `nil` to find it out.
    package var thresholdDBFS: Double?

    /// Whether the network decides: it knows speech alone, and no level.
    package var goesByNetwork: Bool {
        detector == .learned && activity == .speech && thresholdDBFS == nil
    }

    package init() {}
}

/// What is cut, and how.
package struct TrimRecipe: Hashable, Codable, Sendable {
    package enum Mode: String, Codable, Sendable, CaseIterable {
        /// Leading and trailing silence.
        case edges
        /// Edges, and inner silences as `longestGapSeconds` and `keptGapShare` say.
        case gaps
        case off
    }

    package enum Format: String, Codable, Sendable, CaseIterable {
        /// Lossless sources keep their format, lossy ones become FLAC.
        case auto
        case wav, flac
    }

    package var mode = Mode.edges
    /// Silence left around sound at the edges; never less than a fade takes.
    package var keepSilenceSeconds = 0.25
    /// What longer inner silences are shortened to; `nil` where only their share counts.
    package var longestGapSeconds: Double? = 1.0
    /// From 0 to 1, how much of each inner silence stays; `nil` where only the longest gap counts.
    package var keptGapShare: Double?
    /// Length of the fade on each side of a cut.
    package var fadeMilliseconds = 5.0
    package var format = Format.auto

    package init() {}
}
