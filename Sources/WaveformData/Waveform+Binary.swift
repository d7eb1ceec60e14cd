extension Waveform {
    /// Writes the binary format: a header, and the values without padding, little-endian.
    ///
    /// Version 1 knows one channel only and is what its readers expect for one channel; version 2
    /// is written for several, or where it is asked for.
    package func writeBinary<Failure: Error>(
        asVersion2 wantsVersion2: Bool = false, to write: ChunkWriter<Failure>
    ) throws(Failure) {
        // With the first values: a call of the system costs more than most waveforms are long.
        var chunk = binaryHeader(version: wantsVersion2 || channels != 1 ? 2 : 1)
        var start = 0
        repeat {
            let end = min(start + Waveform.chunkValues, values.count)
            append(values[start..<end], to: &chunk)
            try write(chunk)
            chunk.removeAll(keepingCapacity: true)
            start = end
        } while start < values.count
    }

    /// The binary file as a whole.
    package func binaryBytes(asVersion2 wantsVersion2: Bool = false) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(24 + values.count * bits / 8)
        writeBinary(asVersion2: wantsVersion2) { bytes += $0 }
        return bytes
    }

    private func binaryHeader(version: Int) -> [UInt8] {
        var fields = [version, bits == 8 ? 1 : 0, sampleRateHertz, samplesPerPixel, length]
        if version == 2 { fields.append(channels) }
        return fields.flatMap { littleEndianBytes(UInt32(truncatingIfNeeded: $0)) }
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

    /// Reads the binary format, of version 1 or of version 2 with any number of channels.
    package init(binary bytes: [UInt8]) throws(WaveformError) {
        guard bytes.count >= 20 else { throw .headerTooShort }
        let version = signed(bytes, at: 0)
        guard version == 1 || version == 2 else { throw .unknownVersion(version) }
        let headerBytes = version == 2 ? 24 : 20
        guard bytes.count >= headerBytes else { throw .headerTooShort }
        let flags = signed(bytes, at: 4)
        guard flags == 0 || flags == 1 else { throw .badField("flags") }
        let channels = version == 2 ? signed(bytes, at: 20) : 1
        guard (1...24).contains(channels) else { throw .badField("channels") }

        let width = flags == 1 ? 1 : 2
        let length = Int(UInt32(truncatingIfNeeded: signed(bytes, at: 16)))
        let expected = length * channels * 2
        let found = (bytes.count - headerBytes) / width
        guard found >= expected else {
            throw .truncated(expectedValues: expected, foundValues: found)
        }
        let values = (0..<expected).map { index in
            let place = headerBytes + index * width
            return width == 1
                ? Int16(Int8(bitPattern: bytes[place]))
                : Int16(bitPattern: UInt16(bytes[place]) | UInt16(bytes[place + 1]) << 8)
        }
        self = try Waveform(
            sampleRateHertz: signed(bytes, at: 8), samplesPerPixel: signed(bytes, at: 12),
            bits: width * 8, channels: channels, values: values
        ).validated()
    }
}

private func littleEndianBytes(_ number: UInt32) -> [UInt8] {
    [0, 8, 16, 24].map { UInt8(truncatingIfNeeded: number >> $0) }
}

/// The signed 32-bit number at `offset`, which must be in the bytes.
private func signed(_ bytes: [UInt8], at offset: Int) -> Int {
    let number = (0..<4).reduce(UInt32(0)) { $0 | UInt32(bytes[offset + $1]) << (8 * $1) }
    return Int(Int32(bitPattern: number))
}
