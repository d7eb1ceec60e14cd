import CLanes
import Glibc
import PlainLanes
import TestSupport
import Testing

@testable import Analysis

/// The loops over rows of bands, against themselves compiled plainly and against a plain sum.
@Suite struct RowLanesTests {
    private static let lanes = Int(LANES_CHANNELS)

    @Test(arguments: [0, 1, 15, 16, 17, 100])
    func decibelsAndExponentialsMatchPlainLoop(count: Int) {
        let powers = numbers(count, 1e-12...4)
        var (wide, plain) = (powers, powers)
        lanes_decibels(&wide, count)
        plain_decibels(&plain, count)
        expectSame(wide, plain)
        for (power, level) in zip(powers, wide) {
            #expect(abs(Double(level) - 10 * log10(Double(power))) < 3e-5)
        }
        let octaves = numbers(count, -119...119)
        (wide, plain) = (octaves, octaves)
        lanes_exponentials(&wide, count)
        plain_exponentials(&plain, count)
        expectSame(wide, plain)
        for (octave, power) in zip(octaves, wide) {
            #expect(abs(Double(power) / exp2(Double(octave)) - 1) < 4e-6)
        }
    }

    @Test func bandLevelsMatchPlainLoop() {
        let sums = numbers(16 * Self.lanes, 0...3)
        var (wide, plain) = (sums, sums)
        lanes_levels(sums, 0.5, &wide)
        plain_levels(sums, 0.5, &plain)
        expectSame(wide, plain)
        for row in 0..<16 {
            for lane in 0..<Self.lanes {
                let level = Decibels.ofPower(sums[lane * 16 + row] + 0.5)
                #expect(wide[row * Self.lanes + lane] == level)
            }
        }
    }

    @Test(arguments: [1, 2, 5]) func risesAboveFloorMatchPlainLoop(rowCount: Int) {
        let count = rowCount * Self.lanes
        var rows = numbers(count, -90...20)
        rows[3] = .nan
        let floors = numbers(count, -70 ... -20, seed: 8)
        let weights = numbers(2 * Self.lanes, 0...1, seed: 9)
        func rises(
            _ loop: (
                UnsafePointer<Float>, UnsafePointer<Float>, Int, Float, Float, Float,
                UnsafePointer<Float>, UnsafeMutablePointer<Float>, UnsafeMutablePointer<Float>
            ) -> Void
        ) -> (rises: [Float], sums: [Float]) {
            var rises = [Float](repeating: 0, count: count)
            var sums = [Float](repeating: 0, count: 2 * rowCount)
            loop(rows, floors, rowCount, -10, 40, 0.2, weights, &rises, &sums)
            return (rises, sums)
        }
        let (wide, plain) = (rises(lanes_rises), rises(plain_rises))
        expectSame(wide.rises, plain.rises)
        expectSame(wide.sums, plain.sums)
        for row in 0..<rowCount {
            var sums = [0.0, 0.0]
            for lane in 0..<Self.lanes {
                let place = row * Self.lanes + lane
                let rise = place == 3 ? -10 : max(-10, min(40, rows[place] - floors[place]))
                #expect(wide.rises[place] == rise)
                for part in 0..<2 {
                    sums[part] += exp2(0.2 * Double(rise)) * Double(weights[24 * part + lane])
                }
            }
            for part in 0..<2 {
                #expect(abs(Double(wide.sums[2 * row + part]) / sums[part] - 1) < 1e-5)
            }
        }
    }

    @Test(arguments: [0, 1, 3], [1, 20, 24])
    func narrowedAndWidenedRowsMatchPlainLoop(rowCount: Int, count: Int) {
        let rows = numbers(max(1, rowCount * Self.lanes), -30...60)
        var wide = [UInt8](repeating: 7, count: rowCount * count + 1)
        var plain = wide
        lanes_narrow_rows(rows, rowCount, count, -10, 5, &wide)
        plain_narrow_rows(rows, rowCount, count, -10, 5, &plain)
        #expect(wide == plain && wide.last == 7)
        let stride = 28
        var back = [Int16](repeating: 99, count: rowCount * stride + 1)
        var other = back
        lanes_widen_rows(wide, rowCount, count, -4096, 81.92, stride, &back)
        plain_widen_rows(wide, rowCount, count, -4096, 81.92, stride, &other)
        #expect(back == other)
        for row in 0..<rowCount {
            for lane in 0..<count {
                let byte = Float(wide[row * count + lane])
                #expect(abs(Float(back[row * stride + lane]) - (81.92 * byte - 4096)) < 0.501)
                let number = max(-10, min(41, rows[row * Self.lanes + lane]))
                #expect(abs(Float(back[row * stride + lane]) / 409.6 - number) < 0.1013)
            }
            #expect(back[row * stride + count] == 99)
        }
    }
}
