import Recordings

/// Finds stretches of speech with the speech network.
///
/// Speech is seldom alone: what is far from all clear speech must be likelier to count. Clear
/// speech itself counts whatever else a recording holds.
struct SpeechFinder {
    /// The stretches of speech, sorted and disjoint.
    let sound: [Range<Int>]
    /// The approximate share of time classified correctly, 0 to 1.
    let confidence: Double
    /// Whether the result is better than chance, excluding digital silence.
    let isSure: Bool
    private let heard: HeardFrames

    /// Processes at least eight frames.
    /// - Parameter heard: the network's answers about the track, if there are any yet.
    init(_ track: ActivityTrack, _ recipe: SilenceRecipe, _ heard: HeardFrames? = nil) {
        let heard = heard ?? HeardFrames(track)
        self.heard = heard
        let (usual, all) = (SpeechFinder.bias(recipe.activity), SpeechFinder.bias(recipe))
        // Without any speech, caution finds it only in the most likely places: too little reason to
        // cut the rest.
        let nothingIsSaid = all > usual && heard.stretches(bias: usual, recipe).isEmpty
        let stretches = heard.stretches(bias: nothingIsSaid ? usual : all, recipe)
        let (first, last) = (heard.beginIsCut ? 0 : -1, heard.endIsCut ? track.frames : -1)
        sound = ShortestSound(recipe).filter(stretches) {
            $0.lowerBound == first || $0.upperBound == last
        }
        confidence = heard.confidence.value
        isSure = heard.confidence.valueBesideDigitalSilence >= SpeechFinder.leastConfidence
    }

    /// The approximate share of some frames that is speech, 0 to 1.
    func confidence(of frames: Range<Int>) -> Double { heard.confidence(of: frames) }

    /// The share that chance would classify correctly.
    private static let leastConfidence = 0.5

    /// The bias toward sound as natural log odds: decibels of caution are decibels of odds.
    static func bias(_ recipe: SilenceRecipe) -> Float {
        bias(recipe.activity) + Float(recipe.sensitivityDecibels * 0.23025851)
    }

    /// The network was not trained on singing, and takes it for speech at lower odds.
    private static func bias(_ activity: SilenceRecipe.Activity) -> Float {
        activity == .voice ? 2 : 0
    }
}

/// The network's answers about a track.
struct HeardFrames {
    /// Whether the recording's ends may have cut off speech; digital silence does not.
    let beginIsCut: Bool
    let endIsCut: Bool
    let confidence: SpeechConfidence

    /// All frames but digital silence at either end, so that its length has no effect on the sound
    /// between.
    private let frames: Range<Int>
    /// By frame.
    private let logits: [Float]
    private let track: ActivityTrack

    /// The logit of digital silence at either end.
    private static let endLogit: Float = -4
    /// The maximum logit of digital silence.
    private static let silenceLogit: Float = -1
    /// The network needs this many frames.
    private static let fewestFrames = 10
    /// Compensates for the network, which starts words slightly late.
    private static let framesBefore = 1
    /// Shorter gaps lie within words, and are seldom heard as pauses.
    private static let shortestPauseFrames = 15

    init(_ track: ActivityTrack) {
        self.track = track
        let sounding = track.soundingFrames
        beginIsCut = sounding.lowerBound == 0
        endIsCut = sounding.upperBound == track.frames
        let first = min(sounding.lowerBound, max(0, track.frames - HeardFrames.fewestFrames))
        let fewest = min(track.frames, first + HeardFrames.fewestFrames)
        frames = first..<max(sounding.upperBound, fewest)
        var confidence = SpeechConfidence(digitalSilence: track.frames - frames.count)
        var logits: [Float] = []
        logits.reserveCapacity(frames.count)
        let inputs = SpeechInputs(track, frames)
        SpeechNetwork.shipped.run(frames: frames.count, fill: inputs.fill) {
            let isSilent = track.isDigitalSilence(at: first + $0)
            logits.append(isSilent ? min($1, HeardFrames.silenceLogit) : $1)
            // Caution is a preference, and adds no confidence.
            confidence.add(isSilent ? nil : $1, isSpeech: $1 > 0)
        }
        (self.logits, self.confidence) = (logits, confidence)
    }

    /// The approximate share of some frames that is speech.
    func confidence(of stretch: Range<Int>) -> Double {
        var confidence = SpeechConfidence()
        for frame in stretch {
            let isHeard = frames.contains(frame) && !track.isDigitalSilence(at: frame)
            confidence.add(isHeard ? logits[frame - frames.lowerBound] : nil, isSpeech: true)
        }
        return confidence.value
    }

    /// The logit of each frame; those above minus the caution are speech.
    var logitsOfAll: [Float] {
        let before = repeatElement(HeardFrames.endLogit, count: frames.lowerBound)
        return before + logits
            + repeatElement(HeardFrames.endLogit, count: track.frames - frames.upperBound)
    }

    /// The stretches of speech if its log odds were higher by `bias`.
    func stretches(bias: Float, _ recipe: SilenceRecipe) -> [Range<Int>] {
        let likely = division(bias: bias, recipe)
        guard frames.count >= LonelySpeech.fewestFrames else { return likely }
        let lonely = LonelySpeech(likely) { clearest(in: $0) + bias >= LonelySpeech.clearLogit }
        guard !lonely.isEmpty else { return likely }
        return lonely.replaced(by: division(bias: bias - LonelySpeech.furtherOdds, recipe))
    }

    /// The highest logit in a stretch.
    private func clearest(in stretch: Range<Int>) -> Float {
        stretch.reduce(-.infinity) { max($0, logits[$1 - frames.lowerBound]) }
    }

    /// The most likely division into stretches and pauses if the log odds were higher by `bias`.
    private func division(bias: Float, _ recipe: SilenceRecipe) -> [Range<Int>] {
        var division = SegmentViterbi(
            shortestPause: HeardFrames.shortestPauseFrames,
            shortestSpeech: HeardFrames.shortestFrames(recipe), beginIsCut: beginIsCut,
            endIsCut: endIsCut)
        for (frame, logit) in zip(frames, logits) {
            division.add(track.isDigitalSilence(at: frame) ? logit : logit + bias)
        }
        return division.find().map {
            let first = max(0, $0.lowerBound - HeardFrames.framesBefore)
            return frames.lowerBound + first..<frames.lowerBound + $0.upperBound
        }
    }

    /// The minimum length of speech, less its margins.
    ///
    /// Minimums above a word's length are applied later: here, stretches would be extended to the
    /// minimum with the silence around them.
    private static func shortestFrames(_ recipe: SilenceRecipe) -> Int {
        let margins = framesBefore + SegmentViterbi.shortestTail
        return max(1, ShortestSound.aloneFrames(recipe) - margins)
    }
}
