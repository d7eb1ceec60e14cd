import Glibc
import Recordings
import Synchronization

/// One channel of synthetic sound, of which everything is known.
///
/// Levels are root mean squares, full scale being a square wave of ±1.
package struct Signal: Sendable {
    package var sampleRateHertz: Int
    package var samples: [Float]

    package init(sampleRateHertz: Int, samples: [Float]) {
        self.sampleRateHertz = sampleRateHertz
        self.samples = samples
    }

    /// A signal from its value at each time in seconds.
    package init(
        sampleRateHertz: Int, seconds: Double, _ value: (_ time: Double) -> Double
    ) {
        self.sampleRateHertz = sampleRateHertz
        let count = Int((seconds * Double(sampleRateHertz)).rounded())
        samples = [Float](repeating: 0, count: count)
        var index = 0.0
        transform { _ in
            defer { index += 1 }
            return Float(value(index / Double(sampleRateHertz)))
        }
    }

    package var seconds: Double { Double(samples.count) / Double(sampleRateHertz) }

    package var levelDBFS: Double {
        var sum = 0.0
        samples.withUnsafeBufferPointer { samples in
            var index = 0
            while index < samples.count {
                sum += Double(samples[index]) * Double(samples[index])
                index += 1
            }
        }
        return 10 * log10(sum / Double(samples.count))
    }

    /// Replaces each sample in turn.
    ///
    /// A plain loop, since test builds are not optimised and signals are long.
    package mutating func transform(_ body: (Float) -> Float) {
        samples.withUnsafeMutableBufferPointer { samples in
            var index = 0
            while index < samples.count {
                samples[index] = body(samples[index])
                index += 1
            }
        }
    }
}

// MARK: - Sources

extension Signal {
    /// Digital silence, or a constant.
    package static func constant(
        _ value: Double = 0, seconds: Double, sampleRateHertz: Int = 8000
    ) -> Signal {
        let count = Int((seconds * Double(sampleRateHertz)).rounded())
        return Signal(
            sampleRateHertz: sampleRateHertz,
            samples: [Float](repeating: Float(value), count: count))
    }

    package static func tone(
        hertz: Double, levelDBFS: Double, seconds: Double, sampleRateHertz: Int = 8000
    ) -> Signal {
        Signal(sampleRateHertz: sampleRateHertz, seconds: seconds) { sin(2 * .pi * hertz * $0) }
            .scaled(toDBFS: levelDBFS)
    }

    /// White noise, each sample the sum of four random numbers: nearly a bell curve.
    package static func noise(
        levelDBFS: Double, seconds: Double, sampleRateHertz: Int = 8000, seed: UInt64 = 1
    ) -> Signal {
        var generator = SeededGenerator(seed: seed)
        var noise = constant(seconds: seconds, sampleRateHertz: sampleRateHertz)
        noise.transform { _ in
            let bits = generator.next()
            let sum = (bits & 0xFFFF) + (bits >> 16 & 0xFFFF) + (bits >> 32 & 0xFFFF) + (bits >> 48)
            return Float(sum) - 2 * 65_535
        }
        return noise.scaled(toDBFS: levelDBFS)
    }

    /// The dull rush of a fan: noise that falls by 6 dB an octave from a few hundred hertz on.
    package static func fan(
        levelDBFS: Double, seconds: Double, sampleRateHertz: Int = 8000, seed: UInt64 = 2
    ) -> Signal {
        let decay = Float(exp(-2 * Double.pi * 300 / Double(sampleRateHertz)))
        var rush = noise(
            levelDBFS: 0, seconds: seconds, sampleRateHertz: sampleRateHertz, seed: seed)
        var last: Float = 0
        rush.transform {
            last = decay * last + $0
            return last
        }
        return rush.scaled(toDBFS: levelDBFS)
    }

    /// A hiss like "s": noise with its low half taken away.
    package static func hiss(
        levelDBFS: Double, seconds: Double, sampleRateHertz: Int = 8000, seed: UInt64 = 3
    ) -> Signal {
        var hiss = noise(
            levelDBFS: 0, seconds: seconds, sampleRateHertz: sampleRateHertz, seed: seed)
        // Three times the difference of neighbours.
        for _ in 0..<3 {
            var last: Float = 0
            hiss.transform { sample in
                defer { last = sample }
                return sample - last
            }
        }
        return hiss.scaled(toDBFS: levelDBFS)
    }

    /// A sum of harmonics that fall by 6 dB an octave, like the mains.
    package static func hum(
        hertz: Double = 50, levelDBFS: Double, seconds: Double, sampleRateHertz: Int = 8000
    ) -> Signal {
        harmonics(
            hertz: hertz, count: 12, levelDBFS: levelDBFS, seconds: seconds,
            sampleRateHertz: sampleRateHertz)
    }

