/// The lowest and the highest sample of every stretch of `samplesPerPixel` frames.
package struct Peaks: Hashable, Sendable {
    package var samplesPerPixel: Int
    /// 1 for a mono mix; the recording's channel count when they are kept apart.
    package var channels: Int
    /// For each pixel, for each channel: minimum, maximum, on the 16-bit scale.
    package var values: [Int16]

    package init(samplesPerPixel: Int, channels: Int, values: [Int16]) {
        self.samplesPerPixel = samplesPerPixel
        self.channels = channels
        self.values = values
    }

    /// Pixels, that is minimum/maximum pairs per channel.
    package var length: Int { channels > 0 ? values.count / (2 * channels) : 0 }
}
