import TestSupport
import Testing

@testable import Analysis

@Suite struct SlidingPercentilesTests {
    private func window(lanes: Int = 1) -> SlidingPercentiles {
        SlidingPercentiles(lanes: lanes, stride: BandRow.count)
    }

    /// So many levels, of which no two neighbours are alike.
    private func levels(_ count: Int) -> [Float] {
        (0..<count).map { place in
            let step = (place * 7919) % 83
            return Float(step) / 2 - 70
        }
    }

    @Test func percentilesAreAccurateToQuarterDecibel() {
        var window = window()
        #expect(window.values(atShare: 0.5) == nil)
        for value in 0...100 { window.insert(BandRow(repeating: Float((value * 37) % 101) - 90)) }
        for share in [0, 0.2, 0.3, 0.9, 1] as [Float] {
            let value = window.values(atShare: share)?[0] ?? .infinity
            #expect(abs(value - (100 * share - 90)) <= 0.25, "\(share)")
        }
    }

    /// What lies at 0.3 of the last 61 of some values.
    private func expectRank(
        _ found: Float?, _ values: [Float], _ place: Int,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let held = values[max(0, place - 60)...place].sorted()
        let rank = Int(0.3 * Float(held.count - 1))
        let found = found ?? .infinity
        #expect(found >= held[rank] - 0.25, "\(place)", sourceLocation: sourceLocation)
        #expect(
            found <= held[min(rank + 1, held.count - 1)] + 0.25, "\(place)",
            sourceLocation: sourceLocation)
    }

    @Test func removedValuesAreForgotten() {
        var window = window()
        let values = levels(3000)
        for (place, value) in values.enumerated() {
            if place >= 61 { window.removeFirst() }
            window.insert(BandRow(repeating: value))
            expectRank(window.values(atShare: 0.3)?[0], values, place)
        }
        for _ in 0..<61 { window.removeFirst() }
        #expect(window.total == 0 && window.values(atShare: 0.3) == nil)
    }

    @Test func batchedMovesMatchSortedValues() {
        let values = levels(1000)
        var window = SlidingPercentiles(lanes: 1, stride: 1)
        for start in stride(from: 0, to: values.count, by: 100) {
            let own = start..<start + 100
            values[own].withUnsafeBufferPointer { window.hold($0) }
            for place in own {
                // Of every third nothing is asked.
                let isFound = window.move(
                    come: place, gone: place >= 61 ? place - 61 : nil,
                    share: place % 3 == 0 ? nil : 0.3)
                #expect(isFound == (place % 3 != 0))
            }
            var found = [Float](repeating: 99, count: window.moveCount)
            found.withUnsafeMutableBufferPointer { window.run($0) }
            #expect(window.moveCount == 0 && window.end == own.upperBound)
            for place in own {
                if place % 3 == 0 {
                    #expect(found[place - start] == 99)
                } else {
                    expectRank(found[place - start], values, place)
                }
            }
            window.forget(before: max(0, own.upperBound - 61))
        }
    }

    @Test func outOfRangeValuesAreClamped() {
        var window = window()
        for value in [500, -500, .nan] as [Float] { window.insert(BandRow(repeating: value)) }
        #expect(window.values(atShare: 0.5).map { $0[0] < -149 } == true)
        #expect(window.values(atShare: 1).map { $0[0] > 41 } == true)
        window.removeFirst()
        #expect(window.values(atShare: 1).map { $0[0] < -149 } == true)
    }

    @Test(arguments: [1, 14, 21, 24]) func lanesAreIndependentOfEachOther(lanes: Int) {
        var random = SeededGenerator(seed: UInt64(lanes))
        let rows = (0..<400).map { _ in
            BandRow { _ in Float.random(in: -160...50, using: &random) }
        }
        var together = window(lanes: lanes)
        var alone = (0..<lanes).map { _ in window() }
        for (place, row) in rows.enumerated() {
            if place >= 100 { together.removeFirst() }
            together.insert(row)
            let share = Float.random(in: 0...1, using: &random)
            let values = together.values(atShare: share)
            for lane in 0..<lanes {
                alone[lane].insert(BandRow(repeating: row[lane]))
                if place >= 100 { alone[lane].removeFirst() }
                #expect(values?[lane] == alone[lane].values(atShare: share)?[0], "row \(place)")
            }
        }
    }
}
