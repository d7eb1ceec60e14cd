import TestSupport
import Testing

@testable import Analysis

@Suite struct SlidingPercentilesTests {
    @Test func readsOffAnyRankToAQuarterOfADecibel() {
        var window = SlidingPercentiles(lanes: 1, capacity: 101)
        #expect(window.value(atShare: 0.5) == nil)
        for value in 0...100 { window.insert(Float((value * 37) % 101) - 90) }
        for share in [0, 0.2, 0.3, 0.9, 1] as [Float] {
            let value = window.value(atShare: share) ?? .infinity
            #expect(abs(value - (100 * share - 90)) <= 0.25, "\(share)")
        }
    }

    @Test func forgetsWhatCameFirst() {
        var window = SlidingPercentiles(lanes: 1, capacity: 61)
        let values = (0..<300).map { Float(($0 * 7919) % 83) / 2 - 70 }
        for (place, value) in values.enumerated() {
            if place >= 61 { window.removeFirst() }
            window.insert(value)
            let held = values[max(0, place - 60)...place].sorted()
            let rank = Int(0.3 * Float(held.count - 1))
            let found = window.value(atShare: 0.3) ?? .infinity
            #expect(found >= held[rank] - 0.25, "\(place)")
            #expect(found <= held[min(rank + 1, held.count - 1)] + 0.25, "\(place)")
        }
        for _ in 0..<61 { window.removeFirst() }
        #expect(window.value(atShare: 0.3) == nil)
    }

    @Test func takesWhatLiesBeyondForTheOutermost() {
        var window = SlidingPercentiles(lanes: 1, capacity: 3)
        for value in [500, -500, .nan] as [Float] { window.insert(value) }
        #expect(window.value(atShare: 0.5).map { $0 < -149 } == true)
        #expect(window.value(atShare: 1).map { $0 > 41 } == true)
        window.removeFirst()
        #expect(window.value(atShare: 1).map { $0 < -149 } == true)
    }

    @Test(arguments: [1, 14, 21, 24]) func eachLaneIsAWindowOfItsOwn(lanes: Int) {
        var random = SeededGenerator(seed: UInt64(lanes))
        let rows = (0..<400).map { _ in
            BandRow { _ in Float.random(in: -160...50, using: &random) }
        }
        var together = SlidingPercentiles(lanes: lanes, capacity: 100)
        var alone = (0..<lanes).map { _ in SlidingPercentiles(lanes: 1, capacity: 101) }
        for (place, row) in rows.enumerated() {
            if place >= 100 { together.removeFirst() }
            together.insert(row)
            let share = Float.random(in: 0...1, using: &random)
            let values = together.values(atShare: share)
            for lane in 0..<lanes {
                alone[lane].insert(row[lane])
                if place >= 100 { alone[lane].removeFirst() }
                #expect(values?[lane] == alone[lane].value(atShare: share), "row \(place)")
            }
        }
    }
}
