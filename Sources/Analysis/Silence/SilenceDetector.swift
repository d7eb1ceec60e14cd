import Glibc
import Recordings

/// Separates sound from silence, given the track of an entire recording.
///
/// Uses the speech network; or a threshold between two modes in how far frames stand out; or a
/// fixed level. If sound can hardly be told from the rest, nothing is reported as silence unless
/// everything is.
package enum SilenceDetector {
    /// The silences of a recording with this track and format.
    /// - Complexity: O(frames).
    package static func detect(
        _ track: ActivityTrack, recipe: SilenceRecipe, format: AudioFormat
    ) -> SilenceMap {
        detect(track, recipe, format, nil)
    }

    /// - Parameter heard: the network's answers about the track, if there are any yet.
    static func detect(
        _ track: ActivityTrack, _ recipe: SilenceRecipe, _ format: AudioFormat,
        _ heard: HeardFrames?
    ) -> SilenceMap {
        let timeline = Timeline(format: format, minimumSeconds: recipe.minimumSeconds)
        precondition(
            recipe.goesByNetwork || !track.keepsBands, "the track holds what the recipe goes by")
        var map = map(track, recipe, timeline, heard)
        if map.segments == nil {
            let confidence = map.separable ? map.confidence : nil
            map.segments = map.measuredSounds(in: track, timeline) { _ in confidence }
        }
        return map
    }

    /// The silences; segments only where each has a confidence of its own.
    private static func map(
        _ track: ActivityTrack, _ recipe: SilenceRecipe, _ timeline: Timeline,
        _ heard: HeardFrames?
    ) -> SilenceMap {
        if track.frames == 0 { return .undecided(floorDBFS: nil) }
        let joints = SegmentPostprocessing(recipe, frames: track.frames)
        if let threshold = recipe.thresholdDBFS {
            // Uses the level only, like a gate, for users who know their recordings.
            let least = Float(threshold - recipe.sensitivityDecibels)
            let sound = joints.stretches(of: track.runs { track.levelDBFS(at: $0) > least })
            let statistics = SoundStatistics(track, sound: sound)
            // A requested level cannot be wrong, so there is no confidence.
            return sound.isEmpty
                ? silent(statistics, confidence: nil, timeline)
                : map(of: sound, statistics, track, timeline)
        }
        let map =
            track.keepsBands
            ? mapByNetwork(track, recipe, timeline, heard)
            : mapByLevels(track, recipe, timeline)
        return map ?? digitalSilences(track, joints, timeline)
            ?? .undecided(floorDBFS: SoundStatistics(track, sound: []).quietLevelDBFS)
    }

    /// The silences according to levels; `nil` if sound hardly stands out.
    private static func mapByLevels(
        _ track: ActivityTrack, _ recipe: SilenceRecipe, _ timeline: Timeline
    ) -> SilenceMap? {
        var sure = recipe
        sure.sensitivityDecibels = 0
        if recipe.sensitivityDecibels > 0,
            let map = mapByLevels(track, sure, timeline), map.silent
        {
            // Sound found only through caution is too little reason to cut the rest.
            return map
        }
        // Digital silence at either end is not part of the recording.
        let heard = track.soundingFrames
        let activity = Activity(track.part(heard), recipe)
        let thresholds = ActivityThresholds(activity, caution: recipe.sensitivityDecibels)
        let runs = SoundFinder(activity, thresholds, recipe).find()
        let sound = runs.map {
            heard.lowerBound + $0.lowerBound..<heard.lowerBound + $0.upperBound
        }
        let statistics = SoundStatistics(track, sound: sound)
        if sound.isEmpty, let certainty = certaintyOfSilence(statistics, track) {
            return silent(statistics, confidence: certainty, timeline)
        }
        guard track.frames >= fewestFrames, statistics.isSoundLouder else { return nil }
        if recipe.activity == .any, statistics.isFloorAsLoud { return nil }
        let separation = activity.separation(of: runs)
        guard separation >= leastSeparation else { return nil }
        var map = map(of: sound, statistics, track, timeline)
        map.confidence = confidence(separation: separation)
        map.thresholdDecibels = meanThreshold(thresholds, frames: heard.count)
        return map
    }

    /// The minimum to judge a recording by: one second.
    static let fewestFrames = ActivityTrack.framesPerSecond
    /// The minimum separation at which sound and floor can be told apart.
    private static let leastSeparation = 0.4

    static func silent(
        _ statistics: SoundStatistics, confidence: Double?, _ timeline: Timeline
    ) -> SilenceMap {
        SilenceMap(
            noiseFloorDBFS: statistics.floorDBFS, signalToNoiseDecibels: nil,
            confidence: confidence, separable: false, silent: true,
            intervalsSeconds: timeline.everything)
    }

    /// The map of these stretches of sound, without confidence.
    static func map(
        of sound: [Range<Int>], _ statistics: SoundStatistics, _ track: ActivityTrack,
        _ timeline: Timeline
    ) -> SilenceMap {
        SilenceMap(
            noiseFloorDBFS: statistics.floorDBFS ?? statistics.quietLevelWithoutPauses,
            signalToNoiseDecibels: statistics.signalToNoiseDecibels, confidence: nil,
            separable: true, silent: false,
            intervalsSeconds: timeline.silences(around: sound, of: track.frames))
    }

    /// The confidence that a recording without detected activity is silence; `nil` if it is not.
    ///
    /// Quiet is silence, and so is noise below a certain loudness. A tone is not: its level is
    /// steadier than noise can be. Neither is sound with a fluctuating level.
    private static func certaintyOfSilence(
        _ statistics: SoundStatistics, _ track: ActivityTrack
    ) -> Double? {
        guard let loud = statistics.loudLevelDBFS else { return 1 }
        guard track.frames >= fewestFrames else { return nil }
        if loud < -40 { return 0.97 }
        let isSteadyNoise = (0.25...5).contains(statistics.levelSpreadDecibels)
        return loud < -12 && isSteadyNoise ? 0.9 : nil
    }

    /// The approximate share of time classified correctly, fitted to labelled recordings.
    ///
    /// Errors are a quarter where sound and floor barely separate, and 3 %, at word edges, where
    /// they are far apart.
    private static func confidence(separation: Double) -> Double {
        let wrong = 0.03 + 0.22 * exp((0.45 - separation) / 0.5)
        return max(0, min(1, 1 - wrong)).rounded(toDecimals: 2)
    }

    /// The mean threshold over the recording.
    private static func meanThreshold(_ thresholds: ActivityThresholds, frames: Int) -> Double {
        let sum = (0..<frames).reduce(0.0) { $0 + Double(thresholds.value(at: $1)) }
        return (sum / Double(frames)).rounded(toDecimals: 1)
    }

    /// The map of a recording whose only certain silences are digital; `nil` if it has none.
    private static func digitalSilences(
        _ track: ActivityTrack, _ joints: SegmentPostprocessing, _ timeline: Timeline
    ) -> SilenceMap? {
        let sound = joints.withMargins(track.runs())
        let silences = timeline.silences(around: sound, of: track.frames)
        guard !silences.isEmpty else { return nil }
        // Nothing is known of the rest.
        let known = (0..<track.frames).count { track.isDigitalSilence(at: $0) }
        let confidence = Double(known) / Double(track.frames)
        var map = SilenceMap(
            noiseFloorDBFS: nil, signalToNoiseDecibels: nil,
            confidence: confidence.rounded(toDecimals: 2), separable: true, silent: false,
            intervalsSeconds: silences)
        map.segments = map.measuredSounds(in: track, timeline) { _ in nil }
        return map
    }
}

extension SilenceMap {
    /// The map if sound and floor cannot be told apart.
    static func undecided(floorDBFS: Double?) -> SilenceMap {
        SilenceMap(
            noiseFloorDBFS: floorDBFS, signalToNoiseDecibels: nil, confidence: 0,
            separable: false, silent: false, intervalsSeconds: [])
    }
}
