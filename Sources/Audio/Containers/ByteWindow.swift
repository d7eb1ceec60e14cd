/// A stretch of a file in memory, moved along as it is asked for.
struct ByteWindow {
    private static let bytesAtOnce = 1 << 16

    private var start: Int64 = 0
    private var held: [UInt8] = []

    /// Up to `count` bytes from `offset` on; fewer at the end of the file.
    mutating func bytes(
        at offset: Int64, count: Int, in source: borrowing SourceFile
    ) -> ArraySlice<UInt8> {
        if offset < start || offset + Int64(count) > start + Int64(held.count) {
            held = source.bytes(at: offset, count: max(count, ByteWindow.bytesAtOnce))
            start = offset
        }
        let first = Int(offset - start)
        return held[first..<min(first + count, held.count)]
    }
}
