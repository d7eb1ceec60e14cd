import Recordings

/// Peaks with the metadata of a waveform data file.
package struct Waveform: Hashable, Sendable {
    package var sampleRateHertz: Int
    package var samplesPerPixel: Int
    /// 8 or 16.
    package var bits: Int
    package var channels: Int
    /// Minimum and maximum for each pixel and channel, on the scale of `bits`.
    package var values: [Int16]

    package init(
        sampleRateHertz: Int, samplesPerPixel: Int, bits: Int, channels: Int, values: [Int16]
    ) {
        self.sampleRateHertz = sampleRateHertz
        self.samplesPerPixel = samplesPerPixel
        self.bits = bits
        self.channels = channels
        self.values = values
    }

    /// Converts `peaks` to 8 or 16 bits; to 8 by dividing by 256, toward zero.
    package init(peaks: Peaks, sampleRateHertz: Int, bits: Int) {
        precondition(bits == 8 || bits == 16, "A waveform has 8 or 16 bits.")
        self.init(
            sampleRateHertz: sampleRateHertz, samplesPerPixel: peaks.samplesPerPixel, bits: bits,
            channels: peaks.channels,
            values: bits == 8 ? peaks.values.map { $0 / 256 } : peaks.values)
    }

    /// The number of pixels (minimum/maximum pairs per channel).
    package var length: Int { channels > 0 ? values.count / (2 * channels) : 0 }

    /// Its values on the 16-bit scale.
    package var peaks: Peaks {
        Peaks(
            samplesPerPixel: samplesPerPixel, channels: channels,
            values: bits == 8 ? values.map { $0 * 256 } : values)
    }

    /// Writes the bytes of a file in order, a bounded number per call; throws to stop.
    package typealias ChunkWriter<Failure: Error> = ([UInt8]) throws(Failure) -> Void

    /// Values in one chunk.
    static let chunkValues = 1 << 15
}
