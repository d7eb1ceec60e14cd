import Analysis
import Recordings
import TestSupport
import Testing

/// What must not matter to where silence is found, on recordings made by chance.
@Suite struct SilencePropertyTests {
    /// A recording by its seed, and who looks at it.
    struct Case: Sendable {
        let seed: UInt64
        let detector: SilenceRecipe.Detector
        var activity = SilenceRecipe.Activity.speech
    }

    private static let cases = SilenceRecipe.Detector.allCases.flatMap { detector in
        (1...4).map { Case(seed: $0, detector: detector) }
    }

    private static let casesOfAny = [1, 2].map {
        Case(seed: $0, detector: .classical, activity: .any)
    }

    /// Words of random lengths with random pauses, over noise of a random level or a fan.
    /// - Parameter decibels: how much quieter the ground is than usual.
    private func recording(
        _ seed: UInt64, seconds: Double = 24, cleanerBy decibels: Double = 0
    ) -> Signal {
        var random = SeededGenerator(seed: seed)
        var stretches: [ClosedRange<Double>] = []
        var place = Double.random(in: 1...2, using: &random)
        while place < seconds - 2.5 {
            let end = place + Double.random(in: 0.3...2, using: &random)
            stretches.append(place...end)
            place = end + Double.random(in: 0.6...2, using: &random)
        }
        let level = Double.random(in: -48 ... -42, using: &random) - decibels
        let ground =
            seed.isMultiple(of: 2)
            ? Signal.fan(levelDBFS: level, seconds: seconds)
            : Signal.noise(levelDBFS: level, seconds: seconds, seed: seed)
        return words(stretches, on: ground, levelDBFS: -22, inSyllables: true)
    }

    /// Both have the same silences, their edges at most some frames of the analysis apart.
    private func expectSame(
        _ intervals: [[Double]], _ others: [[Double]], slackFrames: Int = 1,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        // And a little for rounding.
        let slackSeconds = 0.01 * Double(slackFrames) + 0.0001
        #expect(intervals.count > 4, sourceLocation: sourceLocation)
        #expect(intervals.count == others.count, sourceLocation: sourceLocation)
        for (one, other) in zip(intervals, others) {
            #expect(abs(one[0] - other[0]) <= slackSeconds, sourceLocation: sourceLocation)
            #expect(abs(one[1] - other[1]) <= slackSeconds, sourceLocation: sourceLocation)
        }
    }

    /// The silences that the detector of a case finds.
    private func silences(_ channels: Signal..., by it: Case) -> [[Double]] {
        silenceMap(channels) {
            $0.detector = it.detector
            $0.activity = it.activity
        }.intervalsSeconds
    }

    private func later(_ intervals: [[Double]], bySeconds seconds: Double) -> [[Double]] {
        intervals.map { $0.map { $0 + seconds } }
    }

    @Test(arguments: cases, [-20, 20]) func gainDoesNotChangeSilences(for it: Case, gain: Double) {
        for decibels in [0.0, 45] {
            let signal = recording(it.seed, cleanerBy: decibels)
            let louder = signal.amplified(byDecibels: gain)
            expectSame(
                silences(signal, by: it), silences(louder, by: it))
        }
    }

    @Test(arguments: cases, [0.2, -0.4])
    func dcOffsetDoesNotChangeSilences(for it: Case, offset: Double) {
        let signal = recording(it.seed)
        let shifted = signal.adding(.constant(offset, seconds: signal.seconds))
        expectSame(
            silences(signal, by: it), silences(shifted, by: it))
    }

    @Test(arguments: cases, [1, 7, 33]) func droppedLeadingFramesShiftSilences(
        for it: Case, frames: Int
    ) {
        let signal = recording(it.seed)
        let seconds = Double(frames) / Double(ActivityTrack.framesPerSecond)
        let rest = signal.withoutFirst(seconds: seconds)
        var found = later(silences(rest, by: it), bySeconds: seconds)
        // Both begin in silence, at their own beginning.
        #expect(found.first?[0] == seconds)
        found[0][0] = 0
        expectSame(silences(signal, by: it), found)
    }

    @Test(arguments: cases) func channelOrderDoesNotChangeSilences(for it: Case) {
        let left = recording(it.seed)
        let right = Signal.noise(levelDBFS: -50, seconds: left.seconds, seed: it.seed + 50)
        let third = left.amplified(byDecibels: -9)
        let found = silences(left, right, third, by: it)
        expectSame(found, silences(third, left, right, by: it))
        expectSame(found, silences(right, third, left, by: it))
    }

    @Test(arguments: cases, [true, false]) func leadingSilenceOnlyShiftsSilences(
        for it: Case, isDigital: Bool
    ) {
        let signal = recording(it.seed)
        let second =
            isDigital
            ? Signal.constant(seconds: 1)
            : it.seed.isMultiple(of: 2)
                ? Signal.fan(levelDBFS: -45, seconds: 1)
                : Signal.noise(levelDBFS: -45, seconds: 1, seed: 77)
        var found = silences(second.followed(by: signal), by: it)
        #expect(found.first?[0] == 0)
        found[0][0] = 1
        expectSame(
            later(silences(signal, by: it), bySeconds: 1), found)
    }

    @Test(arguments: cases + casesOfAny, [1, 7, 700]) func digitalSilencePaddingDoesNotMoveEdges(
        for it: Case, frames: Int
    ) {
        let seconds = Double(frames) / Double(ActivityTrack.framesPerSecond)
        let more = Signal.constant(seconds: seconds)
        // They begin with a word, in its middle, or a little before it.
        for late in [1.6, 2.1] {
            let signal = recording(it.seed).withoutFirst(seconds: late)
            let whole = silences(more.followed(by: signal).followed(by: more), by: it)
            let alone = later(silences(signal, by: it), bySeconds: seconds)
            // A pause at either end that is too short alone may be long enough with what lies
            // around it.
            let (first, last) = (seconds, seconds + signal.seconds - 0.0001)
            expectSame(
                alone.filter { $0[0] > first && $0[1] < last },
                whole.filter { $0[0] > 0 && $0[1] < last })
            if let pause = alone.first, pause[0] == first {
                #expect(abs(whole[0][1] - pause[1]) <= 0.0101)
            }
            if let pause = alone.last, pause[1] > last {
                #expect(abs(whole[whole.count - 1][0] - pause[0]) <= 0.0101)
            }
        }
    }

    @Test(arguments: cases) func concatenationKeepsSilencesAwayFromJoint(for it: Case) {
        let first = recording(it.seed)
        let second = recording(it.seed + 2)
        let joint = first.seconds
        let whole = silences(first.followed(by: second), by: it)
        // The network hears five seconds around each frame.
        expectSame(
            silences(first, by: it).filter { $0[1] < joint - 0.1 },
            whole.filter { $0[1] < joint - 0.1 }, slackFrames: 2)
        expectSame(
            silences(second, by: it).filter { $0[0] > 0.1 },
            later(whole.filter { $0[0] > joint + 0.1 }, bySeconds: -joint), slackFrames: 2)
    }

    @Test(arguments: [1, 441, 65_536], SilenceRecipe.Detector.allCases)
    func blockSizeDoesNotChangeSilences(blockFrames: Int, detector: SilenceRecipe.Detector) {
        let signal = recording(5)
        let map = silenceMap([signal], detector: detector)
        #expect(silenceMap([signal], blockFrames: blockFrames, detector: detector) == map)
    }
}
