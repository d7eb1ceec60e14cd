// The chunks of a file, one after the other.

extension ChunkGrammar {
    /// The body offset and declared size of the first chunk for which `isSought` holds, given its
    /// header, body offset and size; `nil` if there is none.
    private func chunk(
        in source: SourceFile, where isSought: ([UInt8], Int64, UInt64) -> Bool
    ) -> (body: Int64, bytes: UInt64)? {
        var offset = firstChunk
        var soundBytes: UInt64?
        for _ in 0..<ChunkGrammar.mostChunks {
            let header = source.bytes(at: offset, count: headerBytes)
            // Zeros are not chunks: the file is preallocated and not written yet.
            guard header.count == headerBytes, header[..<idBytes].contains(where: { $0 != 0 })
            else { break }
            var size = bodyBytes(of: header)
            let body = offset + Int64(headerBytes)
            if hasWideSizes, header.has("ds64") {
                let sizes = source.bytes(at: body, count: 16)
                if sizes.count == 16 { soundBytes = integer(sizes[8...], bigEndian: false) }
            }
            if size == UInt64(UInt32.max), header.has(soundID) { size = soundBytes ?? size }
            if isSought(header, body, size) { return (body, size) }
            guard size < UInt64(source.byteCount) else { break }
            offset = body + padded(size)
        }
        return nil
    }

    /// The first chunk with that name.
    func chunk(_ name: String, in source: SourceFile) -> (body: Int64, bytes: Int64)? {
        chunk(in: source) { header, _, _ in header.has(name) }
            .map { ($0.body, Int64(clamping: $0.bytes)) }
    }

    /// The offset and declared size of the sound chunk's body.
    func soundChunk(in source: SourceFile) -> (body: Int64, declared: UInt64)? {
        chunk(in: source) { header, _, _ in header.has(soundID) }.map { ($0.body, $0.bytes) }
    }

    /// The chunks that are whole, by the first four characters of their names, up to the sound if
    /// its length is not known.
    func chunks(in source: SourceFile) -> [(id: String, body: Int64, bytes: Int64)] {
        var found: [(id: String, body: Int64, bytes: Int64)] = []
        _ = chunk(in: source) { header, body, size in
            guard ChunkGrammar.isIdentifier(header[..<4]) else { return true }
            if header.has(soundID) {
                return verdict(on: source, body: body, declared: size) != .whole
            }
            let bytes = Int64(clamping: size)
            guard bytes <= source.byteCount - body else { return true }
            found.append((String(decoding: header[..<4], as: UTF8.self), body, bytes))
            return false
        }
        return found
    }

    /// The number at the beginning of a chunk, as wide as a size; `nil` if it is missing or means
    /// "unknown".
    func number(
        in chunk: (body: Int64, bytes: Int64), of source: SourceFile
    ) -> Int64? {
        let bytes = source.bytes(at: chunk.body, count: sizeBytes)
        guard bytes.count == sizeBytes, chunk.bytes >= Int64(sizeBytes) else { return nil }
        let number = integer(bytes, bigEndian: bigEndian)
        return ChunkGrammar.isUnknown(number) ? nil : Int64(clamping: number)
    }
}
