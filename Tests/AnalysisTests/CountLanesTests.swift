import CLanes
import PlainLanes
import TestSupport
import Testing

/// The loops that count, against themselves compiled plainly and against sorting.
@Suite struct CountLanesTests {
    @Test(arguments: [1, 8, 21, 24]) func quantizedStepsMatchPlainLoop(lanes: Int) {
        var random = SeededGenerator(seed: 16)
        let odd: [Float] = [-3, -2.75, -2.5, 21.99, 22, 1e9, -1e9, .nan, .infinity, -.infinity]
        for round in 0..<200 {
            let values = (0..<lanes).map { _ in
                round < odd.count ? odd[round] : Float.random(in: -5...25, using: &random)
            }
            var steps = [UInt16](repeating: .max, count: lanes)
            var plain = steps
            lanes_find_steps(values, lanes, -3, 4, 100, &steps)
            plain_find_steps(values, lanes, -3, 4, 100, &plain)
            #expect(steps == plain)
            for (value, step) in zip(values, steps) {
                // On the border between two steps, either will do.
                let inside = value.isNaN ? -3 : max(-3, min(22, value))
                let lowest = Float(step) / 4 - 3
                #expect(step < 100 && lowest - 1e-5 <= inside && inside <= lowest + 0.25001)
            }
        }
    }

    @Test(arguments: [1, 8, 21, 24]) func slidingRanksMatchPlainLoopAndSorting(lanes: Int) {
        var random = SeededGenerator(seed: 15)
        let (stepCount, stride, moveCount) = (100, 25, 500)
        let steps = (0..<moveCount * stride).map { _ in UInt16.random(in: 0..<100, using: &random) }
        // The rows in the window, one of which goes now and then before or after another comes.
        var held: [Int] = []
        var windows: [[Int]] = []
        let moves = (0..<moveCount).map { (move: Int) -> LanesMove in
            let comes = held.isEmpty || !move.isMultiple(of: 7)
            let goes = held.count > 50 || (!comes && held.count > 1)
            let gone = goes ? held.removeFirst() : -1
            if comes { held.append(move) }
            windows.append(held)
            let share = Float.random(in: -0.1...1, using: &random)
            return LanesMove(
                come: comes ? Int32(move) : -1, gone: Int32(gone),
                rank: share < 0 ? -1 : share * Float(held.count - 1))
        }
        func slide(
            _ loop: (
                UnsafePointer<LanesMove>, Int, UnsafePointer<UInt16>, Int, Int, Int, Float, Float,
                UnsafeMutablePointer<UInt16>, UnsafeMutablePointer<Float>
            ) -> Void
        ) -> (counts: [UInt16], found: [Float]) {
            var counts = [UInt16](repeating: 0, count: lanes * (stepCount + 2))
            var found = [Float](repeating: -1, count: moveCount * stride)
            loop(moves, moveCount, steps, stride, lanes, stepCount, 10, 2, &counts, &found)
            return (counts, found)
        }
        let (wide, plain) = (slide(lanes_slide), slide(plain_slide))
        #expect(wide.counts == plain.counts && wide.found == plain.found)
        for (move, window) in zip(moves, windows).enumerated() {
            for lane in 0..<lanes {
                let found = wide.found[move * stride + lane]
                guard window.0.rank >= 0 else {
                    #expect(found == -1)
                    continue
                }
                let sorted = window.1.map { steps[$0 * stride + lane] }.sorted()
                // Where values lie evenly in a step, the last may lie at its end.
                let own = Float(sorted[Int(window.0.rank)])
                #expect(10 + 2 * own <= found && found <= 12 + 2 * own)
            }
            #expect(wide.found[move * stride + lanes..<(move + 1) * stride].allSatisfy { $0 == -1 })
        }
    }

    @Test(arguments: [1, 3, 91], [1, 5, 200])
    func movingMeansMatchPlainLoopAndDirectSum(length: Int, rowCount: Int) {
        var random = SeededGenerator(seed: 21)
        let width = Int(LANES_CHANNELS)
        let rows = (0..<rowCount * width).map { _ in Float.random(in: -160...40, using: &random) }
        let shares = (0..<rowCount).map { _ in Float.random(in: 0...1, using: &random) }
        func means(
            _ loop: (
                UnsafePointer<Float>, Int, Int, UnsafePointer<Float>, UnsafeMutablePointer<Float>,
                UnsafeMutablePointer<Float>, UnsafeMutablePointer<Float>
            ) -> Void
        ) -> [[Float]] {
            var held = [Float](repeating: 0, count: (length + rowCount) * width)
            var sum = [Float](repeating: 0, count: width)
            var means = [Float](repeating: 0, count: rowCount * width)
            loop(rows, rowCount, length, shares, &held, &sum, &means)
            return [held, sum, means]
        }
        let wide = means(lanes_moving_means)
        #expect(wide == means(plain_moving_means))
        for row in 0..<rowCount {
            for lane in [0, 15, 16, 23] {
                let last = max(0, row - length + 1)...row
                let sum = last.reduce(0.0) {
                    $0 + (Double(rows[$1 * width + lane]) * 256).rounded(.toNearestOrEven) / 256
                }
                let mean = Double(shares[row]) * sum
                #expect(abs(Double(wide[2][row * width + lane]) - mean) < 1e-3)
            }
        }
    }
}
