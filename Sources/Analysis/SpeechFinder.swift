#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Finds the stretches of speech by the network.
struct SpeechFinder {
    /// The stretches, in order and apart.
    private(set) var speech: [Range<Int>] = []
    /// How sure the network was, the mean over all frames: 0 (a guess) to 1.
    private(set) var confidence = 0.0

    /// The network was trained so that a miss costs as much as three false alarms at a logit of 0.
    private static let threshold: Float = 0
    /// Pauses shorter than 0.3 s are part of what is said, and nothing that is said is under 0.2 s.
    private static let longestGapFrames = 29
    private static let shortestFrames = 20

    /// Listens to at least eight frames.
    init(_ track: ActivityTrack, network: SpeechNetwork = .shipped) {
        let inputs = SpeechInputs(track)
        var certainty = 0.0
        var runs: [Range<Int>] = []
        network.run(frames: track.frames, fill: inputs.fill) { frame, logit in
            certainty += Double(abs(tanhf(logit / 2)))
            guard logit > SpeechFinder.threshold,
                track.levels[frame] != ActivityTrack.digitalSilence
            else { return }
            if let last = runs.last, frame - last.upperBound <= SpeechFinder.longestGapFrames {
                runs[runs.count - 1] = last.lowerBound..<frame + 1
            } else {
                runs.append(frame..<frame + 1)
            }
        }
        speech = runs.filter { $0.count >= SpeechFinder.shortestFrames }
        confidence = (certainty / Double(track.frames)).rounded(toDecimals: 2)
    }
}
