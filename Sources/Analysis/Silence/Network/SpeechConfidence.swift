import Glibc

/// What share of time is told rightly, as the network itself expects it, and as it proved on voices
/// that it had never heard.
struct SpeechConfidence {
    private var wrong = 0.0
    private var frames: Int
    private var silentFrames: Int

    /// The natural logarithm of how much dearer the network takes a miss to be than a false alarm.
    private static let missLogit: Float = 1.0986123
    /// So many times what it expects to tell wrongly it does tell wrongly.
    ///
    /// Measured on 650 mixes of voices or kinds of noise that were left out of training, B and C of
    /// Benchmarks/silence/train: 1.2 to 1.7 times in each eighth of them by what was expected, 1.6
    /// times in all by a network that was trained on less than the one that ships. With voices that
    /// it was trained on it expects rightly, so it errs low there.
    private static let wrongPerExpected = 1.5

    /// With so many frames of digital silence beside those that are taken in.
    init(digitalSilence frames: Int = 0) {
        self.frames = frames
        silentFrames = frames
    }

    /// Takes in a frame that was told to be speech or not, `nil` for digital silence.
    mutating func add(_ logit: Float?, isSpeech: Bool) {
        frames += 1
        guard let logit else {
            silentFrames += 1
            return
        }
        let odds = logit - SpeechConfidence.missLogit
        wrong += Double(1 / (1 + expf(isSpeech ? odds : -odds)))
    }

    /// The share, to hundredths; 1 of no frames.
    var value: Double { share(of: frames) }

    /// The share of what is not digital silence, of which anybody is sure.
    var valueBesideDigitalSilence: Double { share(of: frames - silentFrames) }

    private func share(of frames: Int) -> Double {
        let wrong = SpeechConfidence.wrongPerExpected * wrong / Double(max(1, frames))
        return max(0, 1 - wrong).rounded(toDecimals: 2)
    }
}
