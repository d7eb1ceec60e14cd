import CLanes
import Glibc
import PlainLanes
import TestSupport
import Testing

@testable import Analysis

/// The loops of spectra, against themselves compiled plainly and against a plain sum.
@Suite struct SpectrumLanesTests {
    /// Where sixteen pairs of signals begin in what is laid out, and from sample to sample.
    enum Layout: CaseIterable {
        case apart, neighbours, thirds

        var stride: Int { self == .apart ? 1 : self == .neighbours ? 2 : 3 }
        func firsts() -> [Int] { (0..<16).map { 7 * $0 + 3 } }
        func seconds() -> [Int] { firsts().map { self == .apart ? $0 + 5 : $0 + 1 } }
    }

    @Test(arguments: [2, 10, 30, 32, 640], Layout.allCases)
    func signals(count: Int, layout: Layout) {
        let (firsts, seconds) = (layout.firsts(), layout.seconds())
        let samples = numbers(3 * count + 120, -1...1, seed: 1)
        let window = numbers(count, 0...1, seed: 2)
        var wide = [Float](repeating: 0, count: 32 * count)
        var plain = wide
        lanes_lay_signals(samples, firsts, seconds, layout.stride, window, count, &wide)
        plain_lay_signals(samples, firsts, seconds, layout.stride, window, count, &plain)
        expectSame(wide, plain)
        var broad = [Float](repeating: 0, count: 32 * count)
        wide_lay_signals(samples, firsts, seconds, layout.stride, window, count, &broad)
        expectSame(broad, plain)
        for place in 0..<count {
            for lane in 0..<16 {
                let number = 32 * place + lane
                let at = layout.stride * place
                #expect(wide[number] == samples[firsts[lane] + at] * window[place])
                #expect(wide[number + 16] == samples[seconds[lane] + at] * window[place])
            }
        }
    }

    @Test(arguments: [2, 3, 4, 5, 8, 36, 250, 256, 320, 512, 640, 768])
    func transforms(count: Int) {
        let plan = FourierPlan(count: count)
        let before = numbers(32 * count, -1...1, seed: 3)
        var (wide, plain) = (before, before)
        lanes_transform(&wide, count, plan.steps, plan.steps.count, 0)
        plain_transform(&plain, count, plan.steps, plan.steps.count, 0)
        expectSame(wide, plain)
        #expect(wide != before)
        var broad = before
        wide_transform(&broad, count, plan.steps, plan.steps.count, 0)
        expectSame(broad, plain)
        var squares = before
        lanes_transform(&squares, count, plan.steps, plan.steps.count, 1)
        plain = before
        plain_transform(&plain, count, plan.steps, plan.steps.count, 1)
        for first in stride(from: 0, to: squares.count, by: 32) {
            for place in first..<first + 16 {
                let (re, im) = (wide[place], wide[place + 16])
                #expect(squares[place] == re * re + im * im && plain[place] == squares[place])
            }
        }
    }

    @Test(arguments: [2, 10, 64]) func powers(count: Int) {
        let (spectrum, before) = (numbers(32 * count, -1...1, seed: 4), numbers(16 * count, 0...1))
        let places = FourierPlan(count: count).places
        var (wide, plain) = (before, before)
        lanes_twin_powers(spectrum, places, count, 0.3, &wide)
        plain_twin_powers(spectrum, places, count, 0.3, &plain)
        expectSame(wide, plain)
        for adds: Int32 in [0, 1] {
            (wide, plain) = (before, before)
            lanes_joint_powers(spectrum, places, count, 0.3, adds, &wide)
            plain_joint_powers(spectrum, places, count, 0.3, adds, &plain)
            expectSame(wide, plain)
            #expect(wide[..<16] != before[..<16])
        }
    }

    @Test(arguments: [16, 32]) func sums(width: Int) {
        let rows = numbers(width * 90, -1...1, seed: 8)
        let sets = [3..<4, 4..<8, 8..<8, 13..<90].map(LanesRows.init)
        var wide = [Float](repeating: 9, count: 4 * width)
        var plain = wide
        lanes_sum_rows(rows, width, sets, 4, &wide)
        plain_sum_rows(rows, width, sets, 4, &plain)
        expectSame(wide, plain)
        for (place, set) in sets.enumerated() {
            for lane in 0..<width {
                let own = (set.first..<set.first + set.count).map {
                    Double(rows[$0 * width + lane])
                }
                let magnitude = own.map(abs).reduce(0, +)
                let error = Double(wide[place * width + lane]) - own.reduce(0, +)
                #expect(abs(error) <= 1e-5 * magnitude)
            }
        }
    }

    /// The definition: the autocorrelation of 128 numbers, which are the magnitudes and their
    /// mirror image.
    private func periodicity(_ powers: [Float], hertzPerBin: Double) -> Double {
        let bins = min(3, powers.count)..<min(64, powers.count)
        let lagsPerSecond = 128 * hertzPerBin
        let lowest = max(1, Int((lagsPerSecond / 400).rounded()))
        let highest = max(1, min(64, Int((lagsPerSecond / 80).rounded())))
        func value(_ lag: Int) -> Double {
            bins.reduce(0) {
                $0 + Double(powers[$1]).squareRoot() * cos(2 * Double.pi * Double($1 * lag) / 128)
            }
        }
        return value(0) > 0 ? ((lowest...highest).map(value).max() ?? 0) / value(0) : 0
    }

    /// Bins are even and odd in number, few, and hardly any.
    @Test(arguments: [(34.5, 320), (31.25, 128), (31.25, 16), (50, 4), (40, 3), (16, 64)])
    func periodicities(hertzPerBin: Double, binCount: Int) {
        let periodicity = Periodicity(hertzPerBin: hertzPerBin, binCount: binCount)
        for width in [16, 32] {
            var powers = numbers(binCount * width, 0...1, seed: 9)
            // A comb in one lane, and nothing in another.
            for bin in 0..<binCount {
                powers[bin * width + 2] = bin % 5 == 0 ? 1 : 1e-6
                powers[bin * width + 3] = 0
            }
            var found = [Float](repeating: 9, count: width)
            periodicity.measure(powers, width: width, into: &found)
            for lane in 0..<width {
                let own = (0..<binCount).map { powers[$0 * width + lane] }
                let expected = self.periodicity(own, hertzPerBin: hertzPerBin)
                #expect(abs(Double(found[lane]) - expected) < 1e-5)
            }
            #expect(found[3] == 0)
        }
    }

    @Test func periodicitiesAreTheSameBits() {
        let (powers, cosines) = (numbers(32 * 70, 0...1), numbers(62 * 24, -1...1, seed: 3))
        cosines.withUnsafeBufferPointer {
            var lags = LanesLags(
                firstBin: 3, binCount: 61, lowest: 11, highest: 55, first: 9, end: 33,
                cosines: $0.baseAddress!)
            var (own, plain) = ([Float](repeating: 0, count: 32), [Float](repeating: 0, count: 32))
            var wide = own
            lanes_periodicities(powers, 32, &lags, &own)
            plain_periodicities(powers, 32, &lags, &plain)
            wide_periodicities(powers, 32, &lags, &wide)
            expectSame(own, plain)
            expectSame(wide, plain)
        }
    }
}
