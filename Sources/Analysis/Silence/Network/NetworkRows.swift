/// The input and output buffers of a network's layers for one chunk: a row of channels per step.
final class NetworkRows {
    /// The inputs of the chunk's frames, two before and one after it; uninitialized at first.
    let inputs: UnsafeMutableBufferPointer<Int16>
    /// The first row of the last layer's output.
    ///
    /// Margin rows before it and after the last step are all zero.
    private(set) var state: UnsafeMutablePointer<Int16>
    /// The first row of the next layer's output, with the same margins.
    private var next: UnsafeMutablePointer<Int16>

    private let margin: Int
    private let memory: AlignedNumbers<Int16>
    private var steps = 0

    /// Allocates `steps` steps.
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

    /// Starts a chunk of `steps` steps, with nothing after them.
    func begin(steps: Int) {
        self.steps = steps
        let channels = SpeechNetwork.channels
        for rows in [state, next] {
            (rows + steps * channels).update(repeating: 0, count: margin * channels)
        }
    }

    /// Runs a layer over all steps; `layer` receives their number, the last layer's output, and the
    /// buffer for its own.
    func pass(
        _ layer: (Int, UnsafePointer<Int16>, UnsafeMutablePointer<Int16>) -> Void
    ) {
        layer(steps, state, next)
        (state, next) = (next, state)
    }
}
