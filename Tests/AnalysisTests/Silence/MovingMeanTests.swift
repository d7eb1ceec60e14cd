import TestSupport
import Testing

@testable import Analysis

@Suite struct MovingMeanTests {
    private typealias Known = (levels: BandRow, count: MovingMean.Count)

    /// The means of rows that come so many at a time.
    private func means(
        _ rows: [BandRow?], before: Int, after: Int, atOnce: Int = 7
    ) -> [Known] {
        var mean = MovingMean(before: before, after: after)
        var known: [Known] = []
        func take() {
            #expect(mean.means.count == mean.counts.count)
            known += zip(mean.means, mean.counts).map { ($0, $1) }
            mean.forget()
        }
        for start in stride(from: 0, to: rows.count, by: atOnce) {
            let own = rows[start..<min(start + atOnce, rows.count)]
            mean.add(own.map { $0 ?? .zero }[...], areMissing: own.map { $0 == nil }[...])
            if start % 2 == 0 { take() }
        }
        mean.finish()
        take()
        return known
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
    func meanMatchesDirectAverageOfSurroundingRows(reach: (before: Int, after: Int), count: Int) {
        let rows = rows(count)
        let means = means(rows, before: reach.before, after: reach.after)
        #expect(means.count == count)
        for (place, mean) in means.enumerated() {
            let around = rows[max(0, place - reach.before)...min(count - 1, place + reach.after)]
            let own = around.compactMap { $0 }
            #expect(mean.count.own == own.count)
            #expect(mean.count.missing == around.count - own.count)
            for lane in [0, 7, 8, 23] {
                let sum = own.reduce(0.0) { $0 + Double($1[lane]) }
                let naive = Float(sum / Double(max(1, own.count)))
                #expect(abs(mean.levels[lane] - naive) <= 1 / 256, "lane \(lane) of row \(place)")
            }
        }
    }

    @Test(arguments: [1, 2, 100, 256, 1000]) func meanIsIndependentOfBatchSize(atOnce: Int) {
        let rows = rows(600)
        let (means, others) = (
            means(rows, before: 45, after: 45, atOnce: atOnce), means(rows, before: 45, after: 45)
        )
        #expect(means.count == 600 && others.count == 600)
        for (one, other) in zip(means, others) {
            #expect(one.levels == other.levels && one.count == other.count)
        }
    }

    @Test func earlierLoudRowsLeaveNoRoundingError() {
        let rows = rows(500)
        let loud = Array(repeating: BandRow(repeating: 39.77), count: 100_000)
        let alone = means(rows, before: 45, after: 45)
        let later = means(loud + rows, before: 45, after: 45, atOnce: 256).suffix(rows.count)
        for (one, other) in zip(alone, later).dropFirst(45) { #expect(one.levels == other.levels) }
    }
}
