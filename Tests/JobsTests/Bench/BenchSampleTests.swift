import Jobs
import Testing

@Suite struct BenchSampleTests {
    private func chosen(_ lengths: [Double], limit: Double) -> [Int] {
        let places = BenchSample.places(in: lengths.count)
        return BenchSample.chosen(of: places.map { lengths[$0] }, limitSeconds: limit)
            .map { places[$0] }
    }

    @Test func takesAllOfAShortList() {
        #expect(chosen([1, 2, 3, 4, 5], limit: 15).sorted() == [0, 1, 2, 3, 4])
    }

    @Test func spreadsWhatItTakesOverTheWholeList() {
        #expect(chosen(Array(repeating: 10, count: 8), limit: 20) == [0, 5])
        #expect(chosen(Array(repeating: 10, count: 8), limit: 40).sorted() == [0, 2, 5, 7])
    }

    @Test func passesOverWhatIsLongerThanTheRoomLeft() {
        #expect(chosen([5, 100, 100, 4], limit: 10).sorted() == [0, 3])
    }

    @Test func makesDoWithTheShortestWhereAllAreTooLong() {
        #expect(chosen([50, 40, 30, 60], limit: 10) == [2])
        #expect(chosen([], limit: 10) == [])
    }

    @Test func looksAtSoManyOfALongListAndNoMore() {
        let places = BenchSample.places(in: 1_000_000)
        #expect(places.count == BenchSample.mostLookedAt)
        #expect(Set(places).count == places.count)
        #expect(places.min() == 0 && places.max() == 990_000)
        // Each half, of all beginnings that are not very short.
        for count in [10, 20, 50] {
            #expect(abs(places.prefix(count).count { $0 < 500_000 } - count / 2) <= 3)
        }
    }
}
