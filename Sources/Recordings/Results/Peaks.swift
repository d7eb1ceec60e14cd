/// Minimum and maximum sample per pixel, a pixel being `samplesPerPixel` frames.
package struct Peaks: Hashable, Sendable {
    package var samplesPerPixel: Int
    /// 1 for a mono mix; the recording's channel count if channels are split.
    package var channels: Int
    /// For each pixel, for each channel: minimum, maximum, on the 16-bit scale.
    package var values: [Int16]

    package init(samplesPerPixel: Int, channels: Int, values: [Int16]) {
        self.samplesPerPixel = samplesPerPixel
        self.channels = channels
        self.values = values
    }

    /// The number of pixels: minimum/maximum pairs per channel.
    package var length: Int { channels > 0 ? values.count / (2 * channels) : 0 }
}

extension Peaks {
    /// Minimum and maximum over all channels in these pixels, on the 16-bit scale; zeros if there
    /// are no pixels.
    package func extent(of pixels: Range<Int>) -> (low: Int16, high: Int16) {
        let some = pixels.clamped(to: 0..<length)
        var low: Int16 = .max
        var high: Int16 = .min
        for place in stride(from: some.lowerBound, to: some.upperBound, by: 1) {
            for channel in 0..<channels {
                let index = 2 * (place * channels + channel)
                low = min(low, values[index])
                high = max(high, values[index + 1])
            }
        }
        return low <= high ? (low, high) : (0, 0)
    }
}
