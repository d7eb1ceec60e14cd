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
