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
        #expect(first != before, sourceLocation: sourceLocation)
        #expect(
            first.map(\.bitPattern) == second.map(\.bitPattern), sourceLocation: sourceLocation)
    }

    @Test(arguments: [32, 64, 896]) func lowPass(count: Int) {
        let input = samples(count + 200, seed: 1)
        let taps = (0..<9).map {
            LanesTap(before: 90 - $0, after: 91 + $0, weight: 1 / Float($0 + 3))
        }
        expectSame(count) {
            lanes_low_pass(input, taps, taps.count, 60, 0.5, $0, count)
        } _: {
            plain_low_pass(input, taps, taps.count, 60, 0.5, $0, count)
        }
    }

    @Test(arguments: [1, 7, 8, 61, 512]) func mixAndRange(count: Int) {
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
        var (range, plainRange) = ([Int16](repeating: 0, count: 2), [Int16](repeating: 0, count: 2))
        lanes_range(wide, count, &range)
        plain_range(wide, count, &plainRange)
        #expect(range == plainRange)
        #expect(range == [halves.min() ?? 0, halves.max() ?? 0])
    }

    @Test(arguments: [8, 48, 512]) func levels(count: Int) {
        let input = samples(count, seed: 2)
        expectSame(24) {
            lanes_level_sums(input, count, $0)
        } _: {
            plain_level_sums(input, count, $0)
        }
    }

    @Test(arguments: [1, 7, 8, 441], [1, 2, 3]) func steps(count: Int, distance: Int) {
        let input = samples(count + distance, seed: 3)
        #expect(
            lanes_step_squares(input, distance, count)
                == plain_step_squares(input, distance, count))
    }

    @Test(arguments: [4, 30, 640], [1, 2, 3]) func window(count: Int, stride: Int) {
        let one = samples(3 * count + 1, seed: 4)
        let window = samples(count, seed: 6)
        expectSame(2 * count) { outputs in
            one.withUnsafeBufferPointer {
                let second = stride == 1 ? $0.baseAddress! + count : $0.baseAddress! + 1
                lanes_window_pairs($0.baseAddress!, second, stride, window, outputs, count)
            }
        } _: { outputs in
            one.withUnsafeBufferPointer {
                let second = stride == 1 ? $0.baseAddress! + count : $0.baseAddress! + 1
                plain_window_pairs($0.baseAddress!, second, stride, window, outputs, count)
            }
        }
    }

    @Test(arguments: [2, 8, 30, 640]) func powers(count: Int) {
        let (bins, others) = (samples(2 * count, seed: 7), samples(2 * count, seed: 13))
        expectSame(count) {
            lanes_twin_powers(bins, count, 0.3, $0)
        } _: {
            plain_twin_powers(bins, count, 0.3, $0)
        }
        for adds: Int32 in [0, 1] {
            expectSame(count) {
                lanes_joint_powers(bins, others, count, 0.3, adds, $0)
            } _: {
                plain_joint_powers(bins, others, count, 0.3, adds, $0)
            }
        }
    }

    @Test(arguments: [0, 1, 4, 77]) func pairs(count: Int) {
        let pairs = samples(2 * count, seed: 8)
        expectSame(2) {
            lanes_sum_pairs(pairs, count, $0)
        } _: {
            plain_sum_pairs(pairs, count, $0)
        }
    }

    @Test(arguments: [8, 24]) func layers(width: Int) {
        let inputs = samples(1000, seed: 9)
        let weights = samples(113 * width, seed: 10)
        expectSame(4 * width) {
            lanes_dense_rows(inputs, 56, 112, weights, width, $0)
        } _: {
            plain_dense_rows(inputs, 56, 112, weights, width, $0)
        }
        var scratch = [Float](repeating: 0, count: 4 * width)
        inputs.withUnsafeBufferPointer { inputs in
            let rows = inputs.baseAddress! + 12 * width
            expectSame(4 * width) {
                lanes_separable_rows(rows, 4, 5, weights, width, &scratch, $0)
            } _: {
                plain_separable_rows(rows, 4, 5, weights, width, &scratch, $0)
            }
        }
        #expect(lanes_dot(inputs, weights, width) == plain_dot(inputs, weights, width))
    }

    @Test(arguments: [32, 64]) func comeToWhatTheLongWayComesTo(count: Int) {
        let (one, other) = (samples(600, seed: 11), samples(600, seed: 12))
        func near(_ value: Float, _ terms: [Float]) -> Bool {
            let magnitude: Float = terms.reduce(0) { $0 + abs($1) }
            return abs(value - terms.reduce(0, +)) <= 1e-5 * magnitude
        }
        #expect(near(lanes_dot(one, other, count), (0..<count).map { one[$0] * other[$0] }))
        let steps = (0..<count + 3).map { (place: Int) -> Float in
            let step = one[place + 2] - one[place]
            return step * step
        }
        #expect(near(lanes_step_squares(one, 2, count + 3), steps))
        let taps = [
            LanesTap(before: 5, after: 9, weight: 0.5), LanesTap(before: 1, after: 12, weight: -2),
        ]
        var outputs = [Float](repeating: 0, count: count)
        lanes_low_pass(one, taps, taps.count, 7, 3, &outputs, count)
        for place in 0..<count {
            var terms: [Float] = [3 * one[place + 7]]
            for tap in taps {
                terms.append(tap.weight * one[place + tap.before])
                terms.append(tap.weight * one[place + tap.after])
            }
            #expect(near(outputs[place], terms))
        }
        var levels = [Float](repeating: 0, count: 24)
        lanes_level_sums(one, 8 * count, &levels)
        for lane in 0..<8 {
            let own = (0..<count).map { one[8 * $0 + lane] }
            #expect(near(levels[lane], own))
            #expect(near(levels[8 + lane], own.map { $0 * $0 }))
            #expect(levels[16 + lane] == own.map { abs($0) }.max())
        }
    }

    @Test(arguments: [1, 8, 21, 24]) func ranks(lanes: Int) {
        var random = SeededGenerator(seed: 15)
        let stepCount = 100
        var wide = [UInt16](repeating: 0, count: lanes * (stepCount + 2))
        var plain = wide
        var held: [[UInt16]] = []
        func count(_ steps: [UInt16], _ change: Int32) {
            lanes_count(steps, lanes, change, stepCount, &wide)
            plain_count(steps, lanes, change, stepCount, &plain)
        }
        for _ in 0..<500 {
            held.append((0..<lanes).map { _ in UInt16.random(in: 0..<100, using: &random) })
            count(held[held.count - 1], 1)
            if held.count > 50 { count(held.removeFirst(), -1) }
            let rank = Float(held.count - 1) * Float.random(in: 0...1, using: &random)
            var found = [Float](repeating: 0, count: lanes)
            var other = found
            lanes_find_rank(rank, lanes, stepCount, &wide, &found)
            plain_find_rank(rank, lanes, stepCount, &plain, &other)
            #expect(found == other && wide == plain)
            for lane in 0..<lanes {
                let sorted = held.map { $0[lane] }.sorted()
                // Where values lie evenly in a step, the last may lie at its end.
                let own = Float(sorted[Int(rank)])
                #expect(own <= found[lane] && found[lane] <= own + 1)
            }
        }
    }
}
