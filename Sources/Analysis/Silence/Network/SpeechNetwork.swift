import CLanes

/// A small convolutional network that says of every 10 ms how likely it is speech.
///
/// A convolution four frames wide brings the inputs to steps of 20 ms; then come blocks of
/// depthwise convolutions five wide, whose taps lie 1, 2, 4, … steps apart, each followed by a mix
/// of the channels and added to what went in. That is the network of Bai, Kolter and Koltun ("An
/// empirical evaluation of generic convolutional and recurrent networks for sequence modeling",
/// 2018), looking both ways, with the separable convolutions of Howard et al. ("MobileNets",
/// 2017). With six blocks it hears 2.5 s back and ahead. It reckons in whole numbers (see
/// `NetworkLayers`).
struct SpeechNetwork: @unchecked Sendable {
    // Unchecked, because the weights lie behind a pointer: they are never changed once made, and
    // live as long as the network.

    private let layers: NetworkLayers

    /// Frames that a step of the first layer sees.
    static let frontFrames = 4
    static let taps = Int(LANES_TAPS)
    /// Channels between the layers.
    static let channels = Int(LANES_CHANNELS)

    /// The network that comes with the package.
    static let shipped = SpeechNetwork(
        blocks: NetworkWeights.blocks, weights: NetworkWeights.decoded())

    /// - Parameter weights: Layer by layer, those of one input side by side, and then the offsets.
    init(blocks: Int, weights: [Float]) {
        precondition((1...8).contains(blocks), "no block sees a chunk too far")
        layers = NetworkLayers(blocks: blocks, weights)
    }

    /// The taps of the last one lie `1 << (blocks - 1)` steps apart.
    var blocks: Int { layers.blocks }

    /// Steps on either side that an answer depends on.
    private var reach: Int { SpeechNetwork.taps / 2 * ((1 << blocks) - 1) }

    /// Where the steps of two frames begin.
    enum Phase {
        /// With the first frame.
        case even
        /// One before it, as if there were a frame more.
        case odd
        /// The mean of both: so a recording that begins a frame later is heard no differently.
        case both
    }

    /// Hands the logits of so many frames to `body`, in order: a frame, and the natural logarithm
    /// of how much more speech would cost to lose there than silence to keep.
    ///
    /// `fill` writes the inputs of a range of frames, none over `NetworkLayers.largestInput`, and
    /// zeros for those that are not there. Memory is that of a chunk, on whose length the answers
    /// do not depend.
    func run(
        frames: Int, phase: Phase = .both, chunkSteps: Int = 2048,
        fill: (Range<Int>, UnsafeMutableBufferPointer<Int16>) -> Void,
        body: (Int, Float) -> Void
    ) {
        precondition(chunkSteps > 0, "a chunk has steps")
        for first in stride(from: 0, to: frames, by: 2 * chunkSteps) {
            let chunk = first..<min(frames, first + 2 * chunkSteps)
            let logits = logits(chunk, of: frames, phase, chunkSteps, fill)
            for (frame, logit) in zip(chunk, logits) { body(frame, logit) }
        }
    }

    /// The logits of a chunk of so many frames.
    private func logits(
        _ own: Range<Int>, of frames: Int, _ phase: Phase, _ chunkSteps: Int,
        _ fill: (Range<Int>, UnsafeMutableBufferPointer<Int16>) -> Void
    ) -> [Float] {
        // A step more than the frames take, of which the odd phase has half at either end.
        let total = frames / 2 + 1
        let rows = NetworkRows(
            steps: min(total, chunkSteps + 1 + 2 * reach),
            margin: (SpeechNetwork.taps / 2) << (blocks - 1))
        // Beyond the last look at where they begin.
        defer { withExtendedLifetime((layers, rows)) {} }
        let last = min(total, (own.upperBound + 1) / 2 + 1 + reach)
        let steps = max(0, own.lowerBound / 2 - reach)..<last
        fill(2 * steps.lowerBound - 2..<2 * steps.upperBound + 1, rows.inputs)
        var logits = [Float](repeating: 0, count: own.count)
        if phase != .odd { add(0, own, steps, frames, rows, to: &logits) }
        if phase != .even { add(1, own, steps, frames, rows, to: &logits) }
        if phase == .both { for place in logits.indices { logits[place] *= 0.5 } }
        return logits
    }

    /// Adds the logits of a chunk's own frames, its steps beginning so many frames early.
    private func add(
        _ early: Int, _ own: Range<Int>, _ steps: Range<Int>, _ frames: Int, _ rows: NetworkRows,
        to logits: inout [Float]
    ) {
        // Steps behind the last frame are as little there as those before the first.
        let last = min(steps.upperBound, (frames + early + 1) / 2)
        rows.begin(steps: last - steps.lowerBound)
        front(rows, skipping: 1 - early)
        for block in 0..<blocks { separable(block, rows) }
        for frame in own {
            let (step, half) = (frame + early).quotientAndRemainder(dividingBy: 2)
            logits[frame - own.lowerBound] += back(half, step - steps.lowerBound, rows)
        }
    }
}

// MARK: - Layers

// Pointers without bounds, since checks would cost more than the sums: every row that is read lies
// in `NetworkRows`, which has room for all steps of a chunk and a margin of as many on either side
// as the farthest tap reaches; that there is a weight for each, `NetworkLayers` has checked.
extension SpeechNetwork {
    /// Four frames in, one step out; the first step begins with this frame of the inputs.
    private func front(_ rows: NetworkRows, skipping frames: Int) {
        let (count, stride) = (SpeechInputs.count, 2 * SpeechInputs.count)
        guard let first = rows.inputs.baseAddress else { return }
        let inputs = UnsafePointer(first + frames * count)
        var layer = layers.front
        rows.pass { steps, _, next in
            lanes_dense_rows(
                inputs, stride, SpeechNetwork.frontFrames * count, &layer, steps, next)
        }
    }

    /// One block: along time for each channel by itself, then across the channels.
    private func separable(_ block: Int, _ rows: NetworkRows) {
        var (along, across) = (layers.along(block), layers.across(block))
        rows.pass { steps, state, next in
            lanes_separable_rows(state, 1 << block, &along, &across, steps, next)
        }
    }

    /// One logit of a step.
    private func back(_ output: Int, _ step: Int, _ rows: NetworkRows) -> Float {
        lanes_row_dot(rows.state + step * SpeechNetwork.channels, layers.back[output])
            + layers.backOffsets[output]
    }
}
