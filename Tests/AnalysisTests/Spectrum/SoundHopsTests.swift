import TestSupport
import Testing

@testable import Analysis

@Suite struct SoundHopsTests {
    /// Whole frames by chance.
    private func samples(frames: Int, channels: Int) -> [Float] {
        var random = SeededGenerator(seed: UInt64(channels))
        return (0..<frames * channels).map { _ in Float.random(in: -1...1, using: &random) }
    }

    /// The step powers of all whole hops of what comes in pieces of so many frames.
    private func powers(
        _ samples: [Float], _ hops: inout SoundHops, piece: Int
    ) -> [Float] {
        var powers: [Float] = []
        for start in stride(from: 0, to: samples.count, by: piece * hops.channels) {
            let end = min(samples.count, start + piece * hops.channels)
            samples[start..<end].withUnsafeBufferPointer {
                var place = 0
                while let power = hops.take($0, from: &place) { powers.append(power) }
                #expect(place == $0.count)
            }
        }
        return powers
    }

    /// The mean square of the steps of one hop, by adding them up.
    private func naivePower(_ samples: [Float], hop: Range<Int>, channels: Int) -> Double {
        let steps = (hop.lowerBound * channels..<hop.upperBound * channels).map { place -> Double in
            place < channels ? 0 : Double(samples[place] - samples[place - channels])
        }
        return steps.reduce(0) { $0 + $1 * $1 } / Double(max(1, steps.count))
    }

    @Test(arguments: [8000, 44_100, 250], 1...5)
    func hopPowersAreIndependentOfBlockSize(sampleRateHertz: Int, channels: Int) {
        let frames = sampleRateHertz / 10 + 3
        let samples = samples(frames: frames, channels: channels)
        let hop = sampleRateHertz / 100
        var whole = SoundHops(sampleRateHertz: sampleRateHertz, channels: channels)
        let expected = powers(samples, &whole, piece: frames)
        #expect(whole.count == expected.count && whole.frames == frames)
        #expect(whole.start(of: whole.count) <= frames && frames < whole.start(of: whole.count + 1))
        for (number, power) in expected.enumerated() {
            let naive = naivePower(
                samples, hop: whole.start(of: number)..<whole.start(of: number + 1),
                channels: channels)
            #expect(abs(Double(power) - naive) < 1e-4)
        }
        for piece in [1, hop - 1, hop, hop + 1, 3 * hop + 1] where piece > 0 {
            var hops = SoundHops(sampleRateHertz: sampleRateHertz, channels: channels)
            #expect(powers(samples, &hops, piece: piece) == expected)
            #expect(hops.count == whole.count && hops.frames == frames)
        }
    }

    @Test func lastHopIsPaddedWithLastFrame() {
        let samples = samples(frames: 100, channels: 2)
        var (hops, padded) = (
            SoundHops(sampleRateHertz: 8000, channels: 2),
            SoundHops(sampleRateHertz: 8000, channels: 2)
        )
        #expect(powers(samples, &hops, piece: 100).count == 1)
        let (added, power) = hops.pad()
        #expect(Array(added) == (0..<60).flatMap { _ in samples.suffix(2) })
        #expect(powers(samples + added, &padded, piece: 160).last == power)
        // Nothing was added to what was heard.
        #expect(hops.count == 2 && hops.frames == 100)
    }

    @Test(arguments: [8000, 96_000], [1, 2])
    func constantHopHasZeroPower(sampleRateHertz: Int, channels: Int) {
        let hop = sampleRateHertz / 100 * channels
        let sound = samples(frames: sampleRateHertz / 100, channels: channels)
        let last = Array(sound.suffix(channels))
        let held = (0..<hop).map { last[$0 % channels] }
        // Silence, sound that begins and ends within steps, silence again, another value, sound.
        let parts = [Array(repeating: 0, count: hop), sound, Array(repeating: 0, count: hop), held]
        for piece in [1, 77, 4 * hop] {
            var hops = SoundHops(sampleRateHertz: sampleRateHertz, channels: channels)
            let powers = powers((parts + [sound]).flatMap { $0 }, &hops, piece: piece)
            #expect(powers.map { $0 > 0 } == [false, true, false, false, true])
        }
    }

    @Test func emptyHopsHaveZeroPower() {
        let samples = samples(frames: 30, channels: 1)
        var hops = SoundHops(sampleRateHertz: 30, channels: 1)
        let powers = powers(samples, &hops, piece: 7)
        #expect(powers.count == hops.count && hops.count >= 99)
        #expect(powers.filter { $0 == 0 }.count >= 69 && powers.filter { $0 > 0 }.count >= 28)
    }
}
