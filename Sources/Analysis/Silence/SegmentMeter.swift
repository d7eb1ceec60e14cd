import Glibc
import Recordings

extension SilenceMap {
    /// The segments of sound between the silences, with levels and signal-to-noise ratios.
    ///
    /// The ratio is to the silences on both sides, as the floor may change within a recording. As
    /// everywhere, digital silence counts neither as sound nor as floor.
    /// - Parameter confidence: that of some frames of the track.
    /// - Complexity: O(frames).
    func measuredSounds(
        in track: ActivityTrack, _ timeline: Timeline, confidence: (Range<Int>) -> Double?
    ) -> [SoundSegment] {
        let frames = { (start: Double, end: Double) in
            timeline.frame(
                start)..<max(timeline.frame(start), min(timeline.frame(end), track.frames))
        }
        let silences = intervalsSeconds.map { (ends: $0, power: track.power(frames($0[0], $0[1]))) }
        var next = 0
        return sounds(durationSeconds: timeline.durationSeconds).map { sound in
            var segment = sound
            let own = frames(sound.startSeconds, sound.endSeconds)
            while next < silences.count, silences[next].ends[0] < sound.endSeconds { next += 1 }
            // Those that end where it begins, and begin where it ends.
            let beside = silences[max(0, next - 1)..<min(silences.count, next + 1)]
            var floor = PowerSum()
            for silence in beside { floor.add(silence.power) }
            let power = track.power(own).mean
            segment.levelDBFS = power.map { (10 * log10($0)).rounded(toDecimals: 1) }
            segment.signalToNoiseDecibels = power.flatMap { power in
                floor.mean.map { SoundStatistics.signalToNoiseDecibels(power, floor: $0) }
            }
            segment.confidence = confidence(own)
            return segment
        }
    }
}

/// A sum over frames that are not digital silence.
private struct PowerSum {
    var frames = 0.0
    var sum = 0.0

    mutating func add(_ other: PowerSum) {
        frames += other.frames
        sum += other.sum
    }

    var mean: Double? { frames > 0 ? sum / frames : nil }
}

extension ActivityTrack {
    fileprivate func power(_ range: Range<Int>) -> PowerSum {
        var power = PowerSum()
        forEachLevels(in: range) { levels in
            power.frames += Double(levels.count)
            for value in Decibels.powers(levels) { power.sum += Double(value) }
        }
        return power
    }
}
