/// The silent intervals of a recording, and the confidence in them.
package struct SilenceMap: Hashable, Codable, Sendable {
    /// Mean power of the detected silence; `nil` if that is digital silence.
    package var noiseFloorDBFS: Double?
    /// Signal-to-noise ratio; `nil` if there is no sound or no floor.
    package var signalToNoiseDecibels: Double?
    /// The mean threshold above the noise floor; `nil` if the decision did not use one.
    package var thresholdDecibels: Double?
    /// Estimated share of time classified correctly, 0 if nothing could be classified; `nil` if a
    /// level given by the user decided.
    package var confidence: Double?
    /// Whether sound and noise floor could be separated; if not, nothing may be cut.
    package var separable: Bool
    /// Whether the whole recording is silent; then nothing may be cut either.
    package var silent: Bool
    /// The silences in order, not touching, each `[start, end]` and at least the minimum long.
    package var intervalsSeconds: [[Double]]
    /// The sound between the silences, in order; `nil` in results that do not tell of it.
    package var segments: [SoundSegment]?
    /// What was found in each channel by itself; `nil` if all were looked at together.
    ///
    /// All else here is then of the recording as a whole, which is silent where every channel is.
    package var channels: [SilenceMap]?

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

    /// The map of a recording that skips silence detection.
    package static func notAnalysed(of format: AudioFormat) -> SilenceMap {
        var map = SilenceMap(
            noiseFloorDBFS: nil, signalToNoiseDecibels: nil, confidence: 0, separable: false,
            silent: false, intervalsSeconds: [])
        map.segments = map.sounds(durationSeconds: format.durationSeconds)
        return map
    }

    /// The lowest sample rate for silence detection: below it, 10 ms hold too few samples to tell
    /// sound from noise, and a few bytes could claim days.
    package static let leastRateHertz = 1000

    /// Total duration of the silences.
    package var totalSeconds: Double {
        intervalsSeconds.reduce(0) { $0 + ($1[1] - $1[0]) }
    }
}

/// A stretch of sound between two silences, in time of the source.
package struct SoundSegment: Hashable, Codable, Sendable {
    package var startSeconds: Double
    package var endSeconds: Double
    /// Mean power; `nil` if it was not measured, or all is digital silence.
    package var levelDBFS: Double?
    /// The sound alone, relative to the silences on both sides; `nil` if that was not measured, or
    /// there are none but digital ones.
    package var signalToNoiseDecibels: Double?
    /// Estimated share of its time that is sound; `nil` if that is unknown, or a level given by the
    /// user decided.
    package var confidence: Double?

    package init(startSeconds: Double, endSeconds: Double) {
        self.startSeconds = startSeconds
        self.endSeconds = endSeconds
    }
}

extension SilenceMap {
    /// What the silences leave of a recording, not measured; none if it is silent, and all of it if
    /// sound and noise floor could not be separated.
    package func sounds(durationSeconds: Double) -> [SoundSegment] {
        var sounds: [SoundSegment] = []
        var start = 0.0
        for silence in intervalsSeconds + [[durationSeconds, durationSeconds]] {
            if silence[0] > start {
                sounds.append(SoundSegment(startSeconds: start, endSeconds: silence[0]))
            }
            start = silence[1]
        }
        return sounds
    }
}

extension ManifestEntry {
    /// Adds the segments that earlier versions did not record.
    /// - Returns: whether they were missing.
    package mutating func addSegments() -> Bool {
        guard let format, let silence, silence.segments == nil else { return false }
        self.silence?.segments = silence.sounds(durationSeconds: format.durationSeconds)
        return true
    }
}
