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

extension Waveform {
    /// Reads the binary format; `nil` if this is none, or not whole.
    package init?(binary bytes: [UInt8]) {
        guard bytes.count >= 20 else { return nil }
        func field(_ index: Int) -> Int {
            bytes[4 * index..<4 * index + 4].reversed().reduce(0) { $0 << 8 | Int($1) }
        }
        let version = field(0)
        guard [1, 2].contains(version), field(1) <= 1, field(2) > 0, field(3) > 0 else {
            return nil
        }
        let header = version == 2 ? 24 : 20
        let channels = version == 2 && bytes.count >= header ? field(5) : 1
        let width = field(1) == 1 ? 1 : 2
        guard channels > 0, bytes.count - header == 2 * channels * field(4) * width else {
            return nil
        }
        let values = stride(from: header, to: bytes.count, by: width).map { place in
            width == 1
                ? Int16(Int8(bitPattern: bytes[place]))
                : Int16(bitPattern: UInt16(bytes[place]) | UInt16(bytes[place + 1]) << 8)
        }
        self.init(
            sampleRateHertz: field(2), samplesPerPixel: field(3), bits: 8 * width,
            channels: channels, values: values)
    }

    /// The middle of the quietest tenth of a second in a stretch; the latest of several.
    /// - Parameter seconds: not empty.
    package func quietestSecond(in seconds: ClosedRange<Double>) -> Double {
        let rate = Double(sampleRateHertz) / Double(samplesPerPixel)
        let first = min(length, max(0, Int(seconds.lowerBound * rate)))
        let last = min(length, max(first, Int((seconds.upperBound * rate).rounded(.up))))
        let width = max(1, min(last - first, Int((rate / 10).rounded())))
        let heights = (first..<last).map { pixel in
            let own = values[2 * channels * pixel..<2 * channels * (pixel + 1)]
            return own.reduce(0) { max($0, Int($1.magnitude)) }
        }
        var best = (height: Int.max, start: 0)
        for start in 0..<max(1, heights.count - width + 1) {
            let height = heights[start..<min(heights.count, start + width)].max() ?? 0
            if height <= best.height { best = (height, start) }
        }
        let middle = (Double(first + best.start) + Double(width) / 2) / rate
        return min(max(middle, seconds.lowerBound), seconds.upperBound)
    }
}
