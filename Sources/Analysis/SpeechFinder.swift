import Recordings

/// Finds the stretches of speech by the network.
struct SpeechFinder {
    /// The stretches, in order and apart.
    let speech: [Range<Int>]
    /// About the share of time that is told rightly, 0 to 1.
    let confidence: Double

    /// Pauses shorter than 0.3 s are part of what is said.
    private static let shortestPauseFrames = 30
    /// Words fade out, and the network hears their ends a little early.
    private static let framesBefore = 1
    private static let framesAfter = 2

    /// Listens to at least eight frames.
    init(
        _ track: ActivityTrack, _ recipe: SilenceRecipe, network: SpeechNetwork = .shipped
    ) {
        var stretches = LikeliestStretches(
            shortestPause: SpeechFinder.shortestPauseFrames,
            shortestSpeech: max(1, Int(recipe.minimumSoundSeconds * 100)))
        var confidence = SpeechConfidence()
        // Decibels of caution are decibels of odds.
        let caution = Float(recipe.sensitivityDecibels * 0.23025851)
        SpeechFinder.listen(track, network) { frame, logit in
            let isSilent = track.isDigitalSilence(at: frame)
            stretches.add(isSilent ? min(logit, -1) : logit + caution)
            confidence.add(isSilent ? nil : logit, isSpeech: logit + caution > 0)
        }
        speech = stretches.find().map {
            max(
                0, $0.lowerBound - SpeechFinder.framesBefore)..<min(
                    track.frames, $0.upperBound + SpeechFinder.framesAfter)
        }
        self.confidence = confidence.value
    }

    /// What the network says of each frame: over zero is speech.
    static func logits(of track: ActivityTrack) -> [Float] {
        var logits: [Float] = []
        listen(track, .shipped) { logits.append($1) }
        return logits
    }

    private static func listen(
        _ track: ActivityTrack, _ network: SpeechNetwork, _ body: (Int, Float) -> Void
    ) {
        network.run(frames: track.frames, fill: SpeechInputs(track).fill, body: body)
    }
}
