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

/// Why bytes are no waveform data file.
package enum WaveformError: Error, Hashable, Sendable {
    /// The file ends before the number of values that it declares; both counted.
    case truncated(expectedValues: Int, foundValues: Int)
    /// The file ends within its header.
    case headerTooShort
    case unknownVersion(Int)
    /// A header field with a value that cannot be.
    case badField(String)
    /// JSON that breaks off or is not as the format wants it, at this byte.
    case malformedJSON(offset: Int)
    /// A key that the format does not know.
    case unknownKey(String)
    /// A key that the format needs.
    case missingKey(String)
    /// The number of values is not what `length` and `channels` ask for.
    case wrongValueCount(expected: Int, found: Int)
}

extension Waveform {
    /// Throws unless each field is one that a writer could have written.
    func validated() throws(WaveformError) -> Waveform {
        guard sampleRateHertz >= 1 else { throw .badField("sample_rate") }
        guard samplesPerPixel >= 2 else { throw .badField("samples_per_pixel") }
        guard bits == 8 || bits == 16 else { throw .badField("bits") }
        guard (1...24).contains(channels) else { throw .badField("channels") }
        if bits == 8, !values.allSatisfy({ (-128...127).contains($0) }) { throw .badField("data") }
        return self
    }
}
