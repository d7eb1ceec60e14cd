/// Numbers that begin where a line of the processor's cache does.
///
/// So of vectors that lie side by side none is split over two lines, which would be read twice.
/// They are to be written before they are read.
final class AlignedFloats {
    let numbers: UnsafeMutableBufferPointer<Float>
    let start: UnsafeMutablePointer<Float>

    private static let lineBytes = 64

    /// Room for so many, at least one.
    init(count: Int) {
        precondition(count > 0, "there is something to align")
        start = UnsafeMutableRawPointer.allocate(
            byteCount: count * MemoryLayout<Float>.stride, alignment: AlignedFloats.lineBytes
        ).bindMemory(to: Float.self, capacity: count)
        numbers = UnsafeMutableBufferPointer(start: start, count: count)
    }

    /// The same numbers in line; they are at least one.
    convenience init(_ numbers: [Float]) {
        self.init(count: numbers.count)
        start.update(from: numbers, count: numbers.count)
    }

    deinit { start.deallocate() }
}
