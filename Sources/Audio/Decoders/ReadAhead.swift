import Glibc

/// A stretch of a file, read in one system call and handed out in pieces.
///
/// Holds at most 64 kB. What is large is better read to where it is wanted: it would only be copied
/// once more.
struct ReadAhead {
    static let mostBytes = 1 << 16
    private static let fewestBytesAlone = 1 << 15

    private var start: Int64
    private var bytes: [UInt8]

    /// Holds what is known to be at a place of the file.
    init(_ bytes: [UInt8] = [], at place: Int64 = 0) { (start, self.bytes) = (place, bytes) }

    /// Whether so many bytes are better read together with what follows them.
    static func isWorthwhile(for count: Int) -> Bool { count < fewestBytesAlone }

    /// Whether the byte at `place` is held.
    func holds(_ place: Int64) -> Bool { place >= start && place - start < Int64(bytes.count) }

    /// Copies up to `count` bytes from `place` on, as far as they are held; how many.
    func copy(_ count: Int, from place: Int64, to destination: UnsafeMutableRawPointer) -> Int {
        guard holds(place) else { return 0 }
        let offset = Int(place - start)
        let copied = min(count, bytes.count - offset)
        bytes.withUnsafeBytes {
            // `destination` has room for `count`.
            UnsafeMutableRawBufferPointer(start: destination, count: copied)
                .copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[offset..<offset + copied]))
        }
        return copied
    }

    /// Holds what lies from `place` on, but nothing from `end` on; nothing at all where that cannot
    /// be read, as it may be what nobody asks for that is bad.
    mutating func fill(from descriptor: Int32, at place: Int64, end: Int64) {
        let wanted = Int(min(Int64(ReadAhead.mostBytes), end - place))
        start = place
        // What was held is let go of first, and nothing is zeroed that is written at once.
        bytes = []
        bytes = Array(unsafeUninitializedCapacity: wanted) {
            $1 = max(0, pread(descriptor, $0.baseAddress, wanted, off_t(place)))
        }
    }
}
