/// A buffer of decoded samples that have not been read yet, as bytes.
struct HeldSamples {
    private var bytes: [UInt8] = []
    private var range = 0..<0

    var isEmpty: Bool { range.isEmpty }
    var count: Int { range.count }

    /// Appends `count` bytes, which `fill` writes to the pointer it is given; not called for 0.
    mutating func append(_ count: Int, _ fill: (UnsafeMutableRawPointer) -> Void) {
        guard count > 0 else { return }
        if isEmpty { range = 0..<0 }
        let place = range.upperBound
        if bytes.count < place + count {
            bytes += repeatElement(0, count: place + count - bytes.count)
        }
        bytes.withUnsafeMutableBytes { $0.baseAddress.map { fill($0 + place) } }
        range = range.lowerBound..<place + count
    }

    /// Discards all bytes.
    mutating func drop() { range = 0..<0 }

    /// Moves up to `count` bytes to `place`, which must have room; returns how many.
    mutating func take(_ count: Int, to place: UnsafeMutableRawPointer) -> Int {
        let taken = range.prefix(count)
        bytes.withUnsafeBytes {
            UnsafeMutableRawBufferPointer(start: place, count: taken.count)
                .copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[taken]))
        }
        range = taken.upperBound..<range.upperBound
        return taken.count
    }
}
