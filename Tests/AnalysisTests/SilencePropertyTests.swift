import Analysis
import Recordings
import TestSupport
import Testing

/// What must not matter to where silence is found, on recordings made by chance.
@Suite struct SilencePropertyTests {
    private static let seeds: [UInt64] = [1, 2, 3, 4]
    /// A frame of the analysis, and a little for rounding.
    private let frameSeconds = 0.0101

    /// Words of random lengths with random pauses, over noise of a random level or a fan.
    private func recording(_ seed: UInt64, seconds: Double = 24) -> Signal {
        var random = SeededGenerator(seed: seed)
        var stretches: [ClosedRange<Double>] = []
        var place = Double.random(in: 1...2, using: &random)
        while place < seconds - 2.5 {
            let end = place + Double.random(in: 0.3...2, using: &random)
            stretches.append(place...end)
            place = end + Double.random(in: 0.6...2, using: &random)
        }
        let level = Double.random(in: -48 ... -42, using: &random)
        let ground =
            seed.isMultiple(of: 2)
            ? Signal.fan(levelDBFS: level, seconds: seconds)
            : Signal.noise(levelDBFS: level, seconds: seconds, seed: seed)
        return words(stretches, on: ground, levelDBFS: -22)
    }

    /// Both have the same silences, `later` ones so much later.
    private func expectSame(
        _ map: SilenceMap, _ other: SilenceMap, later: Double = 0,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        expectSame(
            map.intervalsSeconds, other.intervalsSeconds.map { $0.map { $0 - later } },
            sourceLocation: sourceLocation)
    }

    private func expectSame(
        _ intervals: [[Double]], _ others: [[Double]],
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        #expect(intervals.count > 4, sourceLocation: sourceLocation)
        #expect(intervals.count == others.count, sourceLocation: sourceLocation)
        for (one, other) in zip(intervals, others) {
            #expect(abs(one[0] - other[0]) <= frameSeconds, sourceLocation: sourceLocation)
            #expect(abs(one[1] - other[1]) <= frameSeconds, sourceLocation: sourceLocation)
        }
    }

    @Test(arguments: seeds, [-20, 20]) func gainDoesNotMatter(seed: UInt64, gain: Double) {
        let signal = recording(seed)
        let louder = signal.amplified(byDecibels: gain)
        expectSame(silenceMap(signal), silenceMap(louder))
    }

    @Test(arguments: seeds, [0.2, -0.4]) func offsetDoesNotMatter(seed: UInt64, offset: Double) {
        let signal = recording(seed)
        let shifted = signal.adding(.constant(offset, seconds: signal.seconds))
        expectSame(silenceMap(signal), silenceMap(shifted))
    }

    @Test(arguments: seeds, [1, 7, 33]) func aShiftByWholeFramesShiftsTheSilences(
        seed: UInt64, frames: Int
    ) {
        let signal = recording(seed)
        let hop = signal.sampleRateHertz / ActivityTrack.framesPerSecond
        let earlier = Signal(
            sampleRateHertz: signal.sampleRateHertz,
            samples: Array(signal.samples.dropFirst(frames * hop)))
        let seconds = Double(frames) / Double(ActivityTrack.framesPerSecond)
        var map = silenceMap(earlier)
        // Both begin in silence, at their own beginning.
        #expect(map.intervalsSeconds.first?[0] == 0)
        map.intervalsSeconds[0][0] -= seconds
        expectSame(silenceMap(signal), map, later: -seconds)
    }

    @Test(arguments: seeds) func channelsMayComeInAnyOrder(seed: UInt64) {
        let left = recording(seed)
        let right = Signal.noise(levelDBFS: -50, seconds: left.seconds, seed: seed + 50)
        let third = left.amplified(byDecibels: -9)
        let map = silenceMap([left, right, third])
        expectSame(map, silenceMap([third, left, right]))
        expectSame(map, silenceMap([right, third, left]))
    }

    @Test(arguments: seeds, [true, false]) func moreSilenceInFrontOnlyShifts(
        seed: UInt64, isDigital: Bool
    ) {
        let signal = recording(seed)
        let second =
            isDigital
            ? Signal.constant(seconds: 1)
            : seed.isMultiple(of: 2)
                ? Signal.fan(levelDBFS: -45, seconds: 1)
                : Signal.noise(levelDBFS: -45, seconds: 1, seed: 77)
        var map = silenceMap(second.followed(by: signal))
        #expect(map.intervalsSeconds.first?[0] == 0)
        map.intervalsSeconds[0][0] = 1
        expectSame(silenceMap(signal), map, later: 1)
    }

    @Test(arguments: seeds) func aConcatenationIsItsPartsAwayFromTheJoint(seed: UInt64) {
        let first = recording(seed)
        let second = recording(seed + 2)
        let joint = first.seconds
        let whole = silenceMap(first.followed(by: second)).intervalsSeconds
        expectSame(
            silenceMap(first).intervalsSeconds.filter { $0[1] < joint - 0.1 },
            whole.filter { $0[1] < joint - 0.1 })
        expectSame(
            silenceMap(second).intervalsSeconds.filter { $0[0] > 0.1 },
            whole.filter { $0[0] > joint + 0.1 }.map { $0.map { $0 - joint } })
    }

    @Test(arguments: [1, 441, 65_536]) func blockSizesDoNotMatterAtAll(blockFrames: Int) {
        let signal = recording(5)
        let map = silenceMap(signal)
        #expect(silenceMap(signal, blockFrames: blockFrames) == map)
    }
}
