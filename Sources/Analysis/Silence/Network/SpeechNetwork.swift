import CLanes

/// A small convolutional network that estimates the probability of speech every 10 ms.
///
/// A convolution four frames wide reduces the inputs to steps of 20 ms. Residual blocks follow:
/// each is a depthwise convolution of five taps with dilation 1, 2, 4, …, then a mix of the
/// channels. This is the temporal network of Bai, Kolter and Koltun ("An empirical evaluation of
/// generic convolutional and recurrent networks for sequence modeling", 2018), made non-causal,
/// with the separable convolutions of Howard et al. ("MobileNets", 2017). Seven blocks see 5 s back
/// and ahead. Arithmetic is in integers (see `NetworkLayers`).
struct SpeechNetwork: @unchecked Sendable {
    // Unchecked because the weights are behind a pointer: they are immutable, and live as long as
    // the network.

    private let layers: NetworkLayers

    /// Input frames of one step of the first layer.
    static let frontFrames = 4
    static let taps = Int(LANES_TAPS)
    /// Channels between layers.
    static let channels = Int(LANES_NETWORK_CHANNELS)

    /// The network shipped with the package.
    static let shipped = SpeechNetwork(
        blocks: NetworkWeights.blocks, weights: NetworkWeights.decoded())

    /// - Parameter weights: By layer: the weights, those of one input adjacent, then the offsets.
    init(blocks: Int, weights: [Float]) {
        precondition((1...8).contains(blocks), "no block sees a chunk too far")
        layers = NetworkLayers(blocks: blocks, weights)
    }

    /// The number of blocks; the last one's dilation is `1 << (blocks - 1)` steps.
    var blocks: Int { layers.blocks }

    /// The receptive field: steps on either side that affect an output.
    private var reach: Int { SpeechNetwork.taps / 2 * ((1 << blocks) - 1) }

    /// The alignment of the two-frame steps.
    enum Phase {
        /// Steps start at the first frame.
        case even
        /// Steps start one frame before the first.
        case odd
        /// The mean of both, so that a recording that starts one frame later gives the same result.
        case both
    }

    /// Calls `body` with each frame and its logit, in order: the log odds that the frame is speech,
    /// with the loss of speech weighted more than retained silence.
    ///
    /// `fill` writes the inputs of a range of frames, with magnitudes up to
    /// `NetworkLayers.largestInput`, and zeros for missing frames. Memory is that of one chunk,
    /// whose length does not affect the results.
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

    /// The logits of one chunk of frames.
    private func logits(
        _ own: Range<Int>, of frames: Int, _ phase: Phase, _ chunkSteps: Int,
        _ fill: (Range<Int>, UnsafeMutableBufferPointer<Int16>) -> Void
    ) -> [Float] {
        // One extra step, because the odd phase has half a step at either end.
        let total = frames / 2 + 1
        let rows = NetworkRows(
            steps: min(total, chunkSteps + 1 + 2 * reach),
            margin: (SpeechNetwork.taps / 2) << (blocks - 1))
        // Both must live until their pointers were last used.
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

    /// Adds the logits of a chunk's own frames; its steps start `early` frames early.
    private func add(
        _ early: Int, _ own: Range<Int>, _ steps: Range<Int>, _ frames: Int, _ rows: NetworkRows,
        to logits: inout [Float]
    ) {
        // Steps after the last frame are padding, like those before the first.
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

// Unchecked pointers, since bounds checks would cost more than the sums. All rows lie in
// `NetworkRows`, which has room for a chunk and a margin on both sides as wide as the farthest tap.
// `NetworkLayers` has checked the number of weights.
extension SpeechNetwork {
    /// Reduces four frames to one step; the first step starts at this frame of the inputs.
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

    /// One block: a depthwise convolution over time, then a mix of the channels.
    private func separable(_ block: Int, _ rows: NetworkRows) {
        var (along, across) = (layers.along(block), layers.across(block))
        rows.pass { steps, state, next in
            lanes_separable_rows(state, 1 << block, &along, &across, steps, next)
        }
    }

    /// One of the two logits of a step.
    private func back(_ output: Int, _ step: Int, _ rows: NetworkRows) -> Float {
        lanes_row_dot(rows.state + step * SpeechNetwork.channels, layers.back[output])
            + layers.backOffsets[output]
    }
}
