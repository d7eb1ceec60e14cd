import TestSupport
import Testing

@testable import Analysis

/// The floor against the same sums made the long way round.
@Suite struct NoiseFloorTests {
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

    private func track(_ frames: [Frame], raisedBy gain: Float = 0) -> ActivityTrack {
        var floor = NoiseFloor(bands: Self.bands, high: 14..<20, keepsBands: true)
        for frame in frames {
            let row = frame.map { $0 + BandRow(repeating: gain) } ?? BandRow(repeating: -160)
            floor.add(row, periodicity: 0, isDigitalSilence: frame == nil)
        }
        floor.finish()
        return floor.track
    }

    /// The floor of the first band at each tenth frame, by sorting.
    private func naiveFloors(_ frames: [Frame]) -> [Float?] {
        let points: [Float?] = stride(from: 0, to: frames.count, by: 10).map { centre in
            let own = frames[max(0, centre - 5)..<min(frames.count, centre + 5)].compactMap { $0 }
            return own.isEmpty ? nil : own.reduce(0) { $0 + $1[0] } / Float(own.count)
        }
        let raw: [Float?] = points.indices.map { point in
            let start = max(0, min(point - 50, points.count - 101))
            let end = min(points.count, start + 101)
            let values = points[start..<end].compactMap { $0 }.sorted()
            let own = frames[max(0, 10 * start - 5)..<min(frames.count, 10 * end - 5)]
            let silent = Float(own.count { $0 == nil }) / Float(own.count)
            let share = max(0.05, 0.3 * (1 - 2 * silent))
            return values.isEmpty ? nil : values[Int(share * Float(values.count - 1))]
        }
        return points.indices.map { point in
            let near = raw[max(0, point - 4)..<min(raw.count, point + 5)].compactMap { $0 }
            return near.isEmpty ? nil : near.reduce(0, +) / Float(near.count)
        }
    }

    @Test(arguments: [1, 9, 10, 500, 1009, 1010, 1011, 4321], [0, 0.3])
    func isALowPercentileOfTheTenSecondsAround(count: Int, silentShare: Double) {
        let frames = frames(count, silentShare: silentShare, seed: UInt64(count))
        let track = track(frames)
        #expect(track.frames == count)
        let expected = naiveFloors(frames)
        for frame in 0..<count {
            #expect(track.isDigitalSilence(at: frame) == (frames[frame] == nil))
            guard frame.isMultiple(of: 10), let floor = expected[frame / 10],
                let row = frames[frame]
            else { continue }
            // Bands come in steps of 0.2 dB, the sorted values lie up to half a decibel apart.
            let rise = Float(track.bands[frame * 20]) * 0.2 - 10
            let slack: Float = 1.2
            #expect(abs(rise - max(-10, min(40, row[0] - floor))) < slack, "frame \(frame)")
        }
    }

    @Test func everyFrameCountsForTheFloor() {
        // Five frames in ten, half of them around each point.
        let frames = (0..<3000).map { frame in
            BandRow(repeating: (3..<8).contains(frame % 10) ? -40 : -80) as Frame
        }
        let floor = track(frames).floorDBFS(at: 1500)
        #expect(abs(floor - (-60 + Decibels.ofPower(SIMD8(repeating: 20))[0])) < 0.6)
    }

    @Test(arguments: [-45, -15, 20] as [Float]) func gainDoesNotMatter(gain: Float) {
        // By chance, and as clean as no recorder is.
        let clean = (0..<3000).map { frame in
            BandRow(repeating: frame % 200 < 100 ? -30 : -130) as Frame
        }
        for frames in [frames(3000, silentShare: 0, seed: 5), clean] {
            let (plain, other) = (track(frames).bands, track(frames, raisedBy: gain).bands)
            #expect(zip(plain, other).allSatisfy { abs(Int($0) - Int($1)) <= 1 })
        }
    }

    @Test(arguments: [10, 100, 1500]) func digitalSilenceInFrontChangesNothing(silent: Int) {
        for start in [0, 3, 7] {
            let sound =
                Array(repeating: nil, count: start) + frames(2500, silentShare: 0.2, seed: 8)
            let (plain, later) = (track(sound), track(Array(repeating: nil, count: silent) + sound))
            #expect(later.frames == silent + plain.frames)
            #expect((0..<silent).allSatisfy(later.isDigitalSilence))
            #expect(later.bands.suffix(plain.bands.count) == plain.bands[...])
        }
    }

    @Test func cleanRecordingsLookAlike() {
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
