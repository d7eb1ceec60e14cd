import Foundation
import Synchronization

/// A voice made by rule: four syllables a second of changing vowels, in a melody, with a hiss
/// between them.
///
/// What keeps its tone or its vowel is no speech.
///
/// Loops over samples are plain ones, since test builds are not optimised and there are many.
package enum SpokenSound {
    /// Samples of any level, loud from the first one on.
    package static func samples(
        hertz: Double, seconds: Double, sampleRateHertz: Int
    ) -> [Float] {
        let rate = Double(sampleRateHertz)
        let periods = periods(hertz: hertz)
        var samples = [Float](repeating: 0, count: Int((seconds * rate).rounded()))
        var random = SeededGenerator(seed: 7)
        var (place, lastNoise) = (0.0, Float(0))
        var frame = 0
        while frame < samples.count {
            let time = Double(frame) / rate
            place += hertz / rate * (1 + 0.15 * sin(8 * time))
            let loudness = sin(4 * Double.pi * time + 0.7)
            let square = Float(loudness * loudness)
            // Vowels change where they are faintest.
            let position = 4 * time + 0.223
            let syllable = Int(position)
            let part = Float(position - Double(syllable))
            let other = part < 0.5 ? syllable + vowels.count - 1 : syllable + 1
            let share = max(0, 0.5 - min(part, 1 - part) / 0.4)
            let index = Int(1024 * place) & 1023
            let tone =
                (1 - share) * periods[syllable % vowels.count][index]
                + share * periods[other % vowels.count][index]
            let noise = Float(Int32(truncatingIfNeeded: random.next())) / 0x8000_0000
            let hiss = 0.25 * max(0, 1 - square / 0.3) * (noise - lastNoise)
            lastNoise = noise
            samples[frame] = (0.05 + 0.95 * square) * tone + hiss
            frame += 1
        }
        return samples
    }

    /// The formants of each vowel, in hertz.
    private static let vowels: [[Double]] = [
        [700, 1150, 2500], [320, 2200, 2900], [450, 900, 2400], [550, 1750, 2500],
        [350, 700, 2300],
    ]
    private static let widths = [80.0, 110, 160]
    private static let strengths = [1, 0.5, 0.25]

    private static let made = Mutex<[Double: [[Float]]]>([:])

    /// A period of each vowel, 1024 samples long, of mean square 1.
    private static func periods(hertz: Double) -> [[Float]] {
        if let periods = made.withLock({ $0[hertz] }) { return periods }
        let periods = vowels.map { period(of: $0, hertz: hertz) }
        made.withLock { $0[hertz] = periods }
        return periods
    }

    private static func period(of formants: [Double], hertz: Double) -> [Float] {
        var period = [Double](repeating: 0, count: 1024)
        for harmonic in 1...max(1, Int(3000 / hertz)) {
            let number = Double(harmonic)
            var strength = 0.0
            for (formant, (width, own)) in zip(formants, zip(widths, strengths)) {
                let distance = (number * hertz - formant) / width
                strength += own / (1 + distance * distance).squareRoot()
            }
            var place = 0
            while place < 1024 {
                let angle = 2 * Double.pi * Double(place) / 1024
                period[place] += strength * sin(angle * number + number * number)
                place += 1
            }
        }
        let square = period.reduce(0) { $0 + $1 * $1 } / 1024
        return period.map { Float($0 / square.squareRoot()) }
    }
}
