import CLanes

/// The values in a sliding window, up to a row of them, counted, so that any rank in each lane can
/// be read off.
///
/// To the nearest steps of a quarter of a decibel between -150 and 42 dB; within a step, values are
/// taken to lie evenly. Each change costs the same, however many values there are. Memory, from the
/// beginning: two bytes for each value that there is room for, and 1.5 kB a lane.
struct SlidingPercentiles {
    private let lanes: Int
    /// How many values a lane may have.
    private let capacity: Int
    /// How many it has, the same in all lanes.
    private var total = 0
    /// How many values lie in each step, one lane's behind the other's; behind them for each lane
    /// the step that the last rank that was asked for lay in, then how many values lie before that.
    private var counts: [UInt16]
    /// The steps that the values lie in, row by row, those of the oldest at `oldest`, round and
    /// round.
    private var steps: [UInt16]
    private var oldest = 0

    private static let stepCount = 768
    private static let lowest: Float = -150
    private static let stepsPerDecibel: Float = 4

    init(lanes: Int, capacity: Int) {
        precondition(lanes <= BandRow.count, "a row has no more")
        precondition((1...65_535).contains(capacity), "counts have sixteen bits")
        (self.lanes, self.capacity) = (lanes, capacity)
        counts = Array(repeating: 0, count: lanes * (SlidingPercentiles.stepCount + 2))
        steps = Array(repeating: 0, count: lanes * capacity)
    }

    /// Takes in a value for each lane; those beyond the steps lie in the outermost.
    mutating func insert(_ row: BandRow) { row.withUnsafeLanes { insert($0) } }

    /// The same where there is but one lane.
    mutating func insert(_ value: Float) {
        precondition(lanes == 1, "there is a value for each lane")
        withUnsafePointer(to: value) { insert($0) }
    }

    /// There is a value for each lane: a row has all that may be asked for, and else there is one.
    private mutating func insert(_ values: UnsafePointer<Float>) {
        precondition(total < capacity, "there is room for one more")
        let place = oldest + total < capacity ? oldest + total : oldest + total - capacity
        total += 1
        steps.withUnsafeMutableBufferPointer { steps in
            // Of nothing there is nothing to count.
            guard let first = steps.baseAddress else { return }
            // The place is below the capacity, so the row ends where the steps do or before.
            let own = first + place * lanes
            lanes_find_steps(
                values, lanes, SlidingPercentiles.lowest, SlidingPercentiles.stepsPerDecibel,
                SlidingPercentiles.stepCount, own)
            lanes_count(own, lanes, 1, SlidingPercentiles.stepCount, &counts)
        }
    }

    /// Forgets the value of each lane that came first of those that are there.
    mutating func removeFirst() {
        precondition(total > 0, "there is one to forget")
        steps.withUnsafeBufferPointer { steps in
            // The oldest is below the capacity too.
            guard let first = steps.baseAddress else { return }
            lanes_count(
                first + oldest * lanes, lanes, -1, SlidingPercentiles.stepCount, &counts)
        }
        total -= 1
        oldest = oldest + 1 < capacity ? oldest + 1 : 0
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

    /// The same where there is but one lane.
    mutating func value(atShare share: Float) -> Float? {
        precondition(lanes == 1, "there is room for the value of each lane")
        guard total > 0 else { return nil }
        var steps: Float = 0
        withUnsafeMutablePointer(to: &steps) { find(share, $0) }
        return steps / SlidingPercentiles.stepsPerDecibel + SlidingPercentiles.lowest
    }

    /// There is something, so the rank is below its number.
    private mutating func find(_ share: Float, _ found: UnsafeMutablePointer<Float>) {
        precondition((0...1).contains(share), "no rank lies beyond the outermost values")
        let rank = share * Float(total - 1)
        lanes_find_rank(rank, lanes, SlidingPercentiles.stepCount, &counts, found)
    }
}
