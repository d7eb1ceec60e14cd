import Glibc

/// Estimates the share of time classified correctly, from the network's own probabilities,
/// calibrated on natural recordings that it was not trained on.
struct SpeechConfidence {
    private var wrong = 0.0
    private var frames: Int
    private var silentFrames: Int

    /// The log of the factor by which the network weighs a miss over a false alarm (three).
    private static let missLogit: Float = 1.0986123
    /// The share of errors is `factor` times this power of the expected share.
    ///
    /// Fitted to natural speech, sound and mixes of both from sources held out from training
    /// (`calibrate.py` in Benchmarks/silence/train): in each tenth of the recordings, sorted by
    /// expected error, the actual share is within five hundredths of it.
    private static let factor = 2.0
    private static let power = 1.2

    /// Starts with `frames` frames of digital silence, in addition to those added.
    init(digitalSilence frames: Int = 0) {
        self.frames = frames
        silentFrames = frames
    }

    /// Adds a frame with its classification; `nil` for digital silence.
    mutating func add(_ logit: Float?, isSpeech: Bool) {
        frames += 1
        guard let logit else {
            silentFrames += 1
            return
        }
        let odds = logit - SpeechConfidence.missLogit
        wrong += Double(1 / (1 + expf(isSpeech ? odds : -odds)))
    }

    /// The share, rounded to hundredths; 1 if there are no frames.
    var value: Double { share(of: frames) }

    /// The share outside digital silence, which is always certain.
    var valueBesideDigitalSilence: Double { share(of: frames - silentFrames) }

    private func share(of frames: Int) -> Double {
        let expected = wrong / Double(max(1, frames))
        let actual = SpeechConfidence.factor * pow(expected, SpeechConfidence.power)
        return max(0, 1 - actual).rounded(toDecimals: 2)
    }
}
