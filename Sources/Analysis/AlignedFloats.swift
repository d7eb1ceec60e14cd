/// Numbers that begin where a line of the processor's cache does.
///
/// So of vectors of eight or sixteen that lie side by side none is split over two lines, which
/// would be read twice.
final class AlignedFloats {
    /// The first of them; to be used while the object lives.
    let start: UnsafeMutablePointer<Float>

    private static let lineBytes = 64

    /// Room for so many, at least one, which are to be written before they are read.
    init(count: Int) {
        precondition(count > 0, "there is something to align")
        start = UnsafeMutableRawPointer.allocate(
            byteCount: count * MemoryLayout<Float>.stride, alignment: AlignedFloats.lineBytes
        ).bindMemory(to: Float.self, capacity: count)
    }

    /// The same numbers in line; they are at least one.
    convenience init(_ numbers: [Float]) {
        self.init(count: numbers.count)
        start.update(from: numbers, count: numbers.count)
    }

    deinit { start.deallocate() }
}
