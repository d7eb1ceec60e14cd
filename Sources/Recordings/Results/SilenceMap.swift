/// Where a recording is silent, and how sure that is.
package struct SilenceMap: Hashable, Codable, Sendable {
    /// Level of what was found to be silence, its mean power; `nil` where that is digital silence.
    package var noiseFloorDBFS: Double?
    /// How far the sound stands above the floor; `nil` where there is no sound or no floor.
    package var signalToNoiseDecibels: Double?
    /// How far sound had to stand out of the floor, the mean over the recording; `nil` where that
    /// was not what decided.
    package var thresholdDecibels: Double?
    /// About the share of time that is told rightly, 0 where nothing could be told; `nil` where a
    /// level decided that somebody gave.
    package var confidence: Double?
    /// Whether sound and floor could be told apart; where not, nothing may be cut.
    package var separable: Bool
    /// Whether the whole recording is silence; then too nothing may be cut.
    package var silent: Bool
    /// The silences, in order and apart, each `[start, end]` and at least the minimum long.
    package var intervalsSeconds: [[Double]]

    package init(
        noiseFloorDBFS: Double?, signalToNoiseDecibels: Double?, confidence: Double?,
        separable: Bool, silent: Bool, intervalsSeconds: [[Double]]
    ) {
        self.noiseFloorDBFS = noiseFloorDBFS
        self.signalToNoiseDecibels = signalToNoiseDecibels
        self.confidence = confidence
        self.separable = separable
        self.silent = silent
        self.intervalsSeconds = intervalsSeconds
    }

    /// Of a recording in which silence is not looked for.
    package static let notAnalysed = SilenceMap(
        noiseFloorDBFS: nil, signalToNoiseDecibels: nil, confidence: 0, separable: false,
        silent: false, intervalsSeconds: [])

    /// Silence is not looked for below this rate: ten milliseconds have too few samples to tell
    /// sound from a floor, and a few bytes could claim days.
    package static let leastRateHertz = 1000

    /// Sum of the silences.
    package var totalSeconds: Double {
        intervalsSeconds.reduce(0) { $0 + ($1[1] - $1[0]) }
    }
}
