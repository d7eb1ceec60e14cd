import CLanes

/// The values in a sliding window, up to a row of them, counted, so that any rank in each lane can
/// be read off.
///
/// To the nearest steps of a quarter of a decibel between -150 and 42 dB; within a step, values are
/// taken to lie evenly. Each change costs the same, however many values there are, of which there
/// may be 65,535.
struct SlidingPercentiles {
    /// The step that each lane's value lies in.
    typealias Steps = SIMD32<UInt16>

    private let lanes: Int
    /// How many values there are, the same in all lanes.
    private var total = 0
    /// How many values lie in each step, one lane's behind the other's; behind them for each lane
    /// the step that the last rank that was asked for lay in, then how many values lie before that.
    private var counts: [UInt16]

    private static let stepCount = 768
    private static let lowest: Float = -150
    private static let stepsPerDecibel: Float = 4

    init(lanes: Int) {
        precondition(lanes <= BandRow.count, "a row has no more")
        self.lanes = lanes
        counts = Array(repeating: 0, count: lanes * (SlidingPercentiles.stepCount + 2))
    }

    /// Where the values of a row lie; those beyond the steps, in the outermost.
    static func steps(of row: BandRow) -> Steps {
        row.mapEights { ($0 - lowest) * stepsPerDecibel - 0.5 }
            .nearest(upTo: UInt16(stepCount - 1))
    }

    mutating func insert(_ steps: Steps) { count(steps, 1) }

    /// Removes what was inserted before.
    mutating func remove(_ steps: Steps) { count(steps, -1) }

    private mutating func count(_ steps: Steps, _ change: Int32) {
        withUnsafeBytes(of: steps) { bytes in
            guard let steps = bytes.assumingMemoryBound(to: UInt16.self).baseAddress else { return }
            count(steps, change)
        }
    }

    /// There is a step for each lane, below `stepCount`, as `steps(of:)` and `step(of:)` give it.
    private mutating func count(_ steps: UnsafePointer<UInt16>, _ change: Int32) {
        total += Int(change)
        precondition((0...65_535).contains(total), "counts have sixteen bits")
        lanes_count(steps, lanes, change, SlidingPercentiles.stepCount, &counts)
    }

    /// The value in each lane below which a share of all lies, from 0 to 1; `nil` of nothing.
    mutating func values(atShare share: Float) -> BandRow? {
        guard total > 0 else { return nil }
        var row = BandRow(repeating: 0)
        // A row has all lanes.
        row.withUnsafeMutableLanes { find(share, $0) }
        return row.mapEights {
            $0 / SlidingPercentiles.stepsPerDecibel + SlidingPercentiles.lowest
        }
    }

    /// There is something, so the rank is below its number.
    private mutating func find(_ share: Float, _ found: UnsafeMutablePointer<Float>) {
        precondition((0...1).contains(share), "no rank lies beyond the outermost values")
        let rank = share * Float(total - 1)
        lanes_find_rank(rank, lanes, SlidingPercentiles.stepCount, &counts, found)
    }
}

// MARK: - One lane

extension SlidingPercentiles {
    /// Where a value lies.
    static func step(of value: Float) -> UInt16 {
        let place = Decibels.rounded((value - lowest) * stepsPerDecibel - 0.5)
        return UInt16(max(0, min(Float(stepCount - 1), place)))
    }

    mutating func insert(_ step: UInt16) { count(step, 1) }

    /// Removes what was inserted before.
    mutating func remove(_ step: UInt16) { count(step, -1) }

    private mutating func count(_ step: UInt16, _ change: Int32) {
        precondition(lanes == 1, "there is a step for each lane")
        withUnsafePointer(to: step) { count($0, change) }
    }

    /// The value below which a share of all lies, from 0 to 1; `nil` of nothing.
    mutating func value(atShare share: Float) -> Float? {
        precondition(lanes == 1, "there is room for the value of each lane")
        guard total > 0 else { return nil }
        var steps: Float = 0
        withUnsafeMutablePointer(to: &steps) { find(share, $0) }
        return steps / SlidingPercentiles.stepsPerDecibel + SlidingPercentiles.lowest
    }
}
