import Analysis
import Recordings
import TestSupport

/// The silence map of a recording with these channels.
func silenceMap(
    _ channels: [Signal], minimumSeconds: Double = 0.5, blockFrames: Int = 4096,
    detector: SilenceRecipe.Detector = .classical
) -> SilenceMap {
    silenceMap(channels, blockFrames: blockFrames) {
        $0.minimumSeconds = minimumSeconds
        $0.detector = detector
    }
}

/// The silence map of a recording with these channels, by the levels unless the recipe is changed.
func silenceMap(
    _ channels: [Signal], blockFrames: Int = 4096, _ change: (inout SilenceRecipe) -> Void
) -> SilenceMap {
    var recipe = SilenceRecipe()
    recipe.detector = .classical
    change(&recipe)
    let rate = channels[0].sampleRateHertz
    var meter = SpectrumMeter(
        sampleRateHertz: rate, channels: channels.count, keepsBands: recipe.goesByNetwork)
    for block in BlockSequence(channels.map(\.samples), blockFrames: blockFrames) {
        meter.consume(block)
    }
    let format = AudioFormat(
        container: .wav, encoding: .pcm16, sampleRateHertz: rate, channels: channels.count,
        frames: Int64(channels[0].samples.count))
    return SilenceDetector.detect(meter.finish(), recipe: recipe, format: format)
}

func silenceMap(
    _ signal: Signal, minimumSeconds: Double = 0.5, blockFrames: Int = 4096
) -> SilenceMap {
    silenceMap([signal], minimumSeconds: minimumSeconds, blockFrames: blockFrames)
}

/// Words on a ground: vowels of these stretches at -20 dBFS, or syllables of them, four a second,
/// which the speech network takes for speech.
func words(
    _ stretches: [ClosedRange<Double>], on ground: Signal, levelDBFS: Double = -20,
    inSyllables: Bool = false
) -> Signal {
    let make = inSyllables ? Signal.voice : Signal.vowel
    return stretches.enumerated().reduce(ground) { sum, word in
        let (index, stretch) = word
        let sound = make(
            110 + 15 * Double(index % 5), levelDBFS, stretch.upperBound - stretch.lowerBound,
            ground.sampleRateHertz)
        return sum.adding(sound, atSeconds: stretch.lowerBound)
    }
}

extension SilenceMap {
    /// What is called silence within a stretch of seconds.
    func silentSeconds(within stretch: ClosedRange<Double>) -> Double {
        intervalsSeconds.reduce(0) {
            $0 + max(0, min($1[1], stretch.upperBound) - max($1[0], stretch.lowerBound))
        }
    }

    /// The sound between the silences, for a recording that begins and ends silent.
    var soundsBetween: [ClosedRange<Double>] {
        zip(intervalsSeconds, intervalsSeconds.dropFirst()).map { $0[1]...$1[0] }
    }
}
