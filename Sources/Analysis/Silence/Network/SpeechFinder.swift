import Recordings

/// Finds the stretches of speech by the network.
struct SpeechFinder {
    /// The stretches, in order and apart.
    let speech: [Range<Int>]
    /// The same with those that are shorter than asked for.
    let stretches: [Range<Int>]
    /// About the share of time that is told rightly, 0 to 1.
    let confidence: Double
    /// Whether more is told than a coin would tell, digital silence left out.
    let isSure: Bool

    /// Pauses shorter than 0.3 s are part of what is said.
    private static let shortestPauseFrames = 30
    /// The network hears words begin a little late.
    private static let framesBefore = 1

    /// Listens to at least eight frames.
    init(_ track: ActivityTrack, _ recipe: SilenceRecipe) {
        let heard = SpeechFinder.heardFrames(of: track)
        // What either end cuts off may have been longer; digital silence cuts nothing off.
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
            // Caution is what somebody prefers, and makes nothing surer.
            confidence.add(isSilent ? nil : logit, isSpeech: logit > 0)
        }
        // Where nothing is said, caution finds it at the likeliest places: too little to cut the
        // rest.
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

    /// A coin would tell as much of the time rightly.
    private static let leastConfidence = 0.5
    /// Three seconds may be one drawn-out word, with no floor to hold it against; spoken words are
    /// told more surely than this.
    private static let shortFrames = 300
    private static let leastConfidenceWhereShort = 0.8
    /// What is said of digital silence at either end.
    private static let endLogit: Float = -4
    /// The network wants some frames to go by.
    private static let fewestFrames = 10
    /// What is said of digital silence at the most.
    private static let silenceLogit: Float = -1

    /// The odds by which speech is favoured, as a natural logarithm: decibels of caution are
    /// decibels of odds.
    static func caution(_ recipe: SilenceRecipe) -> Float {
        Float(recipe.sensitivityDecibels * 0.23025851)
    }

    /// The margins that stretches get belong to them.
    ///
    /// What is asked for beyond a word is left out afterwards: the likeliest division would make it
    /// up to that length with the silence around it.
    private static func shortestFrames(_ recipe: SilenceRecipe) -> Int {
        let margins = framesBefore + SegmentViterbi.shortestTail
        return max(1, ShortestSound.aloneFrames(recipe) - margins)
    }

    /// What the network says of each frame: speech where it is over minus the caution.
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

    /// Digital silence at either end is no part of what was recorded: what lies beyond it sounds as
    /// it would alone, whenever it begins.
    private static func heardFrames(of track: ActivityTrack) -> Range<Int> {
        let sounding = track.soundingFrames
        let first = min(sounding.lowerBound, max(0, track.frames - fewestFrames))
        return first..<max(sounding.upperBound, min(track.frames, first + fewestFrames))
    }

    /// Hands over the logit of each frame that is heard, and whether it is digital silence.
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
