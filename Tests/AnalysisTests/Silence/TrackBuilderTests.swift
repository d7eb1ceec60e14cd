import TestSupport
import Testing

@testable import Analysis

/// How far frames stand above the noise floor, against the same sums made the long way round.
@Suite struct TrackBuilderTests {
    private static let bands = 20

    /// A frame: its levels, or `nil` where it is digital silence.
    private typealias Frame = BandRow?

    /// Levels that rise and fall by chance, a share of them digital silence.
    private func frames(_ count: Int, silentShare: Double, seed: UInt64) -> [Frame] {
        var random = SeededGenerator(seed: seed)
        var level: Float = -50
        var isSilent = false
        return (0..<count).map { _ in
            level = max(-80, min(-20, level + Float.random(in: -3...3, using: &random)))
            if Double.random(in: 0...1, using: &random) < 0.02 {
                isSilent = Double.random(in: 0...1, using: &random) < silentShare
            }
            if isSilent { return nil }
            return BandRow { level + Float($0) / 2 }
        }
    }

    private func track(
        _ frames: [Frame], raisedBy gain: Float = 0, keepsBands: Bool = true
    ) -> ActivityTrack {
        var builder = TrackBuilder(bands: Self.bands, high: 14..<20, keepsBands: keepsBands)
        for frame in frames {
            let row = frame.map { $0 + BandRow(repeating: gain) } ?? BandRow(repeating: -160)
            builder.add(row, periodicity: 0, isDigitalSilence: frame == nil)
        }
        builder.finish()
        return builder.track
    }

    /// The floor of the first band at each frame, by sorting; digital silence around all has none.
    private func naiveFloors(_ all: [Frame]) -> [Float?] {
        let begin = all.firstIndex { $0 != nil } ?? all.count
        let end = (all.lastIndex { $0 != nil } ?? -1) + 1
        let frames = Array(all[begin..<max(begin, end)])
        let near = frames.indices.map { frames[max(0, $0 - 5)..<min(frames.count, $0 + 5)] }
        let levels: [Float?] = near.map { near in
            let own = near.compactMap { $0 }
            return own.isEmpty ? nil : own.reduce(0) { $0 + $1[0] } / Float(own.count)
        }
        var (held, sorted, count, silent) = (0..<0, [Float](), 0, 0)
        let raw: [Float?] = frames.indices.map { frame in
            let start = max(0, min(frame - 500, frames.count - 1001))
            let window = start..<min(frames.count, start + 1001)
            for level in levels[held.upperBound..<window.upperBound].compactMap({ $0 }) {
                sorted.insert(level, at: rank(of: level, in: sorted))
            }
            for level in levels[held.lowerBound..<window.lowerBound].compactMap({ $0 }) {
                sorted.remove(at: rank(of: level, in: sorted))
            }
            let new = near[held.upperBound..<window.upperBound].joined()
            let old = near[held.lowerBound..<window.lowerBound].joined()
            count += new.count - old.count
            silent += new.count { $0 == nil } - old.count { $0 == nil }
            held = window
            let length = min(1, Float(window.count) / 300)
            let share = max(0.05, 0.3 * length * (1 - 2 * Float(silent) / Float(count)))
            return sorted.isEmpty ? nil : sorted[Int(share * Float(sorted.count - 1))]
        }
        let smoothed: [Float?] = frames.indices.map { frame in
            let near = raw[max(0, frame - 45)..<min(raw.count, frame + 46)].compactMap { $0 }
            return near.isEmpty ? nil : near.reduce(0, +) / Float(near.count)
        }
        return Array(repeating: nil, count: begin) + smoothed
            + Array(repeating: nil, count: all.count - max(begin, end))
    }

    /// How many of the sorted values are lower.
    private func rank(of value: Float, in sorted: [Float]) -> Int {
        var range = sorted.indices
        while !range.isEmpty {
            let middle = (range.lowerBound + range.upperBound) / 2
            range =
                sorted[middle] < value
                ? middle + 1..<range.upperBound : range.lowerBound..<middle
        }
        return range.lowerBound
    }

    @Test(arguments: [1, 4, 5, 6, 45, 46, 91, 1000, 1001, 1002, 1050, 4321], [0, 0.3])
    func floorIsLowPercentileOfSurroundingTenSeconds(count: Int, silentShare: Double) {
        let frames = frames(count, silentShare: silentShare, seed: UInt64(count))
        let track = track(frames)
        #expect(track.frames == count)
        let expected = naiveFloors(frames)
        for frame in 0..<count {
            #expect(track.isDigitalSilence(at: frame) == (frames[frame] == nil))
            guard let floor = expected[frame], let row = frames[frame] else { continue }
            // Bands come in steps of 0.2 dB, levels are sorted in steps of a quarter of a decibel.
            let rise = Float(track.bands[frame * 20]) * 0.2 - 10
            let slack: Float = 0.5
            #expect(abs(rise - max(-10, min(40, row[0] - floor))) < slack, "frame \(frame)")
        }
    }

