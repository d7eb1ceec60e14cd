import CLanes

/// Finds percentiles in each lane of a sliding window of rows, by counting.
///
/// Precise to steps of a quarter of a decibel between -150 and 42 dB; values within a step are
/// assumed to be evenly spread. The cost of a move does not depend on the window's length. Memory:
/// two bytes per number held, and 1.5 kB per lane.
struct SlidingPercentiles {
    /// Numbers per row; the first ones are the lanes.
    private let stride: Int
    private let lanes: Int
    /// The number of rows in the window.
    private(set) var total = 0
    /// For `lanes_slide`: each lane's place (the step of the last requested rank), the number of
    /// values below that, and a histogram by step.
    private var counts: [UInt16]
    /// The steps of the values held, row by row, from row `first` on.
    private var steps: [UInt16] = []
    private var first = 0
    /// Moves that the next `run` executes.
    private var moves: [LanesMove] = []

    private static let stepCount = 768
    private static let lowest: Float = -150
    private static let stepsPerDecibel: Float = 4

    /// For the first `lanes` lanes of rows of `stride` numbers.
    init(lanes: Int, stride: Int) {
        precondition(lanes <= stride && lanes <= BandRow.count, "a row has no more")
        (self.lanes, self.stride) = (lanes, stride)
        counts = Array(repeating: 0, count: lanes * (2 + SlidingPercentiles.stepCount))
    }

    /// The number of moves that the next `run` executes.
    var moveCount: Int { moves.count }

    /// The number of rows held so far, which is the number of the next row.
    var end: Int { first + steps.count / stride }

    /// Stores rows for later moves, numbered from `end` on; values outside the steps get the
    /// outermost step.
    mutating func hold(_ numbers: UnsafeBufferPointer<Float>) {
        precondition(numbers.count.isMultiple(of: stride), "rows are whole")
        let place = steps.count
        // Each row held comes with a move.
        moves.reserveCapacity(numbers.count / stride)
        steps.append(contentsOf: repeatElement(0, count: numbers.count))
        steps.withUnsafeMutableBufferPointer { steps in
            // Empty buffers have no address.
            guard let from = numbers.baseAddress, let to = steps.baseAddress else { return }
            lanes_find_steps(
                from, numbers.count, SlidingPercentiles.lowest, SlidingPercentiles.stepsPerDecibel,
                SlidingPercentiles.stepCount, to + place)
        }
    }

    /// Discards the rows before `row`, which have left the window or will never enter it.
    mutating func forget(before row: Int) {
        precondition(moves.isEmpty && row <= end, "no move waits for what is forgotten")
        if row <= first { return }
        steps.removeFirst((row - first) * stride)
        first = row
    }

    /// Queues a move: a row enters, another leaves, and the value below which `share` (0 to 1) of
    /// all values lie is requested in each lane; false if the window is empty.
    ///
    /// Executed by the next `run`.
    mutating func move(come: Int?, gone: Int?, share: Float?) -> Bool {
        precondition(isHeld(come) && isHeld(gone), "what moves is held")
        total += (come == nil ? 0 : 1) - (gone == nil ? 0 : 1)
        precondition(total >= 0 && (share ?? 0) <= 1, "what goes was there")
        precondition(total <= UInt16.max, "counts have sixteen bits")
        let rank = share.flatMap { total > 0 ? max(0, $0) * Float(total - 1) : nil }
        moves.append(
            LanesMove(
                come: Int32(come.map { $0 - first } ?? -1),
                gone: Int32(gone.map { $0 - first } ?? -1), rank: rank ?? -1))
        return rank != nil
    }

    private func isHeld(_ row: Int?) -> Bool { row.map { $0 >= first && $0 < end } != false }

    /// Executes all moves, and writes a row for each: the requested values, if any.
    mutating func run(_ found: UnsafeMutableBufferPointer<Float>) {
        precondition(found.count >= moves.count * stride, "there is room for all rows")
        guard let first = found.baseAddress else { return }
        lanes_slide(
            moves, moves.count, steps, stride, lanes, SlidingPercentiles.stepCount,
            SlidingPercentiles.lowest, 1 / SlidingPercentiles.stepsPerDecibel, &counts, first)
        moves.removeAll(keepingCapacity: true)
    }
}

// MARK: - One at a time

/// For windows that are only moved here: they contain the most recent rows held.
extension SlidingPercentiles {
    /// Adds a row to the window.
    mutating func insert(_ row: BandRow) {
        precondition(stride == BandRow.count, "a row has as many numbers")
        row.withUnsafeLanes { hold(UnsafeBufferPointer(start: $0, count: BandRow.count)) }
        _ = run(come: end - 1, gone: nil, share: nil)
    }

    /// Removes the oldest row from the window.
    mutating func removeFirst() {
        let gone = end - total
        _ = run(come: nil, gone: gone, share: nil)
        // Only occasionally, to amortise moving the rest.
        if gone - first >= 100 { forget(before: gone + 1) }
    }

    /// The value in each lane below which a share (0 to 1) of all lie; `nil` if empty.
    mutating func values(atShare share: Float) -> BandRow? {
        run(come: nil, gone: nil, share: share)
    }

    private mutating func run(come: Int?, gone: Int?, share: Float?) -> BandRow? {
        let isFound = move(come: come, gone: gone, share: share)
        var row = BandRow.zero
        row.withUnsafeMutableLanes {
            run(UnsafeMutableBufferPointer(start: $0, count: BandRow.count))
        }
        return isFound ? row : nil
    }
}
