import Recordings

extension SilenceDetector {
    /// The silences according to the speech network; `nil` if there is too little sound, the
    /// network only guesses, or its silence is as loud as its speech.
    static func mapByNetwork(
        _ track: ActivityTrack, _ recipe: SilenceRecipe, _ timeline: Timeline
    ) -> SilenceMap? {
        if !track.hasSound {
            return silent(SoundStatistics(track, sound: []), confidence: 1, timeline)
        }
        guard canHearSpeech(in: track) else { return nil }
        let finder = SpeechFinder(track, recipe)
        guard finder.isSure else { return nil }
        var statistics = SoundStatistics(track, sound: finder.stretches)
        let isAsLoud = statistics.isFloorAsLoud
        if isAsLoud, !statistics.isSoundScarce { return nil }
        if finder.speech.count < finder.stretches.count {
            statistics = SoundStatistics(track, sound: finder.speech)
        }
        if finder.speech.isEmpty || isAsLoud {
            return silent(statistics, confidence: finder.confidence, timeline)
        }
        var map = map(of: finder.speech, statistics, track, timeline)
        map.confidence = finder.confidence
        return map
    }

    /// Whether the track suffices for the network: at least a second, and not only digital silence.
    static func canHearSpeech(in track: ActivityTrack) -> Bool {
        track.frames >= fewestFrames && track.hasSound
    }
}
