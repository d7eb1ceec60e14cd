import Recordings

/// Tells sound from silence, once the whole recording has been heard.
///
/// Two modes are sought in how far the frames stand above their floor, and a threshold between
/// them; where there are no two, nothing is called silence unless all of it is.
package enum SilenceDetector {
    /// The silences of a recording of this format that left this track.
    package static func detect(
        _ track: ActivityTrack, recipe: SilenceRecipe, format: AudioFormat
    ) -> SilenceMap {
        if recipe.detector == .learned,
            let map = speechMap(
                track, Timeline(format: format, minimumSeconds: recipe.minimumSeconds))
        {
            return map
        }
        let activity = Activity(track)
        let thresholds = ActivityThresholds(activity)
        let finder = SoundFinder(activity, thresholds)
        let sound = finder.find()
        let statistics = SoundStatistics(activity, sound: sound)
        let timeline = Timeline(format: format, minimumSeconds: recipe.minimumSeconds)

        if activity.frames == 0 { return .undecided(floorDBFS: nil) }
        if sound.isEmpty, let certainty = certaintyOfSilence(statistics, activity) {
            return silent(statistics, confidence: certainty, timeline)
        }
        let isLongEnough = activity.frames >= fewestFrames
        let separation = statistics.separation(mixture: thresholds.mixture)
        if isLongEnough, let separation {
            return SilenceMap(
                noiseFloorDBFS: statistics.floorDBFS,
                signalToNoiseDecibels: statistics.signalToNoiseDecibels,
                confidence: confidence(separation: separation), separable: true, silent: false,
                intervalsSeconds: timeline.silences(around: sound, of: activity.frames))
        }
        return digitalSilences(activity, finder, timeline)
            ?? .undecided(floorDBFS: statistics.quietLevelDBFS)
    }

    /// Shorter recordings show too little to judge by: one second.
    static let fewestFrames = ActivityTrack.framesPerSecond

    private static func silent(
        _ statistics: SoundStatistics, confidence: Double, _ timeline: Timeline
    ) -> SilenceMap {
        SilenceMap(
            noiseFloorDBFS: statistics.floorDBFS, signalToNoiseDecibels: nil,
            confidence: confidence, separable: false, silent: true,
            intervalsSeconds: timeline.everything)
    }

    /// How sure it is that a recording without any activity is silence, `nil` where it is not.
    ///
    /// Quiet is silence, and so is noise of middling level. A tone is not, which keeps its level
    /// as no noise can; nor is what wavers.
    private static func certaintyOfSilence(
        _ statistics: SoundStatistics, _ activity: Activity
    ) -> Double? {
        guard let loud = statistics.loudLevelDBFS else { return 1 }
        guard activity.frames >= fewestFrames else { return nil }
        let isSteadyNoise = (0.25...5).contains(statistics.levelSpreadDecibels)
        guard loud < -40 || (loud < -20 && isSteadyNoise) else { return nil }
        return max(0, min(1, (-20 - loud) / 40)).rounded(toDecimals: 2)
    }

    /// 0 where the modes just count as two, 1 where hardly a frame lies between them.
    private static func confidence(separation: Double) -> Double {
        let least = ActivityThresholds.leastSeparation
        return max(0, min(1, (separation - least) / (2.5 - least))).rounded(toDecimals: 2)
    }

    /// The map of a recording whose only sure silences are digital; `nil` where it has none.
    private static func digitalSilences(
        _ activity: Activity, _ finder: SoundFinder, _ timeline: Timeline
    ) -> SilenceMap? {
        let sound = finder.joined(
            runsOfSound(in: activity).map(finder.padded), acrossGaps: 0)
        let silences = timeline.silences(around: sound, of: activity.frames)
        guard !silences.isEmpty else { return nil }
        return SilenceMap(
            noiseFloorDBFS: nil, signalToNoiseDecibels: nil, confidence: 1, separable: true,
            silent: false, intervalsSeconds: silences)
    }

    /// The stretches that are not digital silence.
    private static func runsOfSound(in activity: Activity) -> [Range<Int>] {
        var result: [Range<Int>] = []
        var start = 0
        for frame in 0...activity.frames
        where frame == activity.frames || activity.isDigitalSilence(at: frame) {
            if frame > start { result.append(start..<frame) }
            start = frame + 1
        }
        return result
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
