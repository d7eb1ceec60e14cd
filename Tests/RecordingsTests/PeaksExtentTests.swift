import Recordings
import Testing

@Suite struct PeaksExtentTests {
    private let peaks = Peaks(
        samplesPerPixel: 2, channels: 2,
        values: [-1, 2, -3, 1, -9, 9, 0, 0, 5, 6, 7, 8])

    @Test func extentCoversAllChannelsInRange() {
        #expect(peaks.extent(of: 0..<1) == (-3, 2))
        #expect(peaks.extent(of: 0..<3) == (-9, 9))
        #expect(peaks.extent(of: 2..<3) == (5, 8))
    }

    @Test func rangeWithoutPixelsHasZeroExtent() {
        #expect(peaks.extent(of: 1..<1) == (0, 0))
        #expect(peaks.extent(of: 3..<9) == (0, 0))
        #expect(peaks.extent(of: 2..<9) == (5, 8))
    }
}
