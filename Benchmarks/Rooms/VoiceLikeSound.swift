import Glibc

/// Something like a voice in a quiet room: phrases of hummed and hissed syllables with pauses
/// between them, over faint noise.
///
/// The same each time. Full of silences, so that there is something to find and to cut.
struct VoiceLikeSound {
    private struct Resonance {
        var feedback: (Float, Float) = (0, 0)
        var past: (Float, Float) = (0, 0)

        /// A second-order resonator, as in formant synthesis (Klatt 1980).
        mutating func tune(hertz: Float, bandwidth: Float, rate: Float) {
            let radius = expf(-Float.pi * bandwidth / rate)
            feedback = (2 * radius * cosf(2 * Float.pi * hertz / rate), -radius * radius)
        }

        mutating func next(_ input: Float) -> Float {
            let output =
                (1 - feedback.0 - feedback.1) * input + feedback.0 * past.0
                + feedback.1 * past.1
            past = (output, past.0)
            return output
        }
    }

    private let rate: Float
    private let frames: Int
    private var frame = 0
    private var random: UInt32 = 20_250_401
    private var formants = [Resonance(), Resonance()]
    /// Of the syllable, or of the pause: its frames, and how many of them are over.
    private var length = 0
    private var place = 0
    private var syllablesLeft = 0
    private var isSounding = false
    private var isHissing = false
    private var pitch: Float = 0
    private var phase: Float = 0

    /// So many seconds of it, with a second of quiet at both ends.
    init(sampleRateHertz: Int, seconds: Double) {
        rate = Float(sampleRateHertz)
        frames = Int(seconds * Double(sampleRateHertz))
        length = sampleRateHertz
    }

    /// The next frames in stereo, at most so many; none at the end.
    mutating func next(_ count: Int) -> [Float] {
        let count = min(count, frames - frame)
        var samples: [Float] = []
        samples.reserveCapacity(2 * count)
        for _ in 0..<count {
            let voice = nextVoice()
            // Somewhat to the left, and with noise of its own on both sides.
            samples.append(0.5 * voice + 0.001 * nextNoise())
            samples.append(0.4 * voice + 0.001 * nextNoise())
            frame += 1
        }
        return samples
    }

    private mutating func nextVoice() -> Float {
        if place == length { begin() }
        defer { place += 1 }
        guard isSounding else { return 0 }
        let envelope = sinf(Float.pi * Float(place) / Float(length))
        phase += pitch / rate
        if phase >= 1 { phase -= 1 }
        if isHissing { return 0.1 * envelope * nextNoise() }
        let source = 1 - 2 * phase + 0.05 * nextNoise()
        return 0.6 * envelope
            * (formants[0].next(source) + 0.6 * formants[1].next(source))
    }

    /// Begins the next syllable or pause.
    private mutating func begin() {
        place = 0
        let isNearEnd = frames - frame < Int(rate) * 3 / 2
        if syllablesLeft > 0, !isNearEnd {
            syllablesLeft -= 1
            isSounding = true
            isHissing = nextChance() < 0.2
            length = Int(rate * (0.1 + 0.15 * nextChance()))
            pitch = 100 + 80 * nextChance()
            formants[0].tune(hertz: 300 + 500 * nextChance(), bandwidth: 80, rate: rate)
            formants[1].tune(hertz: 900 + 1400 * nextChance(), bandwidth: 120, rate: rate)
        } else {
            syllablesLeft = 5 + Int(10 * nextChance())
            isSounding = false
            length = Int(rate * (0.4 + 1.6 * nextChance()))
        }
    }

    /// From -1 to 1.
    private mutating func nextNoise() -> Float { 2 * nextChance() - 1 }

    /// From 0 to 1 (a linear congruential generator: Numerical Recipes).
    private mutating func nextChance() -> Float {
        random = random &* 1_664_525 &+ 1_013_904_223
        return Float(random >> 8) / Float(1 << 24)
    }
}
