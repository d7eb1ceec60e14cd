extension Waveform {
    /// Writes what wavesurfer.js takes: one JSON object with the duration, and for each channel an
    /// array of numbers from -1 to 1, the minimum and the maximum of each pixel in turn.
    ///
    /// Numbers have five decimals, which tell all 16-bit values apart.
    package func writeFloatJSON<Failure: Error>(
        durationSeconds: Double, to write: ChunkWriter<Failure>
    ) throws(Failure) {
        let header =
            "{\"version\":1,\"channels\":\(channels),\"sample_rate\":\(sampleRateHertz),"
            + "\"samples_per_pixel\":\(samplesPerPixel),\"length\":\(length),"
            + "\"duration\":\(durationSeconds),\"peaks\":["
        try write(Array(header.utf8))
        for channel in 0..<channels {
            try write(Array((channel > 0 ? ",[" : "[").utf8))
            for first in stride(from: 0, to: length, by: Waveform.chunkValues / 2) {
                let pixels = first..<min(first + Waveform.chunkValues / 2, length)
                try write(floats(of: channel, in: pixels))
            }
            try write(Array("]".utf8))
        }
        try write(Array("]}\n".utf8))
    }

    private func floats(of channel: Int, in pixels: Range<Int>) -> [UInt8] {
        var chunk: [UInt8] = []
        chunk.reserveCapacity(pixels.count * 18)
        for pixel in pixels {
            let place = 2 * (pixel * channels + channel)
            for value in values[place..<place + 2] {
                if pixel > 0 || !chunk.isEmpty { chunk.append(UInt8(ascii: ",")) }
                append(value, to: &chunk)
            }
        }
        return chunk
    }

    /// Appends a value as a fraction of full scale, rounded, without trailing zeros.
    private func append(_ value: Int16, to text: inout [UInt8]) {
        let fullScale = bits == 8 ? 128 : 32_768
        var rest = (Int(value.magnitude) * 100_000 + fullScale / 2) / fullScale
        if value < 0, rest > 0 { text.append(UInt8(ascii: "-")) }
        text.append(UInt8(ascii: "0") + UInt8(rest / 100_000))
        rest %= 100_000
        if rest > 0 { text.append(UInt8(ascii: ".")) }
        var unit = 10_000
        while rest > 0 {
            text.append(UInt8(ascii: "0") + UInt8(rest / unit))
            rest %= unit
            unit /= 10
        }
    }
}
