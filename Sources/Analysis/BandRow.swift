/// A number for each band of a frame, in rows of 24 lanes, so that all bands are worked on at once.
///
/// The bands come first, from the lowest up, behind them what lies above them where the rate
/// reaches so far; the voice bands together and the whole spectrum have the last two lanes.
struct BandRow: Hashable, Sendable {
    private var low: SIMD8<Float>
    private var middle: SIMD8<Float>
    private var high: SIMD8<Float>

    static let count = 24
    static let voice = 22
    static let whole = 23

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

    /// Lends the lanes, one behind the other.
    func withUnsafeLanes(_ body: (UnsafePointer<Float>) -> Void) {
        // A row is three times eight numbers and nothing else.
        withUnsafeBytes(of: self) { bytes in
            if let lanes = bytes.assumingMemoryBound(to: Float.self).baseAddress { body(lanes) }
        }
    }

    /// The same, to be written.
    mutating func withUnsafeMutableLanes(_ body: (UnsafeMutablePointer<Float>) -> Void) {
        withUnsafeMutableBytes(of: &self) { bytes in
            if let lanes = bytes.assumingMemoryBound(to: Float.self).baseAddress { body(lanes) }
        }
    }

    /// The sum of all lanes, in the same order always.
    func sum() -> Float { (low + middle + high).sum() }

    @inline(__always)
    func mapEights(_ body: (SIMD8<Float>) -> SIMD8<Float>) -> BandRow {
        var result = self
        result.low = body(low)
        result.middle = body(middle)
        result.high = body(high)
        return result
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
    static func * (left: BandRow, right: BandRow) -> BandRow { left.merged(right) { $0 * $1 } }
    @inline(__always)
    static func * (factor: Float, row: BandRow) -> BandRow { row.mapEights { factor * $0 } }

    /// The larger of each two.
    @inline(__always)
    func raised(to lowest: BandRow) -> BandRow {
        merged(lowest) { $0.replacing(with: $1, where: $0 .< $1) }
    }

    /// What is no number is at the lowest.
    @inline(__always)
    func clamped(_ lowest: Float, _ highest: Float) -> BandRow {
        mapEights {
            $0.replacing(with: lowest, where: .!($0 .>= lowest))
                .replacing(with: highest, where: $0 .> highest)
        }
    }

    /// The nearest whole numbers from 0 to `most`, and zeros behind them.
    @inline(__always)
    func nearest(upTo most: UInt8) -> SIMD32<UInt8> {
        func rounded(_ eight: SIMD8<Float>) -> SIMD8<UInt8> {
            SIMD8(truncatingIfNeeded: Decibels.nearest(eight))
        }
        let row = clamped(0, Float(most))
        return SIMD32(
            lowHalf: SIMD16(lowHalf: rounded(row.low), highHalf: rounded(row.middle)),
            highHalf: SIMD16(lowHalf: rounded(row.high), highHalf: .zero))
    }

    /// The same from 0 to 255, of the lanes up to `count`.
    func appendBytes(count: Int, to bytes: inout [UInt8]) {
        withUnsafeBytes(of: nearest(upTo: UInt8.max)) { bytes.append(contentsOf: $0.prefix(count)) }
    }
}
