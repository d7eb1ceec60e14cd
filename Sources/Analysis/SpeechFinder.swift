import Recordings

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Finds the stretches of speech by the network.
struct SpeechFinder {
    /// The stretches, in order and apart.
    let speech: [Range<Int>]
    /// How sure the network was, the mean over all frames: 0 (a guess) to 1.
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
        var certainty = 0.0
        var stretches = LikeliestStretches(
            shortestPause: SpeechFinder.shortestPauseFrames,
            shortestSpeech: max(1, Int(recipe.minimumSoundSeconds * 100)))
        // Decibels of caution are decibels of odds.
        let caution = Float(recipe.sensitivityDecibels * 0.23025851)
        SpeechFinder.listen(track, network) { frame, logit in
            stretches.add(track.isDigitalSilence(at: frame) ? min(logit, -1) : logit + caution)
            certainty += Double(abs(tanhf(logit / 2)))
        }
        speech = stretches.find().map {
            max(
                0, $0.lowerBound - SpeechFinder.framesBefore)..<min(
                    track.frames, $0.upperBound + SpeechFinder.framesAfter)
        }
        confidence = (certainty / Double(track.frames)).rounded(toDecimals: 2)
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
