import Testing

@testable import Analysis

@Suite struct LikeliestStretchesTests {
    /// The stretches of runs of equal logits, given as how many and which.
    private func find(_ runs: (Int, Float)...) -> [Range<Int>] {
        var stretches = LikeliestStretches(shortestPause: 30, shortestSpeech: 20)
        for (count, logit) in runs { for _ in 0..<count { stretches.add(logit) } }
        return stretches.find()
    }

    @Test func findsWhatIsLongEnough() {
        #expect(find((50, -1), (40, 1), (60, -1)) == [50..<90])
        #expect(find((40, 1), (60, -1), (20, 1)) == [0..<40, 100..<120])
    }

    @Test func fillsShortPauses() {
        #expect(find((50, -1), (40, 1), (29, -1), (40, 1), (50, -1)) == [50..<159])
        #expect(find((50, -1), (40, 1), (30, -1), (40, 1), (50, -1)) == [50..<90, 120..<160])
    }

    @Test func dropsShortSpeech() {
        #expect(find((100, -1), (19, 1), (100, -1)) == [])
        #expect(find((100, -1), (20, 1), (100, -1)) == [100..<120])
    }

    @Test func weighsWhatIsTooShortAgainstItsSurroundings() {
        // Ten frames that are surely speech, beside a doubtful pause and more speech.
        #expect(find((100, -1), (10, 6), (20, -0.5), (60, 1), (90, -1)) == [100..<190])
        // A pause that is surely one, between two short and doubtful stretches.
        #expect(find((90, -1), (12, 0.5), (20, -4), (12, 0.5), (90, -1)) == [])
    }

    @Test func letsTheFirstAndTheLastPauseBeShort() {
        #expect(find((3, -1), (40, 1), (5, -1)) == [3..<43])
    }

    @Test func keepsAWordThatIsCutOffByEitherEnd() {
        #expect(find((9, 2), (100, -1), (9, 2)) == [0..<9, 109..<118])
        #expect(find((100, -1), (25, 2), (40, -1), (9, 2)) == [100..<125, 165..<174])
        #expect(find((9, 2)) == [0..<9])
    }

    @Test func findsNothingInNothing() {
        #expect(find() == [])
        #expect(find((7, -1)) == [])
        #expect(find((300, 1)) == [0..<300])
    }
}
