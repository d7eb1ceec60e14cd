#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// A stretch of a file, read in one system call and handed out in pieces.
///
/// Holds at most 64 kB. What is large is better read to where it is wanted: it would only be copied
/// once more.
struct ReadAhead {
    private static let bytesAtOnce = 1 << 16
    private static let fewestBytesAlone = 1 << 14

    private var start: Int64 = 0
    private var held: [UInt8] = []

    /// Whether so many bytes are better read together with what follows them.
    static func isWorthwhile(for count: Int) -> Bool { count < fewestBytesAlone }

    /// Copies up to `count` bytes from `place` on, as far as they are held; how many.
    func copy(_ count: Int, from place: Int64, to destination: UnsafeMutableRawPointer) -> Int {
        let offset = Int(place - start)
        guard offset >= 0, offset < held.count else { return 0 }
        let copied = min(count, held.count - offset)
        held.withUnsafeBytes {
            // In bounds on this side by the guard; `destination` has room for `count`.
            UnsafeMutableRawBufferPointer(start: destination, count: copied)
                .copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[offset..<offset + copied]))
        }
        return copied
    }

    /// Holds what lies from `place` on, but nothing from `end` on; how many bytes, or -1 and the
    /// error number as the system call left it.
    mutating func fill(from descriptor: Int32, at place: Int64, end: Int64) -> Int {
        let count = Int(min(Int64(ReadAhead.bytesAtOnce), end - place))
        var read = 0
        start = place
        held = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            read = pread(descriptor, buffer.baseAddress, count, off_t(place))
            filled = max(0, read)
        }
        return read
    }
}
