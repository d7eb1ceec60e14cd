import CSndfile

/// A file that the library writes into memory; for one thread at a time.
///
/// It notes where each piece that was appended ends: of FLAC the library appends one frame at a
/// time.
final class MemoryFile {
    private(set) var bytes: [UInt8] = []
    /// Where the pieces end that were appended.
    private(set) var ends: [Int] = []
    private var position = 0

    /// - Parameter expected: About so many bytes will be in it.
    init(expected: Int) { bytes.reserveCapacity(expected) }

    /// Opens this with the library; the result is valid only while `self` lives.
    func open(info: inout SF_INFO) -> OpaquePointer? {
        // Unretained is sound: whoever opens keeps `self` for as long as the result.
        var calls = SF_VIRTUAL_IO(
            get_filelen: { Int64(MemoryFile.from($0).bytes.count) },
            seek: { MemoryFile.from($2).seek(by: $0, from: $1) },
            read: { _, _, _ in 0 },
            write: { MemoryFile.from($2).write($0, count: $1) },
            tell: { Int64(MemoryFile.from($0).position) })
        return sf_open_virtual(
            &calls, Int32(SFM_WRITE), &info, Unmanaged.passUnretained(self).toOpaque())
    }

    private static func from(_ context: UnsafeMutableRawPointer?) -> MemoryFile {
        // The library hands back the context of `open(info:)`, which is never nil.
        Unmanaged.fromOpaque(context.unsafelyUnwrapped).takeUnretainedValue()
    }

    private func seek(by offset: Int64, from whence: Int32) -> Int64 {
        let origin = [SEEK_SET: 0, SEEK_CUR: position, SEEK_END: bytes.count][whence]
        // No further than to the end: what is written leaves no gaps.
        guard let origin, (0...bytes.count).contains(origin + Int(offset)) else { return -1 }
        position = origin + Int(offset)
        return Int64(position)
    }

    private func write(_ buffer: UnsafeRawPointer?, count: Int64) -> Int64 {
        guard let buffer, count > 0 else { return 0 }
        // The library lends what it wants to have written.
        let piece = UnsafeRawBufferPointer(start: buffer, count: Int(count))
        if position == bytes.count {
            bytes.append(contentsOf: piece)
            ends.append(bytes.count)
        } else {
            let replaced = position..<min(bytes.count, position + piece.count)
            bytes.replaceSubrange(replaced, with: piece)
        }
        position += piece.count
        return count
    }
}
