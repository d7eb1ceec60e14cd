extension Waveform {
    /// Writes the JSON format: one object without white space, its keys in the one order that all
    /// readers take, and a newline.
    ///
    /// `version` is 2 even for one channel, as its readers expect.
    package func writeJSON<Failure: Error>(to write: ChunkWriter<Failure>) throws(Failure) {
        let header =
            "{\"version\":2,\"channels\":\(channels),\"sample_rate\":\(sampleRateHertz),"
            + "\"samples_per_pixel\":\(samplesPerPixel),\"bits\":\(bits),\"length\":\(length),"
            + "\"data\":["
        try write(Array(header.utf8))
        var start = 0
        while start < values.count {
            let end = min(start + Waveform.chunkValues, values.count)
            var chunk: [UInt8] = []
            chunk.reserveCapacity((end - start) * 7)
            for index in start..<end {
                if index > 0 { chunk.append(UInt8(ascii: ",")) }
                appendDecimal(values[index], to: &chunk)
            }
            try write(chunk)
            start = end
        }
        try write(Array("]}\n".utf8))
    }

    /// The JSON file as a whole.
    package func jsonBytes() -> [UInt8] {
        var bytes: [UInt8] = []
        writeJSON { bytes += $0 }
        return bytes
    }

    /// Reads the JSON format, with its keys in any order; `version` and `channels` may be absent.
    package init(json bytes: [UInt8]) throws(WaveformError) {
        var reader = WaveformJSONReader(bytes)
        let object = try reader.object()
        func required(_ key: String) throws(WaveformError) -> Int {
            guard let value = object.numbers[key] else { throw .missingKey(key) }
            return value
        }
        if let version = object.numbers["version"], version != 1, version != 2 {
            throw .unknownVersion(version)
        }
        guard let data = object.data else { throw .missingKey("data") }
        let channels = object.numbers["channels"] ?? 1
        let length = try required("length")
        guard (1...24).contains(channels) else { throw .badField("channels") }
        guard (0...Int(UInt32.max)).contains(length) else { throw .badField("length") }
        guard data.count == length * channels * 2 else {
            throw .wrongValueCount(expected: length * channels * 2, found: data.count)
        }
        self = try Waveform(
            sampleRateHertz: required("sample_rate"),
            samplesPerPixel: required("samples_per_pixel"), bits: required("bits"),
            channels: channels, values: data
        ).validated()
    }
}

/// Appends the decimal digits of `value`.
private func appendDecimal(_ value: Int16, to bytes: inout [UInt8]) {
    if value < 0 { bytes.append(UInt8(ascii: "-")) }
    let magnitude = value.magnitude
    var unit: UInt16 = 1
    while magnitude / unit >= 10 { unit *= 10 }
    while unit > 0 {
        bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: magnitude / unit % 10))
        unit /= 10
    }
}
