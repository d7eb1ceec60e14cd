import Testing

@testable import Analysis

@Suite struct SegmentViterbiTests {
    /// The stretches of runs of equal logits, given as how many and which; each ends two frames
    /// behind the last that is speech.
    private func find(_ runs: (Int, Float)...) -> [Range<Int>] {
        var stretches = SegmentViterbi(shortestPause: 30, shortestSpeech: 20)
        for (count, logit) in runs { for _ in 0..<count { stretches.add(logit) } }
        return stretches.find()
    }

    @Test func longSpeechSegmentsAreFound() {
        #expect(find((50, -1), (40, 1), (60, -1)) == [50..<92])
        #expect(find((40, 1), (60, -1), (20, 1)) == [0..<42, 100..<120])
    }

    @Test func shortPausesAreFilled() {
        #expect(find((50, -1), (40, 1), (29, -1), (40, 1), (50, -1)) == [50..<161])
        #expect(find((50, -1), (40, 1), (30, -1), (40, 1), (50, -1)) == [50..<92, 120..<162])
    }

    @Test func shortSpeechIsDropped() {
        #expect(find((100, -1), (19, 1), (100, -1)) == [])
        #expect(find((100, -1), (20, 1), (100, -1)) == [100..<122])
    }

    @Test func shortSegmentsAreWeighedAgainstNeighbours() {
        // Ten frames that are surely speech, beside a doubtful pause and more speech.
        #expect(find((100, -1), (10, 6), (20, -0.5), (60, 1), (90, -1)) == [100..<192])
        // A pause that is surely one, between two short and doubtful stretches.
        #expect(find((90, -1), (12, 0.5), (20, -4), (12, 0.5), (90, -1)) == [])
    }

    @Test func firstAndLastPauseMayBeShort() {
        #expect(find((3, -1), (40, 1), (5, -1)) == [3..<45])
    }

    @Test func wordCutOffAtEitherEndIsKept() {
        #expect(find((9, 2), (100, -1), (9, 2)) == [0..<11, 109..<118])
        #expect(find((100, -1), (25, 2), (40, -1), (9, 2)) == [100..<127, 165..<174])
        #expect(find((9, 2)) == [0..<9])
    }

    @Test func doubtfulFragmentAtEitherEndIsDropped() {
        #expect(find((9, 0.5), (100, -1), (9, 0.5)) == [])
        #expect(find((9, 0.5), (40, -1), (25, 1), (40, -1)) == [49..<76])
        #expect(find((20, 0.1), (100, -1)) == [0..<22])
    }

    @Test func shortWordAtUncutEndIsDropped() {
        func find(_ runs: [(Int, Float)], beginIsCut: Bool, endIsCut: Bool) -> [Range<Int>] {
            var stretches = SegmentViterbi(
                shortestPause: 30, shortestSpeech: 20, beginIsCut: beginIsCut, endIsCut: endIsCut)
            for (count, logit) in runs { for _ in 0..<count { stretches.add(logit) } }
            return stretches.find()
        }
        let short: [(Int, Float)] = [(19, 2), (100, -1), (19, 2)]
        #expect(find(short, beginIsCut: false, endIsCut: true) == [119..<138])
        #expect(find(short, beginIsCut: true, endIsCut: false) == [0..<21])
        #expect(find(short, beginIsCut: false, endIsCut: false) == [])
        let whole: [(Int, Float)] = [(20, 2), (100, -1), (20, 2)]
        #expect(find(whole, beginIsCut: false, endIsCut: false) == [0..<22, 120..<140])
    }

    @Test func decayingTailIsIncludedInWord() {
        // As long as the odds are hardly against it, and no longer than a twentieth of a second.
        #expect(find((50, -2), (40, 1), (1, -0.1), (60, -2)) == [50..<93])
        #expect(find((50, -2), (40, 1), (50, -0.1), (60, -2)) == [50..<95])
        // The less, the more they are against it.
        #expect(find((50, -2), (40, 1), (50, -0.4), (60, -2)) == [50..<94])
        #expect(find((50, -2), (40, 1), (50, -0.9), (60, -2)) == [50..<92])
        // Odds that hover about even are no other tail.
        for odds: Float in [-0.01, 0.01] {
            let found = find((50, -2), (40, 1), (1, -0.1), (1, odds), (1, -0.1), (60, -2))
            #expect(found == [50..<95])
        }
        // Not in front of a word.
        #expect(find((50, -0.1), (40, 1), (50, -2)) == [50..<92])
        // Not beyond the end of the recording.
        #expect(find((50, -2), (40, 1), (3, -0.1)) == [50..<93])
        #expect(find((50, -2), (40, 1), (1, -2)) == [50..<91])
    }

    @Test func logitChangeShiftsEndByAtMostOneFrame() {
        // However long they hover, and about whatever.
        var ends: [Int] = []
        for hundredths in stride(from: -170, through: 20, by: 5) {
            let odds = Float(hundredths) / 100
            let found = find((50, -2), (40, 1), (3, odds), (60, -2))
            ends.append(found.last?.upperBound ?? 0)
        }
        #expect(ends.first == 92 && ends.last == 95)
        #expect(zip(ends, ends.dropFirst()).allSatisfy { (0...1).contains($1 - $0) }, "\(ends)")
    }

    @Test func uniformInputHasAtMostOneSegment() {
        #expect(find() == [])
        #expect(find((7, -1)) == [])
        #expect(find((300, 1)) == [0..<300])
    }
}
