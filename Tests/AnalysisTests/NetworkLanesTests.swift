import CLanes
import PlainLanes
import TestSupport
import Testing

/// The loops of the speech network come to what the long way comes to in whole numbers.
@Suite struct NetworkLanesTests {
    typealias Dense = (
        UnsafePointer<Int16>, Int, Int, UnsafePointer<LanesLayer>, Int, UnsafeMutablePointer<Int16>
    ) -> Void
    typealias Separable = (
        UnsafePointer<Int16>, Int, UnsafePointer<LanesLayer>, UnsafePointer<LanesLayer>, Int,
        UnsafeMutablePointer<Int16>
    ) -> Void

    private static let channels = Int(LANES_NETWORK_CHANNELS)
    private static let taps = Int(LANES_TAPS)
    /// Bits that are lost after each layer.
    private static let denseShift = LANES_INPUT_BITS + LANES_FRONT_BITS - LANES_ROW_BITS
    private static let alongShift = LANES_ROW_BITS + LANES_TAP_BITS - LANES_MIX_BITS
    private static let acrossShift = LANES_MIX_BITS + LANES_ACROSS_BITS - LANES_ROW_BITS

    private func numbers(_ count: Int, _ range: ClosedRange<Int16>, seed: UInt64) -> [Int16] {
        var random = SeededGenerator(seed: seed)
        return (0..<count).map { _ in Int16.random(in: range, using: &random) }
    }

    private func offsets(seed: UInt64) -> [Int32] {
        var random = SeededGenerator(seed: seed)
        return (0..<Self.channels).map { _ in
            Int32.random(in: -20_000_000...20_000_000, using: &random)
        }
    }

    private func with<Result>(
        _ weights: [Int16], _ offsets: [Int32], _ body: (inout LanesLayer) -> Result
    ) -> Result {
        // Pointers to what the call itself keeps.
        func layer(_ weights: UnsafePointer<Int16>, _ offsets: UnsafePointer<Int32>) -> Result {
            var layer = LanesLayer(weights: weights, offsets: offsets)
            return body(&layer)
        }
        return layer(weights, offsets)
    }

    private func clamped(_ sum: Int) -> Int { max(Int(Int16.min), min(Int(Int16.max), sum)) }

    /// Offsets and products of one channel.
    private func sum(
        _ inputs: [Int16], _ weights: [Int16], _ offsets: [Int32], channel: Int
    ) -> Int {
        inputs.indices.reduce(Int(offsets[channel])) { sum, input in
            let place = input / 2 * 2 * Self.channels + 2 * channel + input % 2
            return sum + Int(inputs[input]) * Int(weights[place])
        }
    }

    @Test(arguments: [1, 4, 7]) func denseLayerMatchesIntegerReference(rowCount: Int) {
        let (stride, count) = (56, 112)
        let inputs = numbers(stride * rowCount + count, -24_576...24_576, seed: 9)
        let weights = numbers(count * Self.channels, -700...700, seed: 10)
        let offsets = offsets(seed: 11)
        var expected = [Int16](repeating: 0, count: rowCount * Self.channels)
        var largest = 0
        for row in 0..<rowCount {
            let own = Array(inputs[row * stride..<row * stride + count])
            for channel in 0..<Self.channels {
                let sum = sum(own, weights, offsets, channel: channel) >> Self.denseShift
                largest = max(largest, sum)
                expected[row * Self.channels + channel] = Int16(max(0, clamped(sum)))
            }
        }
        #expect(largest > 1000)
        for loop in [lanes_dense_rows, plain_dense_rows] as [Dense] {
            var outputs = [Int16](repeating: 7, count: expected.count)
            with(weights, offsets) { loop(inputs, stride, count, &$0, rowCount, &outputs) }
            #expect(outputs == expected)
        }
    }

    /// Rows that are as large as can be among them.
    @Test(arguments: [1, 4, 7], [1, 3, 32])
    func separableLayerMatchesIntegerReference(rowCount: Int, dilation: Int) {
        let margin = Self.taps / 2 * dilation
        let rows = numbers((rowCount + 2 * margin) * Self.channels, -32_768...32_767, seed: 12)
        let along = numbers(Self.taps * Self.channels, -9000...9000, seed: 13)
        let across = numbers(Self.channels * Self.channels, -2500...2500, seed: 14)
        let offsets = offsets(seed: 15)
        var expected = [Int16](repeating: 0, count: rowCount * Self.channels)
        var atAnEnd = 0
        for row in 0..<rowCount {
            var mixed = [Int16](repeating: 0, count: Self.channels)
            for channel in 0..<Self.channels {
                let sum = (0..<Self.taps).reduce(Int(offsets[channel])) { sum, tap in
                    let own = row + margin + (tap - Self.taps / 2) * dilation
                    let weight = Int(along[tap * Self.channels + channel])
                    return sum + Int(rows[own * Self.channels + channel]) * weight
                }
                mixed[channel] = Int16(max(0, clamped(sum >> Self.alongShift)))
            }
            for channel in 0..<Self.channels {
                let sum = sum(mixed, across, offsets, channel: channel) >> Self.acrossShift
                let before = Int(rows[(row + margin) * Self.channels + channel])
                let after = clamped(before + clamped(sum))
                if after != before + sum { atAnEnd += 1 }
                expected[row * Self.channels + channel] = Int16(after)
            }
        }
        #expect(atAnEnd > 0)
        for loop in [lanes_separable_rows, plain_separable_rows] as [Separable] {
            var outputs = [Int16](repeating: 7, count: expected.count)
            func run(_ rows: UnsafePointer<Int16>) {
                with(along, offsets) { along in
                    with(across, offsets) { across in
                        let first = rows + margin * Self.channels
                        loop(first, dilation, &along, &across, rowCount, &outputs)
                    }
                }
            }
            run(rows)
            #expect(outputs == expected)
        }
    }

    @Test func dotProductMatchesPlainLoop() {
        let row = numbers(Self.channels, -32_768...32_767, seed: 16)
        let weights = (0..<Self.channels).map { Float($0 % 7 - 3) / 1024 }
        let sum = lanes_row_dot(row, weights)
        #expect(sum == plain_row_dot(row, weights))
        let exact = zip(row, weights).reduce(0.0) { $0 + Double($1.0) * Double($1.1) }
        #expect(abs(Double(sum) - exact) < 1e-3)
    }
}
