import Glibc

/// Estimates the share of time classified correctly, from the network's own probabilities,
/// calibrated on voices it was not trained on.
struct SpeechConfidence {
    private var wrong = 0.0
    private var frames: Int
    private var silentFrames: Int

    /// The log of the factor by which the network weighs a miss over a false alarm (three).
    private static let missLogit: Float = 1.0986123
    /// The ratio of actual to expected errors.
    ///
    /// Measured on 650 mixes of voices or kinds of noise held out from training, B and C of
    /// Benchmarks/silence/train: 1.2 to 1.7 in each eighth of them, sorted by expected error, and
    /// 1.6 overall, for a network trained on less data than the shipped one. On voices from its
    /// training data the network's expectation is right, so this estimate is too low there.
    private static let wrongPerExpected = 1.5

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
        let wrong = SpeechConfidence.wrongPerExpected * wrong / Double(max(1, frames))
        return max(0, 1 - wrong).rounded(toDecimals: 2)
    }
}
