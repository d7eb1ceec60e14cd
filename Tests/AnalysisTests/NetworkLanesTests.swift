import CLanes
import PlainLanes
import TestSupport
import Testing

/// The loops of the speech network, each way in which they are written, come to what the long way
/// comes to in whole numbers.
@Suite struct NetworkLanesTests {
    typealias Dense = (
        UnsafePointer<Int16>, Int, Int, UnsafePointer<LanesLayer>, Int, UnsafeMutablePointer<Int16>
    ) -> Void
    typealias Separable = (
        UnsafePointer<Int16>, Int, UnsafePointer<LanesLayer>, UnsafePointer<LanesLayer>, Int,
        UnsafeMutablePointer<Int16>
    ) -> Void

    private static let channels = Int(LANES_CHANNELS)
    private static let row = Int(LANES_ROW)
    private static let taps = Int(LANES_TAPS)
    /// Bits that are lost after each layer.
    private static let denseShift = LANES_INPUT_BITS + LANES_FRONT_BITS - LANES_ROW_BITS
    private static let alongShift = LANES_ROW_BITS + LANES_TAP_BITS - LANES_MIX_BITS
    private static let acrossShift = LANES_MIX_BITS + LANES_ACROSS_BITS - LANES_ROW_BITS

    private static var dense: [Dense] {
        var loops: [Dense] = [
            lanes_dense_rows, plain_dense_rows, wide_dense_rows, portable_dense_rows,
        ]
        #if arch(x86_64) && os(Linux)
            if lanes_width() >= 256 { loops.append(middle_dense_rows) }
        #endif
        return loops
    }

    private static var separable: [Separable] {
        var loops: [Separable] = [
            lanes_separable_rows, plain_separable_rows, wide_separable_rows,
            portable_separable_rows,
        ]
        #if arch(x86_64) && os(Linux)
            if lanes_width() >= 256 { loops.append(middle_separable_rows) }
        #endif
        return loops
    }

    /// The lane of each channel: the first four of each eight, then the other four.
    private static let lanes =
        (0..<16).map { $0 / 4 * 8 + $0 % 4 } + (0..<8).map { $0 / 4 * 8 + 4 + $0 % 4 }

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

    @Test(arguments: [4, 8, 12, 24]) func dense(rowCount: Int) {
        let (stride, count) = (56, 112)
        let inputs = numbers(stride * rowCount + count, -24_576...24_576, seed: 9)
        let weights = numbers(count * Self.channels, -700...700, seed: 10)
        let offsets = offsets(seed: 11)
        var expected = [Int16](repeating: 0, count: rowCount * Self.row)
        var largest = 0
        for row in 0..<rowCount {
            let own = Array(inputs[row * stride..<row * stride + count])
            for channel in 0..<Self.channels {
                let sum = sum(own, weights, offsets, channel: channel) >> Self.denseShift
                largest = max(largest, sum)
                expected[row * Self.row + Self.lanes[channel]] = Int16(max(0, clamped(sum)))
            }
        }
        #expect(largest > 1000)
        for loop in Self.dense {
            var outputs = [Int16](repeating: 7, count: expected.count)
            with(weights, offsets) { loop(inputs, stride, count, &$0, rowCount, &outputs) }
            #expect(outputs == expected)
        }
    }

    /// Rows that are as large as can be among them.
    @Test(arguments: [4, 8, 12, 24], [1, 3, 32]) func separable(rowCount: Int, dilation: Int) {
        let margin = Self.taps / 2 * dilation
        var rows = numbers((rowCount + 2 * margin) * Self.row, -32_768...32_767, seed: 12)
        for place in rows.indices where !Self.lanes.contains(place % Self.row) { rows[place] = 0 }
        let along = numbers(6 * Self.channels, -9000...9000, seed: 13).enumerated().map {
            // The last tap of an odd number goes with nothing.
            $0 >= 4 * Self.channels && $0 % 2 == 1 ? 0 : $1
        }
        let across = numbers(Self.channels * Self.channels, -2500...2500, seed: 14)
        let offsets = offsets(seed: 15)
        var expected = [Int16](repeating: 0, count: rowCount * Self.row)
        var atAnEnd = 0
        for row in 0..<rowCount {
            var mixed = [Int16](repeating: 0, count: Self.channels)
            for channel in 0..<Self.channels {
                let lane = Self.lanes[channel]
                let taps = (0..<Self.taps).map { tap in
                    rows[(row + margin + (tap - Self.taps / 2) * dilation) * Self.row + lane]
                }
                let sum = sum(taps, along, offsets, channel: channel) >> Self.alongShift
                mixed[channel] = Int16(max(0, clamped(sum)))
            }
            let inOrder = (0..<Self.row).compactMap { lane in
                Self.lanes.firstIndex(of: lane).map { mixed[$0] }
            }
            for channel in 0..<Self.channels {
                let sum = sum(inOrder, across, offsets, channel: channel) >> Self.acrossShift
                let lane = Self.lanes[channel]
                let before = Int(rows[(row + margin) * Self.row + lane])
                let after = clamped(before + clamped(sum))
                if after != before + sum { atAnEnd += 1 }
                expected[row * Self.row + lane] = Int16(after)
            }
        }
        #expect(atAnEnd > 0)
        for loop in Self.separable {
            var outputs = [Int16](repeating: 7, count: expected.count)
            func run(_ rows: UnsafePointer<Int16>) {
                with(along, offsets) { along in
                    with(across, offsets) { across in
                        let first = rows + margin * Self.row
                        loop(first, dilation, &along, &across, rowCount, &outputs)
                    }
                }
            }
            run(rows)
            #expect(outputs == expected)
        }
    }

    @Test func dot() {
        let row = numbers(Self.row, -32_768...32_767, seed: 16)
        let weights = (0..<Self.row).map { Float($0 % 7 - 3) / 1024 }
        let sum = lanes_row_dot(row, weights)
        #expect(sum == plain_row_dot(row, weights) && sum == wide_row_dot(row, weights))
        let exact = zip(row, weights).reduce(0.0) { $0 + Double($1.0) * Double($1.1) }
        #expect(abs(Double(sum) - exact) < 1e-3)
    }
}
