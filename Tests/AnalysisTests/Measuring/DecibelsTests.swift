import Glibc
import Testing

@testable import Analysis

@Suite struct DecibelsTests {
    @Test func decibelsMatchLogarithmOfPower() {
        for step in -400...400 {
            let power = powf(10, Float(step) / 20) * 1.0371
            let decibels = Decibels.ofPower(power)
            let exact = 10 * log10(Double(power))
            #expect(abs(Double(decibels) - exact) < 3e-5, "\(power)")
        }
        #expect(Decibels.ofPower(1) == 0)
    }

    @Test func decibelsConvertBackToPower() {
        for step in -1190...1190 {
            let level = Float(step) / 10 / Decibels.octavesPerDecibel
            let exact = exp2(Double(level * Decibels.octavesPerDecibel))
            for power in [Decibels.power(level), Decibels.power(BandRow(repeating: level))[21]] {
                #expect(abs(Double(power) / exact - 1) < 4e-6, "\(level)")
            }
        }
        #expect(Decibels.power(Float(0)) == 1)
        let powers = Decibels.powers([0, -10, 20]).map { ($0 * 1000).rounded() }
        #expect(powers == [1000, 100, 100_000])
    }

    @Test func exponentialsMatchExpAndAreClamped() {
        var numbers: [Float] = [0, 1, -1, 50, -2000, 2000, -.infinity, .infinity]
        let exact = numbers.map { exp(Double($0)) }
        Decibels.exponentiate(&numbers)
        for (number, exact) in zip(numbers, exact) {
            #expect(abs(Double(number) / min(1e36, max(1e-36, exact)) - 1) < 0.4)
        }
        for (number, exact) in zip(numbers, exact).prefix(4) {
            #expect(abs(Double(number) / exact - 1) < 1e-5)
        }
    }

    @Test func valuesAreRoundedToNearestInteger() {
        let numbers: [Float] = [0, 0.4, 0.6, -0.4, -0.6, 254.7, 0.5, 1.5, 1e6, -3]
        #expect(numbers.map { Decibels.rounded($0) } == [0, 0, 1, 0, -1, 255, 0, 2, 1_000_000, -3])
    }
}

@Suite struct BandRowTests {
    private let row = BandRow { Float($0) - 10 }

    @Test func rowHasOneLanePerBand() {
        var row = row
        for lane in 0..<BandRow.count { #expect(row[lane] == Float(lane) - 10) }
        row[17] = 99
        #expect(row[17] == 99 && row[16] == 6 && row[18] == 8)
    }

    @Test func arithmeticAppliesToAllLanes() {
        let sum = row + 2 * (row - BandRow(repeating: 1))
        #expect(sum[0] == -10 + 2 * -11)
        #expect(sum[23] == 13 + 2 * 12)
        #expect(row.raised(to: BandRow(repeating: 0))[4] == 0)
        #expect(row.raised(to: BandRow(repeating: 0))[20] == 10)
    }

    @Test func appendedBytesAreClampedToRange() {
        func bytes(_ row: BandRow, _ count: Int = 24, lowest: Float = 0) -> [UInt8] {
            var bytes: [UInt8] = [7]
            row.appendBytes(count: count, lowest: lowest, unitsPerDecibel: 2, to: &bytes)
            #expect(bytes.count == count + 1 && bytes[0] == 7)
            return Array(bytes.dropFirst())
        }
        #expect(bytes(row, 13) == Array(repeating: 0, count: 11) + [2, 4])
        #expect(bytes(row, 3, lowest: -10.2) == [0, 2, 4])
        #expect(bytes(row, 3, lowest: -10.3) == [1, 3, 5])
        #expect(bytes(100 * row).last == 255)
        #expect(bytes(BandRow(repeating: .nan)).allSatisfy { $0 == 0 })
    }
}
