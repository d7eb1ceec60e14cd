import CLanes

/// What the layers of a network read and write for one chunk: rows of channels, a row a step.
final class NetworkRows {
    /// Lanes of a row.
    static let lanes = Int(LANES_ROW)

    /// Inputs of all frames of the chunk, two before it and one behind it; unwritten at first.
    let inputs: UnsafeMutableBufferPointer<Int16>
    /// The first row of what the last layer gave.
    ///
    /// So many rows as the margin holds lie before it, and behind the last step, all zero.
    private(set) var state: UnsafeMutablePointer<Int16>
    /// The first row of what the next layer gives, with the same margins.
    private var next: UnsafeMutablePointer<Int16>

    private let margin: Int
    private let memory: AlignedNumbers<Int16>
    private var steps = 0

    /// Room for so many steps, at least four.
    init(steps: Int, margin: Int) {
        let lanes = NetworkRows.lanes
        self.margin = margin
        let inputCount = (2 * steps + 3) * SpeechInputs.count
        let rowCount = (steps + 2 * margin) * lanes
        // Rows first: a line of the cache each, they stay in line with where memory begins.
        memory = AlignedNumbers(count: 2 * rowCount + inputCount)
        inputs = UnsafeMutableBufferPointer(start: memory.start + 2 * rowCount, count: inputCount)
        state = memory.start + margin * lanes
        next = state + rowCount
        for rows in [state, next] {
            (rows - margin * lanes).initialize(repeating: 0, count: margin * lanes)
        }
    }

    /// Begins a chunk of so many steps, at least four, behind which there is nothing.
    func begin(steps: Int) {
        self.steps = steps
        let lanes = NetworkRows.lanes
        for rows in [state, next] {
            (rows + steps * lanes).update(repeating: 0, count: margin * lanes)
        }
    }

    /// Takes all steps through a layer, a multiple of four at a time: `layer` is told which, and
    /// where they lie in what the last one gave and in what it gives itself.
    func pass(
        _ layer: (Range<Int>, UnsafePointer<Int16>, UnsafeMutablePointer<Int16>) -> Void
    ) {
        let fours = 0..<steps / 4 * 4
        // The last four may share some with those before, and come to the same.
        for own in fours.count < steps ? [fours, steps - 4..<steps] : [fours] {
            let place = own.lowerBound * NetworkRows.lanes
            layer(own, state + place, next + place)
        }
        (state, next) = (next, state)
    }
}
