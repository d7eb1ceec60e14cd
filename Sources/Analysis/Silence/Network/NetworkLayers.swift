import CLanes

/// The quantized layers of the speech network, in the memory layout of their loops.
///
/// 16-bit products summed in 32 bits are several times as fast as floats, and exact on every
/// processor (Jacob et al., "Quantization and training of neural networks for efficient
/// integer-arithmetic-only inference", 2018). They change a few thousandths of the answers.
struct NetworkLayers {
    /// Blocks after the first layer.
    let blocks: Int
    /// The final layer's weights by output and channel, and its offsets.
    let back: [[Float]]
    let backOffsets: [Float]

    private let weights: AlignedNumbers<Int16>
    private let offsets: AlignedNumbers<Int32>
    /// The start of each layer's weights.
    private let places: [Int]

    static let outputs = 2
    /// The largest magnitude of an input.
    static let largestInput: Float = 6

    /// - Parameter floats: By layer: the weights, those of one input or tap adjacent, then the
    ///   offsets.
    init(blocks: Int, _ floats: [Float]) {
        var rest = floats[...]
        var layout = LayerLayout()
        let inputs = SpeechNetwork.frontFrames * SpeechInputs.count
        layout.add(
            rest.removeRows(inputs), offsets: rest.removeRow(),
            bits: (Int(LANES_INPUT_BITS), Int(LANES_FRONT_BITS), Int(LANES_ROW_BITS)),
            largest: Double(NetworkLayers.largestInput) * Double(1 << LANES_INPUT_BITS))
        for _ in 0..<blocks {
            layout.add(
                rest.removeRows(SpeechNetwork.taps), offsets: rest.removeRow(), together: 1,
                bits: (Int(LANES_ROW_BITS), Int(LANES_TAP_BITS), Int(LANES_MIX_BITS)))
            layout.add(
                rest.removeRows(SpeechNetwork.channels), offsets: rest.removeRow(),
                bits: (Int(LANES_MIX_BITS), Int(LANES_ACROSS_BITS), Int(LANES_ROW_BITS)))
        }
        let unit = 1 / Float(1 << LANES_ROW_BITS)
        back = rest.removeRows(NetworkLayers.outputs).map { row in row.map { $0 * unit } }
        backOffsets = Array(rest)
        precondition(rest.count == NetworkLayers.outputs, "each weight has its place")
        self.blocks = blocks
        weights = AlignedNumbers(layout.weights)
        offsets = AlignedNumbers(layout.offsets)
        places = layout.places
    }

    /// The first layer, which reads four frames at once.
    var front: LanesLayer { layer(0) }
    /// A block's convolution over time.
    func along(_ block: Int) -> LanesLayer { layer(1 + 2 * block) }
    /// A block's mix of the channels.
    func across(_ block: Int) -> LanesLayer { layer(2 + 2 * block) }

    /// Valid while this object lives.
    private func layer(_ number: Int) -> LanesLayer {
        LanesLayer(
            weights: weights.start + places[number],
            offsets: offsets.start + number * SpeechNetwork.channels)
    }
}

/// Arranges weights and offsets in the order in which they are read.
private struct LayerLayout {
    var weights: [Int16] = []
    var offsets: [Int32] = []
    var places: [Int] = []

    /// The fractional bits of inputs, weights and outputs.
    typealias Bits = (inputs: Int, weights: Int, outputs: Int)

    /// Arranges rows of weights, one row per input.
    ///
    /// - Parameters:
    ///   - together: The number of inputs whose weights for a channel are adjacent.
    ///   - largest: The largest magnitude of an input.
    mutating func add(
        _ rows: [ArraySlice<Float>], offsets own: ArraySlice<Float>, together: Int = 2,
        bits: Bits, largest: Double = 32_768
    ) {
        precondition(rows.count.isMultiple(of: together), "inputs are summed together")
        places.append(weights.count)
        var sums = [Double](repeating: 0, count: SpeechNetwork.channels)
        for first in stride(from: 0, to: rows.count, by: together) {
            for channel in 0..<SpeechNetwork.channels {
                for row in rows[first..<first + together] {
                    let weight = Double(row[row.startIndex + channel]) * Double(1 << bits.weights)
                    // Traps if a weight does not fit its bits.
                    weights.append(Int16(weight.rounded()))
                    sums[channel] += abs(weight.rounded()) * largest
                }
            }
        }
        let lost = bits.inputs + bits.weights - bits.outputs
        for (offset, sum) in zip(own, sums) {
            let scaled = Double(offset) * Double(1 << (bits.inputs + bits.weights))
            let all = scaled.rounded() + Double(1 << (lost - 1))
            precondition(sum + abs(all) < Double(Int32.max), "no sum is too large")
            offsets.append(Int32(all))
        }
    }
}

extension ArraySlice<Float> {
    /// Removes and returns the next row, one number per channel.
    fileprivate mutating func removeRow() -> ArraySlice<Float> {
        defer { self = dropFirst(SpeechNetwork.channels) }
        return prefix(SpeechNetwork.channels)
    }

    fileprivate mutating func removeRows(_ count: Int) -> [ArraySlice<Float>] {
        (0..<count).map { _ in removeRow() }
    }
}
