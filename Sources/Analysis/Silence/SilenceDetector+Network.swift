import Recordings

extension SilenceDetector {
    /// The silences according to the speech network; `nil` if there is too little sound, or the
    /// network only guesses.
    static func mapByNetwork(
        _ track: ActivityTrack, _ recipe: SilenceRecipe, _ timeline: Timeline,
        _ heard: HeardFrames?
    ) -> SilenceMap? {
        if !track.hasSound {
            return silent(SoundStatistics(track, sound: []), confidence: 1, timeline)
        }
        guard canHearSpeech(in: track) else { return nil }
        let finder = SpeechFinder(track, recipe, heard)
        let statistics = SoundStatistics(track, sound: finder.sound)
        // Hardly anything, and no louder than the rest, is more likely a mistake than speech.
        if finder.sound.isEmpty || (statistics.isSoundScarce && statistics.isFloorAsLoud) {
            return silent(statistics, confidence: finder.confidence, timeline)
        }
        var map = map(of: finder.sound, statistics, track, timeline)
        map.confidence = finder.confidence
        map.segments = map.measuredSounds(in: track, timeline, confidence: finder.confidence(of:))
        return finder.isSure || !map.intervalsSeconds.isEmpty ? map : nil
    }

    /// Whether the track suffices for the network: not only digital silence, and long enough for a
    /// word.
    static func canHearSpeech(in track: ActivityTrack) -> Bool {
        track.frames >= shortestWordFrames && track.hasSound
    }

    private static let shortestWordFrames = 20
}
