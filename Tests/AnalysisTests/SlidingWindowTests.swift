import TestSupport
import Testing

@testable import Analysis

@Suite struct SlidingPercentilesTests {
    @Test func readsOffAnyRankToAQuarterOfADecibel() {
        var window = SlidingPercentiles(lanes: 1)
        #expect(window.value(atShare: 0.5) == nil)
        for value in 0...100 { insert(Float((value * 37) % 101) - 90, into: &window) }
        for share in [0, 0.2, 0.3, 0.9, 1] as [Float] {
            let value = window.value(atShare: share) ?? .infinity
            #expect(abs(value - (100 * share - 90)) <= 0.25, "\(share)")
        }
    }

    private func insert(_ value: Float, into window: inout SlidingPercentiles) {
        window.insert(SlidingPercentiles.step(of: value))
    }

    @Test func forgetsWhatIsRemoved() {
        var window = SlidingPercentiles(lanes: 1)
        let values = (0..<300).map { Float(($0 * 7919) % 83) / 2 - 70 }
        for (place, value) in values.enumerated() {
            insert(value, into: &window)
            if place >= 61 { window.remove(SlidingPercentiles.step(of: values[place - 61])) }
            let held = values[max(0, place - 60)...place].sorted()
            let rank = Int(0.3 * Float(held.count - 1))
            let found = window.value(atShare: 0.3) ?? .infinity
            #expect(found >= held[rank] - 0.25, "\(place)")
            #expect(found <= held[min(rank + 1, held.count - 1)] + 0.25, "\(place)")
        }
    }

    @Test func takesWhatLiesBeyondForTheOutermost() {
        var window = SlidingPercentiles(lanes: 1)
        insert(-500, into: &window)
        insert(500, into: &window)
        #expect(window.value(atShare: 0).map { $0 < -149 } == true)
        #expect(window.value(atShare: 1).map { $0 > 41 } == true)
        window.remove(SlidingPercentiles.step(of: 500))
        #expect(window.value(atShare: 1).map { $0 < -149 } == true)
    }

    @Test(arguments: [1, 14, 21, 24]) func eachLaneIsAWindowOfItsOwn(lanes: Int) {
        var random = SeededGenerator(seed: UInt64(lanes))
        let rows = (0..<400).map { _ in
            BandRow { _ in Float.random(in: -160...50, using: &random) }
        }
        var together = SlidingPercentiles(lanes: lanes)
        var alone = (0..<lanes).map { _ in SlidingPercentiles(lanes: 1) }
        for (place, row) in rows.enumerated() {
            together.insert(SlidingPercentiles.steps(of: row))
            if place >= 100 { together.remove(SlidingPercentiles.steps(of: rows[place - 100])) }
            let share = Float.random(in: 0...1, using: &random)
            let values = together.values(atShare: share)
            for lane in 0..<lanes {
                alone[lane].insert(SlidingPercentiles.step(of: row[lane]))
                if place >= 100 {
                    alone[lane].remove(SlidingPercentiles.step(of: rows[place - 100][lane]))
                }
                #expect(values?[lane] == alone[lane].value(atShare: share), "row \(place)")
            }
        }
    }
}

@Suite struct MovingMeanTests {
    private func means(_ rows: [BandRow?], before: Int, after: Int) -> [MovingMean.Mean] {
        var mean = MovingMean(before: before, after: after)
        var means = rows.compactMap { mean.add($0) }
        while let last = mean.finish() { means.append(last) }
        return means
    }

    /// Levels of very different sizes by chance, some of which do not count.
    private func rows(_ count: Int) -> [BandRow?] {
        var random = SeededGenerator(seed: UInt64(count))
        return (0..<count).map { _ in
            let level = Float.random(in: -160...40, using: &random)
            return Bool.random(using: &random) ? BandRow { level / Float($0 + 1) } : nil
        }
    }

    @Test(arguments: [(5, 4), (45, 45), (0, 0), (0, 3)], [0, 1, 4, 9, 10, 11, 300])
    func isThatOfTheRowsAround(reach: (before: Int, after: Int), count: Int) {
        let rows = rows(count)
        let means = means(rows, before: reach.before, after: reach.after)
        #expect(means.count == count)
        for (place, mean) in means.enumerated() {
            let around = rows[max(0, place - reach.before)...min(count - 1, place + reach.after)]
            let own = around.compactMap { $0 }
            #expect(mean.count == own.count && mean.missing == around.count - own.count)
            for lane in [0, 7, 8, 23] {
                let sum = own.reduce(0.0) { $0 + Double($1[lane]) }
                let naive = Float(sum / Double(max(1, own.count)))
                #expect(abs(mean.row[lane] - naive) <= 1 / 256, "lane \(lane) of row \(place)")
            }
        }
    }

    @Test func whatHasPassedThroughLeavesNoTrace() {
        let rows = rows(500)
        let loud = Array(repeating: BandRow(repeating: 39.77), count: 100_000)
        let alone = means(rows, before: 45, after: 45)
        let later = means(loud + rows, before: 45, after: 45).suffix(rows.count)
        for (one, other) in zip(alone, later).dropFirst(45) { #expect(one.row == other.row) }
    }
}
