extension Waveform {
    /// Writes the binary format: a header, and the values without padding, little-endian.
    ///
    /// One channel is written as version 1, which knows only one and is what readers expect;
    /// several are written as version 2.
    package func writeBinary<Failure: Error>(to write: ChunkWriter<Failure>) throws(Failure) {
        // Includes the first values: a system call costs more than writing most waveforms.
        var chunk = binaryHeader(version: channels != 1 ? 2 : 1)
        var start = 0
        repeat {
            let end = min(start + Waveform.chunkValues, values.count)
            append(values[start..<end], to: &chunk)
            try write(chunk)
            chunk.removeAll(keepingCapacity: true)
            start = end
        } while start < values.count
    }

    private func binaryHeader(version: Int) -> [UInt8] {
        var fields = [version, bits == 8 ? 1 : 0, sampleRateHertz, samplesPerPixel, length]
        if version == 2 { fields.append(channels) }
        return fields.flatMap { field in
            [0, 8, 16, 24].map { UInt8(truncatingIfNeeded: field >> $0) }
        }
    }

    private func append(_ values: ArraySlice<Int16>, to bytes: inout [UInt8]) {
        bytes.reserveCapacity(bytes.count + values.count * bits / 8)
        if bits == 8 {
            bytes += values.lazy.map { UInt8(truncatingIfNeeded: $0) }
            return
        }
        for value in values {
            bytes.append(UInt8(truncatingIfNeeded: value))
            bytes.append(UInt8(truncatingIfNeeded: value >> 8))
        }
    }
}
