import Testing

@testable import Analysis

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

@Suite struct DecibelsTests {
    @Test func areTheLogarithmOfPowers() {
        for step in -400...400 {
            let power = powf(10, Float(step) / 20) * 1.0371
            let decibels = Decibels.ofPower(SIMD8(repeating: power))
            let exact = 10 * log10(Double(power))
            #expect(abs(Double(decibels[0]) - exact) < 3e-5, "\(power)")
            #expect(decibels == SIMD8(repeating: decibels[7]))
        }
        #expect(Decibels.ofPower(SIMD8(repeating: 1))[3] == 0)
    }

    @Test func comeBackAsPowers() {
        for step in -1190...1190 {
            let number = Float(step) / 10
            let power = Double(Decibels.exponential2(SIMD8(repeating: number))[2])
            #expect(abs(power / exp2(Double(number)) - 1) < 4e-6, "\(number)")
        }
        #expect(Decibels.power(SIMD8(repeating: 0))[5] == 1)
    }

    @Test func roundToTheNearest() {
        let numbers = SIMD8<Float>(0, 0.4, 0.6, -0.4, -0.6, 254.7, 1e6, -3)
        #expect(Decibels.nearest(numbers) == SIMD8(0, 0, 1, 0, -1, 255, 1_000_000, -3))
    }
}

@Suite struct BandRowTests {
    private let row = BandRow { Float($0) - 10 }

    @Test func hasALaneForEachBand() {
        var row = row
        for lane in 0..<BandRow.count { #expect(row[lane] == Float(lane) - 10) }
        row[17] = 99
        #expect(row[17] == 99 && row[16] == 6 && row[18] == 8)
        #expect(self.row.sum() == 36)
    }

    @Test func worksOnAllLanesAtOnce() {
        let sum = row + 2 * (row - BandRow(repeating: 1)) * row.clamped(-1, 1)
        #expect(sum[0] == -10 + 2 * -11 * -1)
        #expect(sum[23] == 13 + 2 * 12)
        #expect(row.raised(to: BandRow(repeating: 0))[4] == 0)
        #expect(row.raised(to: BandRow(repeating: 0))[20] == 10)
    }

    @Test func becomesBytesThatStayWithinBounds() {
        var bytes: [UInt8] = [7]
        (20 * row).appendBytes(count: 20, to: &bytes)
        #expect(bytes.count == 21 && bytes[0] == 7 && bytes[1] == 0)
        #expect(bytes[12] == 20 && bytes[20] == 180)
        (100 * row).appendBytes(count: 24, to: &bytes)
        #expect(bytes.last == 255)
        BandRow(repeating: .nan).appendBytes(count: 24, to: &bytes)
        #expect(bytes.suffix(24).allSatisfy { $0 == 0 })
    }
}
