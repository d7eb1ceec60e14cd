/// What the layers of a network read and write for one chunk: rows of channels, a row a step.
final class NetworkRows {
    /// Inputs of all frames of the chunk, of two before it and of one behind it.
    let inputs: UnsafeMutableBufferPointer<Float>
    /// The first row of what the last layer gave.
    ///
    /// So many rows as the margin holds lie before it, and behind the last step, all zero.
    private(set) var state: UnsafeMutablePointer<Float>
    /// The first row of what the next layer gives, with the same margins.
    private(set) var next: UnsafeMutablePointer<Float>
    /// Four rows on their way through one layer.
    let between: UnsafeMutablePointer<Float>

    private let width: Int
    private let margin: Int
    private let memory: UnsafeMutableBufferPointer<Float>
    /// The first of every four steps.
    ///
    /// The last four may share some with those before, and come to the same.
    private(set) var fours: [Int] = []

    /// Room for so many steps, at least four.
    init(steps: Int, width: Int, margin: Int) {
        self.width = width
        self.margin = margin
        let inputCount = (2 * steps + 3) * SpeechInputs.count
        let rowCount = (steps + 2 * margin) * width
        memory = .allocate(capacity: inputCount + 2 * rowCount + 4 * width)
        memory.initialize(repeating: 0)
        inputs = UnsafeMutableBufferPointer(rebasing: memory[..<inputCount])
        // Never empty, so it has an address.
        guard let start = memory.baseAddress else { preconditionFailure("no memory") }
        state = start + inputCount + margin * width
        next = state + rowCount
        between = start + inputCount + 2 * rowCount
    }

    deinit { memory.deallocate() }

    /// Begins a chunk of so many steps, at least four, behind which there is nothing.
    func begin(steps: Int) {
        fours = Array(stride(from: 0, to: steps - 3, by: 4))
        if !steps.isMultiple(of: 4) { fours.append(steps - 4) }
        for rows in [state, next] {
            (rows + steps * width).update(repeating: 0, count: margin * width)
        }
    }

    /// What the last layer gave becomes what the next one reads.
    func swap() { (state, next) = (next, state) }
}
