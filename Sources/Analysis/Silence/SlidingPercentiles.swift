import CLanes

/// The rows in a sliding window, counted, so that any rank in each lane can be read off.
///
/// To the nearest steps of a quarter of a decibel between -150 and 42 dB; within a step, values are
/// taken to lie evenly. Each move costs the same, however many rows there are in the window.
/// Memory: two bytes for each number that is held, and 1.5 kB a lane.
struct SlidingPercentiles {
    /// Numbers of a row, of which the first ones are lanes.
    private let stride: Int
    private let lanes: Int
    /// How many rows there are in the window.
    private(set) var total = 0
    /// As `lanes_slide` says: a place in each lane, which is the step that the last rank that was
    /// asked for lay in, how many values lie before that, and how many values lie in each step.
    private var counts: [UInt16]
    /// The steps that the values of rows lie in, row by row, from the row `first` on.
    private var steps: [UInt16] = []
    private var first = 0
    /// Those that are carried out together.
    private var moves: [LanesMove] = []

    private static let stepCount = 768
    private static let lowest: Float = -150
    private static let stepsPerDecibel: Float = 4

    /// Of the first lanes of rows of so many numbers.
    init(lanes: Int, stride: Int) {
        precondition(lanes <= stride && lanes <= BandRow.count, "a row has no more")
        (self.lanes, self.stride) = (lanes, stride)
        counts = Array(repeating: 0, count: lanes * (2 + SlidingPercentiles.stepCount))
    }

    /// Moves that the next `run` carries out.
    var moveCount: Int { moves.count }

    /// How many rows have been held so far; the number of the next.
    var end: Int { first + steps.count / stride }

    /// Holds rows that are to come into the window, which are numbered from `end` on; values beyond
    /// the steps lie in the outermost.
    mutating func hold(_ numbers: UnsafeBufferPointer<Float>) {
        precondition(numbers.count.isMultiple(of: stride), "rows are whole")
        let place = steps.count
        // Each that is held comes with a move.
        moves.reserveCapacity(numbers.count / stride)
        steps.append(contentsOf: repeatElement(0, count: numbers.count))
        steps.withUnsafeMutableBufferPointer { steps in
            // Of nothing there is nothing to hold.
            guard let from = numbers.baseAddress, let to = steps.baseAddress else { return }
            lanes_find_steps(
                from, numbers.count, SlidingPercentiles.lowest, SlidingPercentiles.stepsPerDecibel,
                SlidingPercentiles.stepCount, to + place)
        }
    }

    /// Forgets the rows before one, which have left the window or never come into it.
    mutating func forget(before row: Int) {
        precondition(moves.isEmpty && row <= end, "no move waits for what is forgotten")
        if row <= first { return }
        steps.removeFirst((row - first) * stride)
        first = row
    }

    /// Has a row come into the window and another one go, which lies in it, and asks for the value
    /// in each lane below which a share of all lies, from 0 to 1; whether there is any.
    ///
    /// Carried out with the next `run`.
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

    /// Carries out all moves, and writes a row for each: what was asked for, where there is any.
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

/// For windows that nothing else moves: the rows in them are the last ones that are held.
extension SlidingPercentiles {
    /// Takes in a row.
    mutating func insert(_ row: BandRow) {
        precondition(stride == BandRow.count, "a row has as many numbers")
        row.withUnsafeLanes { hold(UnsafeBufferPointer(start: $0, count: BandRow.count)) }
        _ = run(come: end - 1, gone: nil, share: nil)
    }

    /// Forgets the row that came first of those that are there.
    mutating func removeFirst() {
        let gone = end - total
        _ = run(come: nil, gone: gone, share: nil)
        // Now and then, so that moving the rest costs little.
        if gone - first >= 100 { forget(before: gone + 1) }
    }

    /// The value in each lane below which a share of all lies, from 0 to 1; `nil` of nothing.
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
