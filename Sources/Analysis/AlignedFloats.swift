/// Numbers that begin where a line of the processor's cache does.
///
/// So of vectors of eight or sixteen that lie side by side none is split over two lines, which
/// would be read twice.
final class AlignedFloats {
    /// The first of them; to be used while the object lives.
    let start: UnsafeMutablePointer<Float>
    /// Where the memory begins that they lie in.
    private let memory: UnsafeMutableRawPointer

    private static let lineBytes = 64

    /// Room for so many, at least one, which are to be written before they are read.
    ///
    /// A line more than they take is asked for, and alignment is not: glibc 2.36 does not find what
    /// was aligned and let go of again, so that memory grew by it with each recording.
    init(count: Int) {
        precondition(count > 0, "there is something to align")
        memory = UnsafeMutableRawPointer.allocate(
            byteCount: count * MemoryLayout<Float>.stride + AlignedFloats.lineBytes,
            alignment: MemoryLayout<Float>.alignment)
        start = memory.alignedUp(toMultipleOf: AlignedFloats.lineBytes)
            .bindMemory(to: Float.self, capacity: count)
    }

    /// The same numbers in line; they are at least one.
    convenience init(_ numbers: [Float]) {
        self.init(count: numbers.count)
        start.update(from: numbers, count: numbers.count)
    }

    deinit { memory.deallocate() }
}
