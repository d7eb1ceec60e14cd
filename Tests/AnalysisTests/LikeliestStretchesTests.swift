import Testing

@testable import Analysis

@Suite struct LikeliestStretchesTests {
    /// The stretches of runs of equal logits, given as how many and which; each ends two frames
    /// behind the last that is speech.
    private func find(_ runs: (Int, Float)...) -> [Range<Int>] {
        var stretches = LikeliestStretches(shortestPause: 30, shortestSpeech: 20)
        for (count, logit) in runs { for _ in 0..<count { stretches.add(logit) } }
        return stretches.find()
    }

    @Test func findsWhatIsLongEnough() {
        #expect(find((50, -1), (40, 1), (60, -1)) == [50..<92])
        #expect(find((40, 1), (60, -1), (20, 1)) == [0..<42, 100..<120])
    }

    @Test func fillsShortPauses() {
        #expect(find((50, -1), (40, 1), (29, -1), (40, 1), (50, -1)) == [50..<161])
        #expect(find((50, -1), (40, 1), (30, -1), (40, 1), (50, -1)) == [50..<92, 120..<162])
    }

    @Test func dropsShortSpeech() {
        #expect(find((100, -1), (19, 1), (100, -1)) == [])
        #expect(find((100, -1), (20, 1), (100, -1)) == [100..<122])
    }

    @Test func weighsWhatIsTooShortAgainstItsSurroundings() {
        // Ten frames that are surely speech, beside a doubtful pause and more speech.
        #expect(find((100, -1), (10, 6), (20, -0.5), (60, 1), (90, -1)) == [100..<192])
        // A pause that is surely one, between two short and doubtful stretches.
        #expect(find((90, -1), (12, 0.5), (20, -4), (12, 0.5), (90, -1)) == [])
    }

    @Test func letsTheFirstAndTheLastPauseBeShort() {
        #expect(find((3, -1), (40, 1), (5, -1)) == [3..<45])
    }

    @Test func keepsAWordThatIsCutOffByEitherEnd() {
        #expect(find((9, 2), (100, -1), (9, 2)) == [0..<11, 109..<118])
        #expect(find((100, -1), (25, 2), (40, -1), (9, 2)) == [100..<127, 165..<174])
        #expect(find((9, 2)) == [0..<9])
    }

    @Test func givesAWordTheTailThatDiesAway() {
        // As long as the odds are not clearly against it, and no longer than a twentieth of a second.
        #expect(find((50, -2), (40, 1), (4, -0.9), (60, -2)) == [50..<94])
        #expect(find((50, -2), (40, 1), (50, -0.9), (60, -2)) == [50..<95])
        // Not where they are against it in between, nor in front of a word.
        #expect(find((50, -2), (40, 1), (3, -0.9), (5, -1.1), (50, -0.9)) == [50..<93])
        #expect(find((50, -0.9), (40, 1), (50, -2)) == [50..<92])
        // Not beyond the end of the recording.
        #expect(find((50, -2), (40, 1), (5, -0.9)) == [50..<95])
        #expect(find((50, -2), (40, 1), (1, -2)) == [50..<91])
    }

    @Test func findsNothingInNothing() {
        #expect(find() == [])
        #expect(find((7, -1)) == [])
        #expect(find((300, 1)) == [0..<300])
    }
}
