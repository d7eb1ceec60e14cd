import CLanes
import PlainLanes
import TestSupport
import Testing

/// The widest loops that this processor has come to the same bits as those that every one has.
@Suite struct LanesTests {
    /// So many samples of both signs and of very different sizes.
    private func samples(_ count: Int, seed: UInt64) -> [Float] {
        var random = SeededGenerator(seed: seed)
        return (0..<count).map { _ in
            let size = Float.random(in: -12...2, using: &random)
            return Float.random(in: -1...1, using: &random)
                * Float(sign: .plus, exponent: Int(size), significand: 1)
        }
    }

    /// What each of two loops writes over the same numbers.
    private func expectSame(
        _ count: Int, _ one: (UnsafeMutablePointer<Float>) -> Void,
        _ other: (UnsafeMutablePointer<Float>) -> Void,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let before = samples(count, seed: 99)
        var (first, second) = (before, before)
        one(&first)
        other(&second)
        #expect(count == 0 || first != before, sourceLocation: sourceLocation)
        #expect(
            first.map(\.bitPattern) == second.map(\.bitPattern), sourceLocation: sourceLocation)
    }

    /// A low-pass whose two arms lie far enough from where samples begin.
    private func lowPass(
        channels: Int, taps: Int, _ body: (inout LanesLowPass, [LanesArm], [Float]) -> Void
    ) {
        let centre = 100 * channels
        let arms = [
            LanesArm(before: centre - channels, after: centre),
            LanesArm(before: centre + 3, after: centre + 7),
        ]
        let weights = (0..<2 * taps).map { 1 / Float($0 + 3) }
        arms.withUnsafeBufferPointer { first in
            weights.withUnsafeBufferPointer { weight in
                guard let first = first.baseAddress, let weight = weight.baseAddress else { return }
                var filter = LanesLowPass(
                    arms: first, armCount: arms.count, weights: weight, tapCount: taps,
                    centre: centre, centreWeight: 0.5)
                body(&filter, arms, weights)
            }
        }
    }

    @Test(arguments: [1, 2, 3], [1, 5, 8, 35])
    func lowPassMatchesPlainLoopAndDirectSum(channels: Int, taps: Int) {
        for count in [64, 192] {
            let input = samples(count + 300 * channels, seed: 1)
            lowPass(channels: channels, taps: taps) { filter, arms, weights in
                expectSame(count) {
                    lanes_low_pass(input, &filter, channels, $0, count)
                } _: {
                    plain_low_pass(input, &filter, channels, $0, count)
                }
                var outputs = [Float](repeating: 0, count: count)
                lanes_low_pass(input, &filter, channels, &outputs, count)
                for place in 0..<count {
                    var terms = [0.5 * input[place + filter.centre]]
                    for (arm, own) in arms.enumerated() {
                        for tap in 0..<taps {
                            let weight = weights[arm * taps + tap]
                            terms.append(weight * input[place + own.before - tap * channels])
                            terms.append(weight * input[place + own.after + tap * channels])
                        }
                    }
                    #expect(near(outputs[place], terms))
                }
            }
        }
    }

    private func near(_ value: Float, _ terms: [Float]) -> Bool {
        let magnitude: Float = terms.reduce(0) { $0 + abs($1) }
        return abs(value - terms.reduce(0, +)) <= 1e-5 * magnitude
    }

    @Test(arguments: [1, 7, 8, 61, 512]) func mixedPairsAndRangesMatchPlainLoop(count: Int) {
        var random = SeededGenerator(seed: 14)
        let pairs: [Int16] =
            [.min, .min, .max, .max, .min, .max, 0, -1, 0, 1, -1, -1]
            + (0..<2 * count).map { _ in Int16.random(in: .min ... .max, using: &random) }
        var (wide, plain) = (
            [Int16](repeating: 0, count: count), [Int16](repeating: 0, count: count)
        )
        lanes_mix_pairs(pairs, count, &wide)
        plain_mix_pairs(pairs, count, &plain)
        #expect(wide == plain)
        let halves = (0..<count).map { (place: Int) -> Int16 in
            let sum = Int(pairs[2 * place]) + Int(pairs[2 * place + 1])
            return Int16(sum / 2)
        }
        #expect(wide == halves)
        for length in [1, 2, 7, 61, count] where length <= count {
            let runs = count / length
            var ranges = [Int16](repeating: 7, count: 2 * runs + 1)
            var plainRanges = ranges
            lanes_ranges(wide, length, runs, &ranges)
            plain_ranges(wide, length, runs, &plainRanges)
            #expect(ranges == plainRanges && ranges.last == 7)
            for run in 0..<runs {
                let own = halves[run * length..<(run + 1) * length]
                #expect(ranges[2 * run] == own.min() && ranges[2 * run + 1] == own.max())
            }
        }
    }

    @Test(arguments: [0, 32, 96, 512], [1, 2, 4, 16, 32])
    func levelSumsMatchPlainLoop(count: Int, channels: Int) {
        let input = samples(count + 1, seed: 2)
        func levels(
            _ sum: (UnsafePointer<Float>, Int, Int, UnsafeMutablePointer<LanesLevels>) -> Void
        ) -> [[Double]] {
            var levels = [LanesLevels](repeating: LanesLevels(), count: channels)
            sum(input, count, channels, &levels)
            return levels.map { [$0.sum, $0.sumOfSquares, Double($0.peak)] }
        }
        let wide = levels(lanes_level_sums)
        #expect(wide == levels(plain_level_sums))
        for channel in 0..<channels {
            let own = stride(from: channel, to: count, by: channels).map { Double(input[$0]) }
            let (magnitudes, squares) = (own.map(abs), own.map { $0 * $0 })
            #expect(abs(wide[channel][0] - own.reduce(0, +)) <= 1e-5 * magnitudes.reduce(0, +))
            #expect(abs(wide[channel][1] - squares.reduce(0, +)) <= 1e-5 * squares.reduce(0, +))
            #expect(wide[channel][2] == magnitudes.max() ?? 0)
        }
    }

    @Test(arguments: [1, 7, 16, 32, 63, 441], [1, 2, 3])
    func stepSquaresMatchPlainLoop(count: Int, distance: Int) {
        let input = samples(count + distance, seed: 3)
        #expect(
            lanes_step_squares(input, distance, count)
                == plain_step_squares(input, distance, count))
    }

    @Test func int16ToFloatConversionMatchesPlainLoop() {
        let samples = [.min, .max, 0, -1, 1] + (0..<60).map { Int16(300 * $0 - 9000) }
        var (wide, plain) = (
            [Float](repeating: 9, count: 65), [Float](repeating: 9, count: 65)
        )
        lanes_widen(samples, 65, &wide)
        plain_widen(samples, 65, &plain)
        #expect(wide == plain && wide == samples.map { Float($0) / 32_768 })
    }

    @Test(arguments: [1, 2, 3, 8], [0, 1, 63, 200])
    func interleavedChannelsMatchPlainLoop(channels: Int, count: Int) {
        var random = SeededGenerator(seed: 23)
        let sound = (0..<channels).map { _ in
            (0..<count + 5).map { _ in Int32.random(in: -128...127, using: &random) }
        }
        let expected = (0..<count).flatMap { frame in sound.map { $0[5 + frame] << 8 } }
        let (int16, int32) = (expected.map(Int16.init), expected)
        var (short, plainShort) = (int16.map { _ in Int16(9) }, int16.map { _ in Int16(9) })
        var (wide, plainWide) = (int32.map { _ in Int32(9) }, int32.map { _ in Int32(9) })
        let pointers = sound.map { samples in
            let copy = UnsafeMutablePointer<Int32>.allocate(capacity: samples.count)
            copy.initialize(from: samples, count: samples.count)
            return UnsafePointer(copy)
        }
        defer { for pointer in pointers { pointer.deallocate() } }
        lanes_interleave(pointers, channels, 5, count, 8, 2, &short)
        plain_interleave(pointers, channels, 5, count, 8, 2, &plainShort)
        lanes_interleave(pointers, channels, 5, count, 8, 4, &wide)
        plain_interleave(pointers, channels, 5, count, 8, 4, &plainWide)
        #expect(short == int16 && plainShort == int16)
        #expect(wide == int32 && plainWide == int32)
    }

    @Test func int32ConversionMatchesPlainLoop() {
        var random = SeededGenerator(seed: 18)
        let int32 =
            [.min, .max, 0, -1]
            + (0..<70).map { _ in Int32.random(in: .min ... .max, using: &random) }
        var (wide, plain) = ([Float](repeating: 9, count: 74), [Float](repeating: 9, count: 74))
        var (int16, other) = ([Int16](repeating: 9, count: 74), [Int16](repeating: 9, count: 74))
        lanes_narrow(int32, 74, &wide, &int16)
        plain_narrow(int32, 74, &plain, &other)
        #expect(wide == plain && wide == int32.map { Float($0) * 0x1p-31 })
        #expect(int16 == other && int16 == int32.map { Int16(truncatingIfNeeded: $0 >> 16) })
    }

    /// Every sample beyond 1e6 becomes zero, and each a number of 16 bits.
    private func expectInShorts(
        _ input: [Float], sourceLocation: SourceLocation = #_sourceLocation
    ) {
        for isRounded in [true, false] {
            var (wide, plain) = (input, input)
            var int16 = [Int16](repeating: 9, count: input.count)
            var other = int16
            (isRounded ? lanes_round : lanes_truncate)(&wide, input.count, 1e6, &int16)
            (isRounded ? plain_round : plain_truncate)(&plain, input.count, 1e6, &other)
            #expect(
                wide.map(\.bitPattern) == plain.map(\.bitPattern) && int16 == other,
                sourceLocation: sourceLocation)
            let measurable = input.map { abs($0) <= 1e6 ? $0 : 0 }
            let whole = measurable.map {
                Int16(
                    max(-32_768, min(32_767, $0 * 32_767))
                        .rounded(isRounded ? .toNearestOrEven : .towardZero))
            }
            #expect(wide == measurable && int16 == whole, sourceLocation: sourceLocation)
        }
    }

    @Test func roundingAndTruncationToInt16MatchPlainLoop() {
        let clean: [Float] = [0, -0.0, 1, -1, 1.5, -1.5, 383, -383, .leastNonzeroMagnitude]
        let odd: [Float] = [.nan, -.nan, .infinity, -.infinity, 1e9, -1e9]
        let halves = (-200..<200).map { Float($0) / 65_534 }
        expectInShorts(clean + halves + samples(300, seed: 19))
        expectInShorts(clean + odd + halves + samples(300, seed: 19))
    }

    /// Wherever it stands among others.
    @Test(arguments: [
        Float.nan, -.nan, .infinity, -.infinity, 1e9, -1e9, 1e6, -1e6, (1e6 as Float).nextUp, 128,
        -128, 384, -384, 385, -385, 512, -512, 1024, -1024, 65_536, -65_536,
    ])
    func outlierIsConvertedToInt16AtAnyPosition(odd: Float) {
        for place in 0..<40 {
            var input = samples(40, seed: 20)
            input[place] = odd
            expectInShorts(input)
        }
    }

    @Test(arguments: [1, 2, 3], [2, 3, 5])
    func framesSortedByPhaseMatchPlainLoop(channels: Int, factor: Int) {
        let room = 100 * channels
        for count in [1, 7, 8, 37] {
            let frames = samples(count * factor * channels, seed: 17)
            expectSame(factor * room) {
                lanes_sort_frames(frames, channels, factor, count * factor, $0, room)
            } _: {
                plain_sort_frames(frames, channels, factor, count * factor, $0, room)
            }
            var expected = samples(factor * room, seed: 20)
            var phases = expected
            lanes_sort_frames(frames, channels, factor, count * factor, &phases, room)
            for frame in 0..<count * factor {
                let (number, phase) = frame.quotientAndRemainder(dividingBy: factor)
                for channel in 0..<channels {
                    expected[phase * room + number * channels + channel] =
                        frames[frame * channels + channel]
                }
            }
            #expect(phases == expected)
        }
    }

    @Test(arguments: [64, 128]) func stepSquaresMatchDirectSum(count: Int) {
        let one = samples(200, seed: 11)
        let steps = (0..<count + 3).map { (place: Int) -> Float in
            let step = one[place + 2] - one[place]
            return step * step
        }
        #expect(near(lanes_step_squares(one, 2, count + 3), steps))
    }
}