    @Test func windowIsSymmetricAroundFrame() {
        // In the middle of steps of a quarter of a decibel.
        let frames = (0..<2600).map { BandRow(repeating: $0 < 1300 ? -79.875 : -39.875) as Frame }
        let (found, expected) = (track(frames).bands, naiveFloors(frames))
        // The floor rises by 0.44 dB a frame.
        for frame in 1400..<1600 {
            let rise = Float(found[frame * 20]) * 0.2 - 10
            let floor = expected[frame] ?? .infinity
            #expect(abs(rise - max(-10, min(40, -39.875 - floor))) < 0.3, "frame \(frame)")
        }
    }

    @Test func everyFrameCountsTowardTheFloor() {
        // Five frames in ten are loud.
        let frames = (0..<3000).map { frame in
            BandRow(repeating: (3..<8).contains(frame % 10) ? -40 : -80) as Frame
        }
        let floor = track(frames).floorDBFS(at: 1500)
        #expect(abs(floor - (-60 + Decibels.ofPower(20))) < 0.6)
    }

    @Test(arguments: [-45, -15, 20] as [Float]) func bandRisesAreIndependentOfGain(gain: Float) {
        // By chance, and as clean as no recorder is.
        let clean = (0..<3000).map { frame in
            BandRow(repeating: frame % 200 < 100 ? -30 : -130) as Frame
        }
        for frames in [frames(3000, silentShare: 0, seed: 5), clean] {
            let (plain, other) = (track(frames).bands, track(frames, raisedBy: gain).bands)
            #expect(zip(plain, other).allSatisfy { abs(Int($0) - Int($1)) <= 1 })
        }
    }

    @Test(arguments: [1, 4, 5, 10, 77]) func bandRisesAreIndependentOfFirstFrame(dropped: Int) {
        let frames = frames(4000, silentShare: 0.1, seed: 9)
        let (whole, later) = (track(frames), track(Array(frames.dropFirst(dropped))))
        #expect(later.frames == whole.frames - dropped)
        // The first half window shares the first whole one, and what lies before is not there.
        let known = (dropped + 600) * 20
        #expect(later.bands[(known - dropped * 20)...] == whole.bands[known...])
    }

    @Test(arguments: [1, 7, 10, 100, 1500])
    func leadingDigitalSilenceDoesNotChangeBandRises(silent: Int) {
        for start in [0, 3, 7] {
            let sound =
                Array(repeating: nil, count: start) + frames(2500, silentShare: 0.2, seed: 8)
            let (plain, later) = (track(sound), track(Array(repeating: nil, count: silent) + sound))
            #expect(later.frames == silent + plain.frames)
            #expect((0..<silent).allSatisfy(later.isDigitalSilence))
            #expect(later.bands.suffix(plain.bands.count) == plain.bands[...])
        }
    }

    @Test(arguments: [1, 7, 10, 17, 110]) func floorBeginsInBlockWithFirstSound(silent: Int) {
        let sound = frames(300, silentShare: 0, seed: 4)
        for keepsBands in [true, false] {
            let plain = track(sound, keepsBands: keepsBands)
            let later = track(Array(repeating: nil, count: silent) + sound, keepsBands: keepsBands)
            let tenth = silent / 10
            #expect(later.floorDBFS(at: silent) == plain.floorDBFS(at: 0))
            #expect((0..<tenth * 10).allSatisfy { later.floorDBFS(at: $0) == -160 })
            let width = plain.reachedBands
            #expect(
                later.bandFloors.dropFirst(tenth * width).prefix(width)
                    == plain.bandFloors.prefix(width))
        }
    }

    @Test(arguments: [0..<300, 10..<290, 13..<44, 7..<8, 299..<300, 45..<45])
    func partialTrackUsesFloorAtEachBlockStart(range: Range<Int>) {
        let whole = track(frames(300, silentShare: 0.3, seed: 6), keepsBands: false)
        let part = whole.part(range)
        #expect(part.frames == range.count)
        for frame in 0..<part.frames {
            let place = range.lowerBound + frame
            #expect(part.isDigitalSilence(at: frame) == whole.isDigitalSilence(at: place))
            #expect(part.levelDBFS(at: frame) == whole.levelDBFS(at: place))
            #expect(part.highRise(at: frame) == whole.highRise(at: place))
            #expect(part.rises[frame] == whole.rises[place])
            let begin = range.lowerBound + frame / 10 * 10
            #expect(part.floorDBFS(at: frame) == whole.floorDBFS(at: begin))
            let width = whole.reachedBands
            #expect(
                part.bandFloors.dropFirst(frame / 10 * width).prefix(width)
                    == whole.bandFloors.dropFirst(begin / 10 * width).prefix(width))
        }
    }

    @Test func veryCleanRecordingsHaveEqualBandRises() {
        // Speech at -30 dBFS over pauses that no microphone makes.
        let clean = (0..<2000).map { frame in
            BandRow(repeating: frame % 200 < 100 ? -30 : -130) as Frame
        }
        let cleaner = (0..<2000).map { frame in
            BandRow(repeating: frame % 200 < 100 ? -30 : -150) as Frame
        }
        #expect(track(clean).bands == track(cleaner).bands)
    }
}
