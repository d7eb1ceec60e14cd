import Glibc
import Recordings

/// Tells sound from silence, once the whole recording has been heard.
///
/// The speech network says what is speech; or two modes are sought in how far the frames stand out,
/// and a threshold between them; or a fixed level decides. Where what is found can hardly be told
/// from the rest, nothing is called silence unless all of it is.
package enum SilenceDetector {
    /// The silences of a recording of this format that left this track.
    /// - Complexity: O(frames).
    package static func detect(
        _ track: ActivityTrack, recipe: SilenceRecipe, format: AudioFormat
    ) -> SilenceMap {
        let timeline = Timeline(format: format, minimumSeconds: recipe.minimumSeconds)
        precondition(
            recipe.goesByNetwork || !track.keepsBands, "the track holds what the recipe goes by")
        if track.frames == 0 { return .undecided(floorDBFS: nil) }
        let joints = SegmentPostprocessing(recipe, frames: track.frames)
        if let threshold = recipe.thresholdDBFS {
            // By the level alone, as gates do: for those who know their recordings.
            let least = Float(threshold - recipe.sensitivityDecibels)
            let sound = joints.stretches(of: track.runs { track.levelDBFS(at: $0) > least })
            let statistics = SoundStatistics(track, sound: sound)
            // What was asked for by a level is neither right nor wrong.
            return sound.isEmpty
                ? silent(statistics, confidence: nil, timeline)
                : map(of: sound, statistics, track, timeline)
        }
        let map =
            track.keepsBands
            ? mapByNetwork(track, recipe, timeline)
            : mapByLevels(track, recipe, timeline)
        return map ?? digitalSilences(track, joints, timeline)
            ?? .undecided(floorDBFS: SoundStatistics(track, sound: []).quietLevelDBFS)
    }

    /// The silences by how far the levels stand out, `nil` where they hardly do.
    private static func mapByLevels(
        _ track: ActivityTrack, _ recipe: SilenceRecipe, _ timeline: Timeline
    ) -> SilenceMap? {
        var sure = recipe
        sure.sensitivityDecibels = 0
        if recipe.sensitivityDecibels > 0,
            let map = mapByLevels(track, sure, timeline), map.silent
        {
            // What caution finds in silence is too little to cut the rest for.
            return map
        }
        // Digital silence at either end is no part of what was recorded.
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

    /// Shorter recordings show too little to judge by: one second.
    static let fewestFrames = ActivityTrack.framesPerSecond
    /// Where sound and floor lie closer together, they cannot be told apart.
    private static let leastSeparation = 0.4

    static func silent(
        _ statistics: SoundStatistics, confidence: Double?, _ timeline: Timeline
    ) -> SilenceMap {
        SilenceMap(
            noiseFloorDBFS: statistics.floorDBFS, signalToNoiseDecibels: nil,
            confidence: confidence, separable: false, silent: true,
            intervalsSeconds: timeline.everything)
    }

    /// The map of these stretches of sound, its confidence yet to be said.
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

    /// How sure it is that a recording without any activity is silence, `nil` where it is not.
    ///
    /// Quiet is silence, and so is noise that is not as loud as can be. A tone is not, which keeps
    /// its level as no noise can; nor is what wavers.
    private static func certaintyOfSilence(
        _ statistics: SoundStatistics, _ track: ActivityTrack
    ) -> Double? {
        guard let loud = statistics.loudLevelDBFS else { return 1 }
        guard track.frames >= fewestFrames else { return nil }
        if loud < -40 { return 0.97 }
        let isSteadyNoise = (0.25...5).contains(statistics.levelSpreadDecibels)
        return loud < -12 && isSteadyNoise ? 0.9 : nil
    }

    /// About the share of time that is told rightly, as labelled recordings show it.
    ///
    /// A quarter is wrong where sound and floor just lie apart, three in a hundred, at the edges
    /// of words, where they lie far apart.
    private static func confidence(separation: Double) -> Double {
        let wrong = 0.03 + 0.22 * exp((0.45 - separation) / 0.5)
        return max(0, min(1, 1 - wrong)).rounded(toDecimals: 2)
    }

    /// How far sound had to stand out, the mean over the recording.
    private static func meanThreshold(_ thresholds: ActivityThresholds, frames: Int) -> Double {
        let sum = (0..<frames).reduce(0.0) { $0 + Double(thresholds.value(at: $1)) }
        return (sum / Double(frames)).rounded(toDecimals: 1)
    }

    /// The map of a recording whose only sure silences are digital; `nil` where it has none.
    private static func digitalSilences(
        _ track: ActivityTrack, _ joints: SegmentPostprocessing, _ timeline: Timeline
    ) -> SilenceMap? {
        let sound = joints.withMargins(track.runs())
        let silences = timeline.silences(around: sound, of: track.frames)
        guard !silences.isEmpty else { return nil }
        return SilenceMap(
            noiseFloorDBFS: nil, signalToNoiseDecibels: nil, confidence: 1, separable: true,
            silent: false, intervalsSeconds: silences)
    }
}

extension SilenceMap {
    /// Sound and floor cannot be told apart.
    static func undecided(floorDBFS: Double?) -> SilenceMap {
        SilenceMap(
            noiseFloorDBFS: floorDBFS, signalToNoiseDecibels: nil, confidence: 0,
            separable: false, silent: false, intervalsSeconds: [])
    }
}
