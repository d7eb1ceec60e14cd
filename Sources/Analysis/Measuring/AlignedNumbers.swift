/// An array aligned to a cache line.
///
/// Adjacent vectors of eight or sixteen numbers then never straddle two cache lines, which would
/// have to be read twice.
final class AlignedNumbers<Number: BitwiseCopyable> {
    /// The first number; valid while the object lives.
    let start: UnsafeMutablePointer<Number>
    /// The allocation that contains the numbers.
    private let memory: UnsafeMutableRawPointer

    private static var lineBytes: Int { 64 }

    /// Allocates `count` uninitialized numbers, at least one.
    ///
    /// It over-allocates by one cache line and does not ask for aligned memory: glibc 2.36 does not
    /// reuse freed aligned memory, so memory grew with each recording.
    init(count: Int) {
        precondition(count > 0, "there is something to align")
        memory = UnsafeMutableRawPointer.allocate(
            byteCount: count * MemoryLayout<Number>.stride + AlignedNumbers.lineBytes,
            alignment: MemoryLayout<Number>.alignment)
        start = memory.alignedUp(toMultipleOf: AlignedNumbers.lineBytes)
            .bindMemory(to: Number.self, capacity: count)
    }

    /// Repeats one number `count` times, at least once.
    convenience init(repeating number: Number, count: Int) {
        self.init(count: count)
        start.initialize(repeating: number, count: count)
    }

    /// An aligned copy of `numbers`, of which there is at least one.
    convenience init(_ numbers: [Number]) {
        self.init(count: numbers.count)
        start.update(from: numbers, count: numbers.count)
    }

    deinit { memory.deallocate() }
}
