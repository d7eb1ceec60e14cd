/// Numbers that begin where a line of the processor's cache does.
///
/// So of vectors of eight or sixteen that lie side by side none is split over two lines, which
/// would be read twice.
final class AlignedNumbers<Number: BitwiseCopyable> {
    /// The first of them; to be used while the object lives.
    let start: UnsafeMutablePointer<Number>
    /// Where the memory begins that they lie in.
    private let memory: UnsafeMutableRawPointer

    private static var lineBytes: Int { 64 }

    /// Room for so many, at least one, which are to be written before they are read.
    ///
    /// A line more than they take is asked for, and alignment is not: glibc 2.36 does not find what
    /// was aligned and let go of again, so that memory grew by it with each recording.
    init(count: Int) {
        precondition(count > 0, "there is something to align")
        memory = UnsafeMutableRawPointer.allocate(
            byteCount: count * MemoryLayout<Number>.stride + AlignedNumbers.lineBytes,
            alignment: MemoryLayout<Number>.alignment)
        start = memory.alignedUp(toMultipleOf: AlignedNumbers.lineBytes)
            .bindMemory(to: Number.self, capacity: count)
    }

    /// One number so many times, at least once.
    convenience init(repeating number: Number, count: Int) {
        self.init(count: count)
        start.initialize(repeating: number, count: count)
    }

    /// The same numbers in line; they are at least one.
    convenience init(_ numbers: [Number]) {
        self.init(count: numbers.count)
        start.update(from: numbers, count: numbers.count)
    }

    deinit { memory.deallocate() }
}
