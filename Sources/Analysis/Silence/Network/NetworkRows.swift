/// What the layers of a network read and write for one chunk: rows of channels, a row a step.
final class NetworkRows {
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

    /// Room for so many steps.
    init(steps: Int, margin: Int) {
        let channels = SpeechNetwork.channels
        self.margin = margin
        let inputCount = (2 * steps + 3) * SpeechInputs.count
        let rowCount = (steps + 2 * margin) * channels
        memory = AlignedNumbers(count: 2 * rowCount + inputCount)
        inputs = UnsafeMutableBufferPointer(start: memory.start + 2 * rowCount, count: inputCount)
        state = memory.start + margin * channels
        next = state + rowCount
        for rows in [state, next] {
            (rows - margin * channels).initialize(repeating: 0, count: margin * channels)
        }
    }

    /// Begins a chunk of so many steps, behind which there is nothing.
    func begin(steps: Int) {
        self.steps = steps
        let channels = SpeechNetwork.channels
        for rows in [state, next] {
            (rows + steps * channels).update(repeating: 0, count: margin * channels)
        }
    }

    /// Takes all steps through a layer: `layer` is told how many, and where they lie in what the
    /// last one gave and in what it gives itself.
    func pass(
        _ layer: (Int, UnsafePointer<Int16>, UnsafeMutablePointer<Int16>) -> Void
    ) {
        layer(steps, state, next)
        (state, next) = (next, state)
    }
}
