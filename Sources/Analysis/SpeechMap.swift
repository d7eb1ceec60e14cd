import Recordings

extension SilenceDetector {
    /// The silences of a recording as the speech network hears them; `nil` where there is too
    /// little for it, which the levels may still judge: under a second, or nothing but digital
    /// silence.
    static func speechMap(
        _ track: ActivityTrack, _ activity: Activity, _ recipe: SilenceRecipe,
        _ timeline: Timeline
    ) -> SilenceMap? {
        guard canHearSpeech(in: track) else { return nil }
        let finder = SpeechFinder(track, recipe)
        let statistics = SoundStatistics(activity, sound: finder.speech)
        guard !finder.speech.isEmpty else {
            return SilenceMap(
                noiseFloorDBFS: statistics.floorDBFS, signalToNoiseDecibels: nil,
                confidence: finder.confidence, separable: false, silent: true,
                intervalsSeconds: timeline.everything)
        }
        guard finder.confidence >= leastConfidence else {
            return .undecided(floorDBFS: statistics.quietLevelDBFS)
        }
        return SilenceMap(
            noiseFloorDBFS: statistics.floorDBFS,
            signalToNoiseDecibels: statistics.signalToNoiseDecibels,
            confidence: finder.confidence, separable: true, silent: false,
            intervalsSeconds: timeline.silences(around: finder.speech, of: activity.frames))
    }

    /// Whether there is enough for the network to go by.
    static func canHearSpeech(in track: ActivityTrack) -> Bool {
        track.frames >= fewestFrames
            && track.levels.contains { $0 != ActivityTrack.digitalSilence }
    }

    /// Where the network is less sure than this, it guesses.
    private static let leastConfidence = 0.3
}
