import CLanes

/// The values of a frame's bands in a row of 24 lanes, which are processed together.
///
/// The bands come first, from the lowest up, then the power above them if the rate reaches that
/// far. The last two lanes are the voice bands together and the entire spectrum.
struct BandRow: Hashable, Sendable {
    private var low: SIMD8<Float>
    private var middle: SIMD8<Float>
    private var high: SIMD8<Float>

    static let count = 24
    static let voice = 22
    static let whole = 23

    /// A row of zeros; computed, since a stored static is checked for initialization on each use.
    static var zero: BandRow { BandRow(repeating: 0) }

    init(repeating value: Float) {
        low = SIMD8(repeating: value)
        middle = low
        high = low
    }

    /// Lane by lane.
    init(_ lanes: (Int) -> Float) {
        self.init(repeating: 0)
        for lane in 0..<8 {
            low[lane] = lanes(lane)
            middle[lane] = lanes(lane + 8)
            high[lane] = lanes(lane + 16)
        }
    }

    subscript(lane: Int) -> Float {
        get {
            switch lane >> 3 {
            case 0: low[lane & 7]
            case 1: middle[lane & 7]
            default: high[lane & 7]
            }
        }
        set {
            switch lane >> 3 {
            case 0: low[lane & 7] = newValue
            case 1: middle[lane & 7] = newValue
            default: high[lane & 7] = newValue
            }
        }
    }

    /// Passes `body` a pointer to the lanes.
    func withUnsafeLanes(_ body: (UnsafePointer<Float>) -> Void) {
        // A row consists of exactly three times eight numbers.
        withUnsafeBytes(of: self) { bytes in
            if let lanes = bytes.assumingMemoryBound(to: Float.self).baseAddress { body(lanes) }
        }
    }

    /// Passes `body` a mutable pointer to the lanes.
    mutating func withUnsafeMutableLanes(_ body: (UnsafeMutablePointer<Float>) -> Void) {
        withUnsafeMutableBytes(of: &self) { bytes in
            if let lanes = bytes.assumingMemoryBound(to: Float.self).baseAddress { body(lanes) }
        }
    }

    @inline(__always)
    private func merged(
        _ other: BandRow, _ body: (SIMD8<Float>, SIMD8<Float>) -> SIMD8<Float>
    ) -> BandRow {
        var result = self
        result.low = body(low, other.low)
        result.middle = body(middle, other.middle)
        result.high = body(high, other.high)
        return result
    }

    @inline(__always)
    static func + (left: BandRow, right: BandRow) -> BandRow { left.merged(right) { $0 + $1 } }
    @inline(__always)
    static func - (left: BandRow, right: BandRow) -> BandRow { left.merged(right) { $0 - $1 } }
    @inline(__always)
    static func * (factor: Float, row: BandRow) -> BandRow {
        row.merged(BandRow(repeating: factor)) { $1 * $0 }
    }

    /// The larger number in each lane.
    @inline(__always)
    func raised(to lowest: BandRow) -> BandRow {
        merged(lowest) { $0.replacing(with: $1, where: $0 .< $1) }
    }

    /// Appends the first `count` lanes as bytes: units above `lowest`, rounded to nearest.
    func appendBytes(
        count: Int, lowest: Float, unitsPerDecibel: Float, to bytes: inout [UInt8]
    ) {
        precondition(count <= BandRow.count, "there are no more")
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: count) { units in
            withUnsafeLanes {
                // Without lanes there is no address.
                guard let first = units.baseAddress else { return }
                lanes_narrow_rows($0, 1, count, lowest, unitsPerDecibel, first)
            }
            bytes.append(contentsOf: units)
        }
    }
}

// MARK: - Many rows

extension ArraySlice<BandRow> {
    /// Passes `body` a pointer to all lanes, row by row; not to be read if there are none.
    func withUnsafeLanes(_ body: (UnsafePointer<Float>) -> Void) {
        withUnsafeBytes { bytes in
            if let lanes = bytes.assumingMemoryBound(to: Float.self).baseAddress { body(lanes) }
        }
    }
}

extension [BandRow] {
    /// Passes `body` a pointer to all lanes, row by row; not to be read if there are none.
    func withUnsafeLanes(_ body: (UnsafePointer<Float>) -> Void) { self[...].withUnsafeLanes(body) }

    /// Passes `body` a mutable pointer to these lanes.
    mutating func withUnsafeMutableLanes(_ body: (UnsafeMutablePointer<Float>) -> Void) {
        withUnsafeMutableBytes { bytes in
            if let lanes = bytes.assumingMemoryBound(to: Float.self).baseAddress { body(lanes) }
        }
    }
}
