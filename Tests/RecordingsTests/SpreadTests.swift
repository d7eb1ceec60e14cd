import Recordings
import Testing

@Suite struct SpreadTests {
    @Test(arguments: [
        ([3.0], 3.0, 3.0, 3.0),
        ([1, 4], 2.5, 1, 4),
        ([9, 1, 2], 2, 1, 9),
        ([4, 3, 2, 1], 2.5, 1, 4),
        ([5, 5, 5, 5, 100], 5, 5, 100),
        ([-1, 0, 1], 0, -1, 1),
    ])
    func isTheMiddleOneAndTheBounds(
        figures: [Double], median: Double, lowest: Double, highest: Double
    ) {
        let spread = Spread(of: figures)
        #expect(spread?.median == median)
        #expect(spread?.lowest == lowest && spread?.highest == highest)
    }

    @Test func isNothingOfNothing() {
        #expect(Spread(of: []) == nil)
    }

    @Test(arguments: [
        ([1.0, 2], [3.0, 4], false), ([1, 3], [3, 4], true), ([1, 9], [3, 4], true),
        ([5, 6], [3, 4], false),
    ])
    func overlapsWhereTheBoundsDo(one: [Double], other: [Double], overlaps: Bool) throws {
        let (one, other) = (try #require(Spread(of: one)), try #require(Spread(of: other)))
        #expect(one.overlaps(other) == overlaps && other.overlaps(one) == overlaps)
    }
}
