/// Decoded samples that nobody has asked for yet, as bytes.
struct HeldSamples {
    private var bytes: [UInt8] = []
    private var range = 0..<0

    /// Holds so many bytes instead of what was held, written by `fill` where there is room for
    /// them; none need not be written.
    mutating func hold(_ count: Int, _ fill: (UnsafeMutableRawPointer) -> Void) {
        range = 0..<count
        if bytes.count < count { bytes = Array(repeating: 0, count: count) }
        bytes.withUnsafeMutableBytes {
            if count > 0, let start = $0.baseAddress { fill(start) }
        }
    }

    var isEmpty: Bool { range.isEmpty }

    /// Holds nothing any more.
    mutating func drop() { range = 0..<0 }

    /// Writes up to `count` bytes to where there is room for them; how many.
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
