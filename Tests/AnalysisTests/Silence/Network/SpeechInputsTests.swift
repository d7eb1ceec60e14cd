import TestSupport
import Testing

@testable import Analysis

@Suite struct SpeechInputsTests {
    /// What is shown of frames whose bands all have the same level, a row a frame.
    private func inputs(_ levels: [Float]) -> [[Float]] {
        let track = track(levels)
        let all = track.speechInputs()
        return levels.indices.map {
            Array(all[$0 * SpeechInputs.count..<($0 + 1) * SpeechInputs.count])
        }
    }

    private func track(_ levels: [Float]) -> ActivityTrack {
        var builder = TrackBuilder(bands: 20, high: 14..<20, keepsBands: true)
        for level in levels {
            builder.add(BandRow(repeating: level), periodicity: 0.5, isDigitalSilence: false)
        }
        builder.finish()
        return builder.track
    }

    /// Half a minute of a level that hovers by chance, with louder stretches.
    private func hovering(_ seed: UInt64) -> [Float] {
        var random = SeededGenerator(seed: seed)
        return (0..<3000).map { frame in
            (frame % 250 < 100 ? -35 : -60) + Float.random(in: -3...3, using: &random)
        }
    }

    @Test func levelFloorChangesGradually() {
        let shown = inputs((0..<3000).map { $0 < 1500 ? -60 : -40 }).map { $0[24] }
        #expect(abs(shown[1520] - 2) < 0.06 && abs(shown[2900]) < 0.06)
        // Twenty decibels in most of a second.
        for frame in 1520..<2999 { #expect(abs(shown[frame + 1] - shown[frame]) < 0.03) }
    }

    /// Windows that lie in two of the stretches that are looked at one by one.
    @Test func windowAcrossTwoChunksUsesLevelsOfBoth() {
        let shown = inputs((0..<36_000).map { $0 < 30_000 ? -60 : -40 })
        // In the middle of the window: as loud as the second, as quiet as the first.
        let (before, behind) = (shown[29_990], shown[30_010])
        #expect(abs(before[22] + 2) < 0.1 && abs(before[23]) < 0.1)
        #expect(abs(behind[22]) < 0.1 && abs(behind[23] - 2) < 0.1)
        // In the middle of the windows before and behind, only those of one.
        for middle in [27_000, 33_000] {
            #expect(abs(shown[middle][22]) < 0.1 && abs(shown[middle][23]) < 0.1)
        }
    }

    @Test(arguments: [-20, 15] as [Float]) func inputsAreIndependentOfGain(gain: Float) {
        let levels = hovering(1)
        for (one, other) in zip(inputs(levels), inputs(levels.map { $0 + gain })) {
            // Bands come in steps of 0.2 dB, levels in steps of half a decibel.
            #expect(zip(one, other).allSatisfy { abs($0 - $1) < 0.07 })
        }
    }

    @Test(arguments: [1, 5, 10, 33]) func inputsAreIndependentOfFirstFrame(dropped: Int) {
        let levels = hovering(2)
        let (whole, later) = (inputs(levels), inputs(Array(levels.dropFirst(dropped))))
        for frame in 1000..<2900 {
            var (one, other) = (whole[frame], later[frame - dropped])
            // What the minute around is like is known to half a decibel.
            for place in 21...23 {
                #expect(abs(one[place] - other[place]) < 0.06, "\(place) of frame \(frame)")
                (one[place], other[place]) = (0, 0)
            }
            #expect(one == other, "frame \(frame)")
        }
    }

    @Test(arguments: [14, 20]) func missingBandsAreAtFloorAndDigitalSilenceBelow(count: Int) {
        var builder = TrackBuilder(bands: count, high: 9..<count, keepsBands: true)
        for frame in 0..<2000 {
            let level: Float = frame % 200 < 50 ? -30 : -60
            builder.add(
                BandRow { $0 < count ? level : -160 }, periodicity: 0.5,
                isDigitalSilence: (700..<800).contains(frame))
        }
        builder.finish()
        let all = builder.track.speechInputs()
        for frame in 200..<1800 {
            let start = frame * SpeechInputs.count
            let bands = all[start..<start + 20]
            if (700..<800).contains(frame) {
                #expect(bands.allSatisfy { $0 == -1 }, "frame \(frame)")
            } else {
                #expect(bands.dropFirst(count).allSatisfy { abs($0) < 1e-6 }, "frame \(frame)")
                let isLoud = frame % 200 < 50
                #expect(bands.prefix(count).allSatisfy { ($0 > 2) == isLoud }, "frame \(frame)")
            }
        }
    }

    /// As far as the network is made for, so that no sum of its first layer is too large.
    @Test func inputsAreClampedToNetworkRange() {
        let levels: [Float] = (0..<3000).map { $0 % 100 < 50 ? 30 : -60 }
        var builder = TrackBuilder(bands: 20, high: 14..<20, keepsBands: true)
        for (frame, level) in levels.enumerated() {
            builder.add(
                BandRow(repeating: level), periodicity: 1,
                isDigitalSilence: (1000..<1100).contains(frame))
        }
        builder.finish()
        let shown = builder.track.speechInputs()
        let largest = NetworkLayers.largestInput
        // Digital silence stands at -160 dB, which is further from all that is loud.
        #expect(shown[1050 * SpeechInputs.count + 22] == -largest)
        #expect(shown.allSatisfy { abs($0) <= largest })
    }

    @Test(arguments: 1...5) func veryShortTrackHasInputsForEachFrame(count: Int) {
        let shown = inputs(Array(repeating: -50, count: count))
        #expect(shown.count == count && shown.allSatisfy { $0[20] == shown[0][20] })
    }

    @Test func framesBeforeTrackStartAreZero() {
        let track = track(hovering(3))
        let room = UnsafeMutableBufferPointer<Int16>.allocate(capacity: 10 * SpeechInputs.count)
        defer { room.deallocate() }
        room.initialize(repeating: 9)
        SpeechInputs(track, 0..<track.frames).fill(-4..<6, into: room)
        #expect(room[..<(4 * SpeechInputs.count)].allSatisfy { $0 == 0 })
        #expect(
            room[(4 * SpeechInputs.count)...].map { Float($0) * SpeechInputs.unit }
                == Array(track.speechInputs().prefix(168)))
    }
}
