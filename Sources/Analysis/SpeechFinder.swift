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

    /// Pauses shorter than 0.3 s are part of what is said, and nothing that is said is under 0.2 s.
    private static let shortestPauseFrames = 30
    private static let shortestSpeechFrames = 20
    /// Words fade out, and the network hears their ends a little early.
    private static let framesBefore = 1
    private static let framesAfter = 2

    /// Listens to at least eight frames.
    init(_ track: ActivityTrack, network: SpeechNetwork = .shipped) {
        let inputs = SpeechInputs(track)
        var certainty = 0.0
        var stretches = LikeliestStretches(
            shortestPause: SpeechFinder.shortestPauseFrames,
            shortestSpeech: SpeechFinder.shortestSpeechFrames)
        network.run(frames: track.frames, fill: inputs.fill) { frame, logit in
            let isSilence = track.levels[frame] == ActivityTrack.digitalSilence
            stretches.add(isSilence ? min(logit, -1) : logit)
            certainty += Double(abs(tanhf(logit / 2)))
        }
        speech = stretches.find().map {
            max(
                0, $0.lowerBound - SpeechFinder.framesBefore)..<min(
                    track.frames, $0.upperBound + SpeechFinder.framesAfter)
        }
        confidence = (certainty / Double(track.frames)).rounded(toDecimals: 2)
    }
}
