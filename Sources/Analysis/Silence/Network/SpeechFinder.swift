import Recordings

/// Finds stretches of speech with the speech network.
struct SpeechFinder {
    /// The stretches of speech, sorted and disjoint.
    let speech: [Range<Int>]
    /// The same, including stretches below the requested minimum.
    let stretches: [Range<Int>]
    /// The approximate share of time classified correctly, 0 to 1.
    let confidence: Double
    /// Whether the result is better than chance, excluding digital silence.
    let isSure: Bool

    /// Pauses shorter than 0.3 s belong to the speech around them.
    private static let shortestPauseFrames = 30
    /// Compensates for the network, which starts words slightly late.
    private static let framesBefore = 1

    /// Processes at least eight frames.
    init(_ track: ActivityTrack, _ recipe: SilenceRecipe) {
        let heard = SpeechFinder.heardFrames(of: track)
        // Speech cut off by an end may have been longer; digital silence does not cut speech off.
        let sounding = track.soundingFrames
        let beginIsCut = sounding.lowerBound == 0
        let endIsCut = sounding.upperBound == track.frames
        var division = SegmentViterbi(
            shortestPause: SpeechFinder.shortestPauseFrames,
            shortestSpeech: SpeechFinder.shortestFrames(recipe), beginIsCut: beginIsCut,
            endIsCut: endIsCut)
        var withoutCaution = division
        var confidence = SpeechConfidence(digitalSilence: track.frames - heard.count)
        let caution = SpeechFinder.caution(recipe)
        SpeechFinder.listen(track, heard) { logit, isSilent in
            division.add(isSilent ? logit : logit + caution)
            if caution > 0 { withoutCaution.add(logit) }
            // Caution is a preference, and adds no confidence.
            confidence.add(isSilent ? nil : logit, isSpeech: logit > 0)
        }
        // Without any speech, caution finds it only in the most likely places: too little reason to
        // cut the rest.
        let nothingIsSaid = caution > 0 && withoutCaution.find().isEmpty
        stretches = (nothingIsSaid ? [] : division.find()).map {
            let first = max(0, $0.lowerBound - SpeechFinder.framesBefore)
            return heard.lowerBound + first..<heard.lowerBound + $0.upperBound
        }
        speech = ShortestSound(recipe).filter(stretches) {
            (beginIsCut && $0.lowerBound == 0) || (endIsCut && $0.upperBound == track.frames)
        }
        self.confidence = confidence.value
        let isShort = sounding.count < SpeechFinder.shortFrames
        isSure =
            confidence.valueBesideDigitalSilence
            >= (isShort ? SpeechFinder.leastConfidenceWhereShort : SpeechFinder.leastConfidence)
    }

    /// The share that chance would classify correctly.
    private static let leastConfidence = 0.5
    /// Three seconds may be a single drawn-out word without a floor for comparison; spoken words
    /// have higher confidence than this.
    private static let shortFrames = 300
    private static let leastConfidenceWhereShort = 0.8
    /// The logit of digital silence at either end.
    private static let endLogit: Float = -4
    /// The network needs this many frames.
    private static let fewestFrames = 10
    /// The maximum logit of digital silence.
    private static let silenceLogit: Float = -1

    /// The bias toward speech as natural log odds: decibels of caution are decibels of odds.
    static func caution(_ recipe: SilenceRecipe) -> Float {
        Float(recipe.sensitivityDecibels * 0.23025851)
    }

    /// The minimum length of speech, less its margins.
    ///
    /// Minimums above a word's length are applied later: here, stretches would be extended to the
    /// minimum with the silence around them.
    private static func shortestFrames(_ recipe: SilenceRecipe) -> Int {
        let margins = framesBefore + SegmentViterbi.shortestTail
        return max(1, ShortestSound.aloneFrames(recipe) - margins)
    }

    /// The network's logit of each frame; frames above minus the caution are speech.
    static func logits(of track: ActivityTrack) -> [Float] {
        var logits = [Float](repeating: endLogit, count: track.frames)
        let heard = heardFrames(of: track)
        var frame = heard.lowerBound
        listen(track, heard) { logit, _ in
            logits[frame] = logit
            frame += 1
        }
        return logits
    }

    /// The frames to analyse, without digital silence at either end, so that its length has no
    /// effect on the sound between.
    private static func heardFrames(of track: ActivityTrack) -> Range<Int> {
        let sounding = track.soundingFrames
        let first = min(sounding.lowerBound, max(0, track.frames - fewestFrames))
        return first..<max(sounding.upperBound, min(track.frames, first + fewestFrames))
    }

    /// Calls `body` with the logit of each frame heard, and whether it is digital silence.
    private static func listen(
        _ track: ActivityTrack, _ heard: Range<Int>, _ body: (Float, Bool) -> Void
    ) {
        let inputs = SpeechInputs(track, heard)
        SpeechNetwork.shipped.run(frames: heard.count, fill: inputs.fill) {
            let isSilent = track.isDigitalSilence(at: heard.lowerBound + $0)
            body(isSilent ? min($1, silenceLogit) : $1, isSilent)
        }
    }
}
