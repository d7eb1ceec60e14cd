import Analysis
import Recordings
import Testing

@Suite struct WaveformBuilderTests {
    /// Builds peaks from 16-bit samples by channel.
    private func peaks(
        _ channels: [[Int16]], samplesPerPixel: [Int], split: Bool = false, blockFrames: Int = 4096
    ) -> [Peaks] {
        var builder = WaveformBuilder(
            zooms: samplesPerPixel.map { .samplesPerPixel($0) }, channels: channels.count,
            splitChannels: split)
        feed(&builder, channels, blockFrames)
        return builder.finish()
    }

    private func feed(
        _ builder: inout WaveformBuilder, _ channels: [[Int16]], _ blockFrames: Int
    ) {
        let frames = channels[0].count
        for start in stride(from: 0, to: frames, by: blockFrames) {
            var block = AudioBlock(channels: channels.count, capacityFrames: blockFrames)
            block.frames = min(blockFrames, frames - start)
            for frame in 0..<block.frames {
                for channel in channels.indices {
                    block.int16[frame * channels.count + channel] =
                        channels[channel][start + frame]
                }
            }
            builder.consume(block)
        }
    }

    /// As `peaks`, for a number of points.
    private func points(
        _ points: Int, _ channels: [[Int16]], split: Bool = false, blockFrames: Int = 4096
    ) -> Peaks {
        var builder = WaveformBuilder(
            zooms: [.points(points)], channels: channels.count, splitChannels: split)
        builder.expect(frames: channels[0].count)
        feed(&builder, channels, blockFrames)
        return builder.finish()[0]
    }

    private func ramp(_ count: Int, seed: Int = 7919) -> [Int16] {
        (0..<count).map { Int16(truncatingIfNeeded: $0 &* seed &+ $0 &* $0) }
    }

    @Test func eachPixelHoldsMinimumAndMaximum() {
        let peaks = peaks([[3, -5, 9, 0, -32768, 32767]], samplesPerPixel: [3])
        #expect(peaks == [Peaks(samplesPerPixel: 3, channels: 1, values: [-5, 9, -32768, 32767])])
    }

    @Test func lastPartialPixelIsKept() {
        let peaks = peaks([[1, 2, 3, 4, 7]], samplesPerPixel: [4])
        #expect(peaks[0].values == [1, 4, 7, 7])
        #expect(peaks[0].length == 2)
    }

    @Test func emptyInputHasNoPixels() {
        #expect(peaks([[]], samplesPerPixel: [256])[0].values.isEmpty)
        #expect(peaks([[1, 2]], samplesPerPixel: [2])[0].length == 1)
    }

    @Test func stereoMixdownRoundsTowardZero() {
        // Sums of -1, 1, -3 and -65536, halved toward zero.
        let peaks = peaks([[-1, 0, -2, -32768], [0, 1, -1, -32768]], samplesPerPixel: [1])
        #expect(peaks[0].values == [0, 0, 0, 0, -1, -1, -32768, -32768])
        #expect(peaks[0].channels == 1)
    }

    @Test func threeChannelMixdownRoundsTowardZero() {
        let peaks = self.peaks([[-1, 4], [-1, 0], [0, 1]], samplesPerPixel: [1])
        #expect(peaks[0].values == [0, 0, 1, 1])
    }

    @Test func splitChannelsHaveSeparatePeaks() {
        let peaks = peaks([[1, 2, 3], [-4, -5, -6]], samplesPerPixel: [2], split: true)
        #expect(peaks[0].channels == 2)
        #expect(peaks[0].values == [1, 2, -5, -4, 3, 3, -6, -6])
    }

    @Test(arguments: [false, true]) func severalZoomLevelsMatchSinglePasses(split: Bool) {
        let channels = [ramp(10_007), ramp(10_007, seed: 104_729)]
        let zooms = [256, 2, 1000, 4096]
        let together = peaks(channels, samplesPerPixel: zooms, split: split)
        let apart = zooms.map { peaks(channels, samplesPerPixel: [$0], split: split)[0] }
        #expect(together == apart)
        #expect(together.map(\.length) == [40, 5004, 11, 3])
    }

    @Test(arguments: [1, 7, 255, 256, 4096]) func peaksAreIndependentOfBlockSize(blockFrames: Int) {
        let channels = [ramp(5_003), ramp(5_003, seed: 31)]
        let expected = peaks(channels, samplesPerPixel: [256, 100], blockFrames: 5_003)
        #expect(
            peaks(channels, samplesPerPixel: [256, 100], blockFrames: blockFrames) == expected)
    }

    @Test func samplesBeyondBlockFramesAreIgnored() {
        var builder = WaveformBuilder(
            zooms: [.samplesPerPixel(4)], channels: 1, splitChannels: false)
        var block = AudioBlock(channels: 1, capacityFrames: 4)
        block.int16 = [1, 2, 30_000, 30_000]
        block.frames = 2
        builder.consume(block)
        #expect(builder.finish()[0].values == [1, 2])
    }

    /// For each length, the zoom is a power of two times what was merged in the end.
    @Test(arguments: [
        (0, 2, 0), (1, 2, 1), (20, 2, 10), (21, 4, 6),
        (640, 64, 10), (641, 68, 10), (5_003, 512, 10), (100_000, 10_240, 10),
    ])
    func pointsAreTheMostPixels(frames: Int, samplesPerPixel: Int, length: Int) {
        let channels = [ramp(frames)]
        let peaks = points(10, channels)
        #expect(peaks.samplesPerPixel == samplesPerPixel)
        #expect(peaks.length == length)
        #expect(peaks == self.peaks(channels, samplesPerPixel: [samplesPerPixel])[0])
    }

    @Test(arguments: [1, 7, 255, 256, 5_003]) func pointsAreIndependentOfBlockSize(
        blockFrames: Int
    ) {
        let channels = [ramp(5_003), ramp(5_003, seed: 31)]
        for split in [false, true] {
            for count in [1, 3, 100] {
                let peaks = points(count, channels, split: split, blockFrames: blockFrames)
                #expect(peaks.length <= count && peaks.length > count / 2)
                #expect(
                    peaks
                        == self.peaks(
                            channels, samplesPerPixel: [peaks.samplesPerPixel], split: split)[0])
            }
        }
    }
}
