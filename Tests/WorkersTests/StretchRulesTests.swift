import Exports
import Testing
import Workers

@Suite struct StretchRulesTests {
    private func apply(
        merge: Double = 0, pad: Double = 0, least: Double = 0, _ stretches: [Stretch]
    ) -> [Stretch] {
        var rules = StretchRules()
        (rules.mergeGapSeconds, rules.padSeconds, rules.minimumSeconds) = (merge, pad, least)
        return rules.apply(to: stretches, durationSeconds: 10)
    }

    private let two = [Stretch(1, 2), Stretch(2.5, 4)]

    @Test func withoutRulesNothingChanges() {
        #expect(apply(two) == two)
        #expect(apply([Stretch(0, 5), Stretch(5, 10)]) == [Stretch(0, 5), Stretch(5, 10)])
    }

    @Test func shorterGapIsClosed() {
        #expect(apply(merge: 0.5, two) == two)
        #expect(apply(merge: 0.6, two) == [Stretch(1, 4)])
    }

    @Test func paddingStaysWithinTheRecording() {
        #expect(apply(pad: 0.2, two) == [Stretch(0.8, 2.2), Stretch(2.3, 4.2)])
        #expect(apply(pad: 0.25, two) == [Stretch(0.75, 4.25)])
        #expect(apply(pad: 20, two) == [Stretch(0, 10)])
    }

    @Test func shortStretchIsLeftOutAfterJoining() {
        #expect(apply(least: 1.2, two) == [Stretch(2.5, 4)])
        #expect(apply(merge: 1, least: 3, two) == [Stretch(1, 4)])
    }

    @Test func longStretchIsDividedWhereItIsQuietest() {
        var rules = StretchRules()
        rules.maximumSeconds = 4
        var asked: [ClosedRange<Double>] = []
        let parts = rules.apply(to: [Stretch(1, 9.5), Stretch(9.6, 10)], durationSeconds: 10) {
            asked.append($0)
            return $0.lowerBound + 0.5
        }
        #expect(asked == [3...5, 5.5...7.5])
        #expect(
            parts == [Stretch(1, 3.5), Stretch(3.5, 6), Stretch(6, 9.5), Stretch(9.6, 10)])
        // Where nothing is known, at the limit.
        let blind = rules.apply(to: [Stretch(0, 10)], durationSeconds: 10)
        #expect(blind == [Stretch(0, 4), Stretch(4, 8), Stretch(8, 10)])
    }

    @Test func joinedStretchHasTheMeanOfItsParts() throws {
        var (one, other) = (Stretch(1, 2), Stretch(2.5, 5.5))
        (one.levelDBFS, one.signalToNoiseDecibels, one.confidence) = (-20, 30, 0.6)
        (other.levelDBFS, other.signalToNoiseDecibels, other.confidence) = (-30, nil, 1)
        let joined = try #require(apply(merge: 1, [one, other]).first)
        // A quarter of the time is ten times as strong.
        #expect(abs(try #require(joined.levelDBFS) - -24.89) < 0.01)
        #expect(joined.signalToNoiseDecibels == nil && joined.confidence == 0.9)
        let apart = apply(pad: 0.1, [one, other])
        #expect(apart.map(\.levelDBFS) == [-20, -30])
    }

    @Test func stretchesBetweenFillTheRecording() {
        #expect(
            Stretch.between(two, durationSeconds: 5)
                == [Stretch(0, 1), Stretch(2, 2.5), Stretch(4, 5)])
        #expect(Stretch.between([], durationSeconds: 5) == [Stretch(0, 5)])
        #expect(Stretch.between([Stretch(0, 5)], durationSeconds: 5) == [])
    }
}
