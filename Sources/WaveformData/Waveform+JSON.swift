extension Waveform {
    /// Writes the JSON format: one object without white space, with keys in the only order that all
    /// readers accept, and a newline.
    ///
    /// `version` is 2 even for one channel, as readers expect.
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
                chunk += String(values[index]).utf8
            }
            try write(chunk)
            start = end
        }
        try write(Array("]}\n".utf8))
    }
}
