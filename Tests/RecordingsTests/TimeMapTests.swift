import Recordings
import TestSupport
import Testing

@Suite struct TimeMapTests {
    /// Twenty frames, of which ten are kept: 3 to 6, 10 to 14 and 17 to 19.
    private let map = TimeMap(
        EditList(keeping: [3..<7, 10..<15, 17..<20], of: 20).edits, of: 20)

    @Test func copyFramesMapToSourceFrames() throws {
        let map = try #require(map)
        #expect((0...12).map(map.source) == [3, 4, 5, 6, 10, 11, 12, 13, 14, 17, 18, 19, 20])
        #expect(map.source(ofTrimmed: 13) == nil)
        #expect(map.source(ofTrimmed: -1) == nil)
    }

    @Test func sourceFramesMapToCopyFramesOrCuts() throws {
        let map = try #require(map)
        let table: [(Int64, TimeMap.Place)] = [
            (0, .cut(0..<3, joint: 0)), (2, .cut(0..<3, joint: 0)), (3, .kept(trimmedFrame: 0)),
            (6, .kept(trimmedFrame: 3)), (7, .cut(7..<10, joint: 4)),
            (9, .cut(7..<10, joint: 4)), (10, .kept(trimmedFrame: 4)),
            (14, .kept(trimmedFrame: 8)), (15, .cut(15..<17, joint: 9)),
            (17, .kept(trimmedFrame: 9)), (19, .kept(trimmedFrame: 11)),
            // The end is a time, too.
            (20, .kept(trimmedFrame: 12)),
        ]
        for (frame, place) in table { #expect(map.trimmed(ofSource: frame) == place, "\(frame)") }
        #expect(map.trimmed(ofSource: 21) == nil)
        #expect(map.trimmed(ofSource: -1) == nil)
    }

    @Test func trailingCutMapsToEndOfCopy() throws {
        let map = try #require(TimeMap(EditList(keeping: [0..<5], of: 9).edits, of: 9))
        #expect(map.trimmed(ofSource: 5) == .cut(5..<9, joint: 5))
        #expect(map.trimmed(ofSource: 9) == .cut(5..<9, joint: 5))
        #expect(map.source(ofTrimmed: 5) == 5)
    }

    @Test(arguments: 0..<200 as Range<UInt64>)
    func frameMappingRoundTrips(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var ranges: [Range<Int64>] = []
        var position = Int64.random(in: 0...3, using: &random)
        for _ in 0..<Int.random(in: 1...9, using: &random) {
            let end = position + Int64.random(in: 1...5, using: &random)
            ranges.append(position..<end)
            position = end + Int64.random(in: 1...4, using: &random)
        }
        let frames = (ranges.last?.upperBound ?? 0) + Int64.random(in: 0...3, using: &random)
        let list = EditList(keeping: ranges, of: frames)
        let map = try #require(TimeMap(list.edits, of: frames))
        #expect(map.trimmedFrameCount == list.trimmedFrameCount)
        for frame in 0..<list.trimmedFrameCount {
            let source = try #require(map.source(ofTrimmed: frame))
            #expect(map.trimmed(ofSource: source) == .kept(trimmedFrame: frame))
        }
        for frame in 0..<frames {
            let isKept = ranges.contains { $0.contains(frame) }
            switch map.trimmed(ofSource: frame) {
            case .kept(let trimmed):
                #expect(isKept && map.source(ofTrimmed: trimmed) == frame)
            case .cut(let range, let joint):
                #expect(!isKept && range.contains(frame))
                // What lies behind the cut is what the joint leads to.
                let isEnd = joint == map.trimmedFrameCount
                #expect(isEnd || map.source(ofTrimmed: joint) == range.upperBound)
            case nil: Issue.record("frame \(frame) is nowhere")
            }
        }
    }

    @Test(arguments: [8_000, 11_025, 44_100, 48_000, 96_000, 192_000])
    func frameTimesRoundTripAtEverySampleRate(rate: Int) throws {
        let frames = Int64(rate) * 36_000
        let cut = Int64(rate) * 7 + 1
        let map = try #require(
            TimeMap(EditList(keeping: [cut..<frames - cut], of: frames).edits, of: frames))
        var random = SeededGenerator(seed: UInt64(rate))
        for _ in 0..<2_000 {
            let frame = Int64.random(in: 0...map.trimmedFrameCount - 1, using: &random)
            let there = try #require(
                map.moment(
                    .toSource, seconds: Double(frame).seconds(atRate: rate), sampleRateHertz: rate))
            #expect(there == TimeMap.Moment(sourceFrame: frame + cut, trimmedFrame: frame))
            let back = map.moment(
                .toTrimmed, seconds: Double(there.sourceFrame).seconds(atRate: rate),
                sampleRateHertz: rate)
            #expect(back == there)
        }
    }

    @Test func timesRoundToTheNearestFrame() throws {
        let map = try #require(map)
        func source(_ seconds: Double) -> Int64? {
            map.moment(.toSource, seconds: seconds, sampleRateHertz: 10)?.sourceFrame
        }
        #expect(source(0.04) == 3)
        #expect(source(0.06) == 4)
        #expect(source(1.24) == 20)
        #expect(source(1.26) == nil)
        #expect(
            map.moment(.toTrimmed, seconds: 0.8, sampleRateHertz: 10)
                == TimeMap.Moment(sourceFrame: 8, trimmedFrame: 4, cut: 7..<10))
    }

    @Test func contradictoryEditsAreRefused() {
        let tables: [[Edit]] = [
            [],
            [Edit(sourceFrames: 0..<5, trimmedFrame: 1)],
            [Edit(sourceFrames: 5..<5, trimmedFrame: 0)],
            [Edit(sourceFrames: -3..<5, trimmedFrame: 0)],
            [Edit(sourceFrames: Int64.min..<5, trimmedFrame: 0)],
            [Edit(sourceFrames: 0..<11, trimmedFrame: 0)],
            [
                Edit(sourceFrames: 0..<5, trimmedFrame: 0),
                Edit(sourceFrames: 4..<8, trimmedFrame: 5),
            ],
            [
                Edit(sourceFrames: 0..<5, trimmedFrame: 0),
                Edit(sourceFrames: 6..<8, trimmedFrame: 6),
            ],
        ]
        for edits in tables { #expect(TimeMap(edits, of: 10) == nil, "\(edits)") }
    }
}
