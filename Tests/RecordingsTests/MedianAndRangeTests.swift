import Recordings
import Testing

@Suite struct MedianAndRangeTests {
    @Test(arguments: [
        ([3.0], 3.0, 3.0, 3.0),
        ([1, 4], 2.5, 1, 4),
        ([9, 1, 2], 2, 1, 9),
        ([4, 3, 2, 1], 2.5, 1, 4),
        ([5, 5, 5, 5, 100], 5, 5, 100),
        ([-1, 0, 1], 0, -1, 1),
    ])
    func rangeHasMedianLowestAndHighest(
        figures: [Double], median: Double, lowest: Double, highest: Double
    ) {
        let range = MedianAndRange(of: figures)
        #expect(range.median == median)
        #expect(range.lowest == lowest && range.highest == highest)
    }
}
