import CLanes
import PlainLanes
import TestSupport
import Testing

/// The loops that count, against themselves compiled plainly and against sorting.
@Suite struct CountLanesTests {
    @Test(arguments: [1, 8, 21, 24]) func steps(lanes: Int) {
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
