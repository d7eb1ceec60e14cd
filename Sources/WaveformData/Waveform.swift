import Recordings

/// Peaks with all that a waveform data file says of them.
package struct Waveform: Hashable, Sendable {
    package var sampleRateHertz: Int
    package var samplesPerPixel: Int
    /// 8 or 16.
    package var bits: Int
    package var channels: Int
    /// For each pixel, for each channel: minimum, maximum, on the scale of `bits`.
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

    /// The waveform of `peaks` in `bits` (8 or 16) bits; 8 are a 256th of 16, toward zero.
    package init(peaks: Peaks, sampleRateHertz: Int, bits: Int) {
        precondition(bits == 8 || bits == 16, "A waveform has 8 or 16 bits.")
        self.init(
            sampleRateHertz: sampleRateHertz, samplesPerPixel: peaks.samplesPerPixel, bits: bits,
            channels: peaks.channels,
            values: bits == 8 ? peaks.values.map { $0 / 256 } : peaks.values)
    }

    /// Pixels, that is minimum/maximum pairs per channel.
    package var length: Int { channels > 0 ? values.count / (2 * channels) : 0 }

    /// Takes the bytes of a file in order, a bounded number at a time; throws to stop.
    package typealias ChunkWriter<Failure: Error> = ([UInt8]) throws(Failure) -> Void

    /// Values in one chunk.
    static let chunkValues = 1 << 15
}