    /// A vowel: a voice's harmonics up to 3 kHz.
    package static func vowel(
        hertz: Double = 120, levelDBFS: Double, seconds: Double, sampleRateHertz: Int = 8000
    ) -> Signal {
        harmonics(
            hertz: hertz, count: Int(3000 / hertz), levelDBFS: levelDBFS, seconds: seconds,
            sampleRateHertz: sampleRateHertz)
    }

    /// A voice made by rule, in syllables.
    package static func voice(
        hertz: Double = 120, levelDBFS: Double, seconds: Double, sampleRateHertz: Int = 8000
    ) -> Signal {
        let samples = SpokenSound.samples(
            hertz: hertz, seconds: seconds, sampleRateHertz: sampleRateHertz)
        return Signal(sampleRateHertz: sampleRateHertz, samples: samples)
            .scaled(toDBFS: levelDBFS)
    }

    private static func harmonics(
        hertz: Double, count: Int, levelDBFS: Double, seconds: Double, sampleRateHertz: Int
    ) -> Signal {
        let period = period(harmonics: count)
        let step = 4096 * hertz / Double(sampleRateHertz)
        var place = 0.0
        var sound = constant(seconds: seconds, sampleRateHertz: sampleRateHertz)
        sound.transform { _ in
            place += step
            return period[Int(place) & 4095]
        }
        return sound.scaled(toDBFS: levelDBFS)
    }

    /// One period of so many harmonics, 4096 samples long; kept, since many short words ask for the
    /// same one.
    private static func period(harmonics count: Int) -> [Float] {
        precondition(count > 0, "A sound of no harmonics is none.")
        if let period = periods.withLock({ $0[count] }) { return period }
        var place = 0.0
        var period = Signal(
            sampleRateHertz: 1, samples: [Float](repeating: 0, count: 4096))
        period.transform { _ in
            let angle = 2 * Double.pi * place / 4096
            place += 1
            var sum: Float = 0
            var harmonic = 1.0
            while harmonic <= Double(count) {
                sum += Float(sin(angle * harmonic + harmonic * harmonic) / harmonic)
                harmonic += 1
            }
            return sum
        }
        periods.withLock { $0[count] = period.samples }
        return period.samples
    }

    private static let periods = Mutex<[Int: [Float]]>([:])
}

// MARK: - Composition

extension Signal {
    package func scaled(toDBFS level: Double) -> Signal {
        amplified(byDecibels: level - levelDBFS)
    }

    package func amplified(byDecibels gain: Double) -> Signal {
        let factor = Float(pow(10, gain / 20))
        var signal = self
        signal.transform { $0 * factor }
        return signal
    }

    /// The signal with another one laid over it from a time on.
    package func adding(_ other: Signal, atSeconds start: Double = 0) -> Signal {
        var sum = self
        let first = Int((start * Double(sampleRateHertz)).rounded())
        var index = 0
        while index < other.samples.count, first + index < samples.count {
            sum.samples[first + index] += other.samples[index]
            index += 1
        }
        return sum
    }

    /// The signal, and another one behind it.
    package func followed(by other: Signal) -> Signal {
        Signal(sampleRateHertz: sampleRateHertz, samples: samples + other.samples)
    }

    package func withoutFirst(seconds: Double) -> Signal {
        let count = Int((seconds * Double(sampleRateHertz)).rounded())
        return Signal(
            sampleRateHertz: sampleRateHertz, samples: Array(samples.dropFirst(count)))
    }
}

// MARK: - Blocks

/// Several channels of equal length as the blocks that a decoder would lend.
package struct BlockSequence: Sequence {
    private let channels: [[Float]]
    private let blockFrames: Int

    package init(_ channels: [[Float]], blockFrames: Int = 4096) {
        self.channels = channels
        self.blockFrames = blockFrames
    }

    package init(_ signal: Signal, blockFrames: Int = 4096) {
        self.init([signal.samples], blockFrames: blockFrames)
    }

    package func makeIterator() -> AnyIterator<AudioBlock> {
        var start = 0
        return AnyIterator {
            let count = channels.first?.count ?? 0
            guard start < count else { return nil }
            let frames = Swift.min(blockFrames, count - start)
            defer { start += frames }
            return block(start..<(start + frames))
        }
    }

    private func block(_ range: Range<Int>) -> AudioBlock {
        var block = AudioBlock(channels: channels.count, capacityFrames: blockFrames)
        block.frames = range.count
        for channel in channels.indices {
            var frame = 0
            while frame < block.frames {
                let sample = channels[channel][range.lowerBound + frame]
                let scaled = sample.isNaN ? 0 : sample * 32768
                let place = frame * channels.count + channel
                block.samples[place] = sample
                block.int16[place] = Int16(Swift.max(-32768, Swift.min(32767, scaled)))
                frame += 1
            }
        }
        return block
    }
}
