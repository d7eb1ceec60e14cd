import CLanes
import Glibc
import PlainLanes
import TestSupport
import Testing

@testable import Analysis

/// The loops of spectra, against themselves compiled plainly and against a plain sum.
@Suite struct SpectrumLanesTests {
    @Test(arguments: [2, 10, 30, 640], [1, 2, 3])
    func windowedPairsMatchPlainLoop(count: Int, stride: Int) {
        let samples = numbers(3 * count + 5, -1...1, seed: 1)
        let window = numbers(count, 0...1, seed: 2)
        var wide = [Float](repeating: 9, count: 2 * count)
        var plain = wide
        samples.withUnsafeBufferPointer {
            // There are some.
            guard let first = $0.baseAddress else { return }
            lanes_window_pairs(first, first + 5, stride, window, count, &wide)
            plain_window_pairs(first, first + 5, stride, window, count, &plain)
        }
        expectSame(wide, plain)
        for place in 0..<count {
            #expect(wide[2 * place] == samples[stride * place] * window[place])
            #expect(wide[2 * place + 1] == samples[stride * place + 5] * window[place])
        }
    }

    @Test(arguments: [2, 10, 64, 640]) func twinAndJointPowersMatchPlainLoop(count: Int) {
        let spectrum = numbers(2 * count + 2, -1...1, seed: 4)
        let before = numbers(count / 2, 0...1)
        var (first, second, plainFirst, plainSecond) = (before, before, before, before)
        lanes_twin_powers(spectrum, count, 0.3, &first, &second)
        plain_twin_powers(spectrum, count, 0.3, &plainFirst, &plainSecond)
        expectSame(first, plainFirst)
        expectSame(second, plainSecond)
        var (joint, plainJoint) = (before, before)
        lanes_add_joint_powers(spectrum, count, 0.3, &joint)
        plain_add_joint_powers(spectrum, count, 0.3, &plainJoint)
        expectSame(joint, plainJoint)
        for bin in joint.indices {
            let expected: Float = before[bin] + first[bin] + second[bin]
            #expect(abs(joint[bin] - expected) < 1e-5)
        }
    }

    @Test(arguments: [4, 12, 64]) func transposedRowsMatchPlainLoop(count: Int) {
        let rows = numbers(16 * 70, -1...1)
        var wide = [Float](repeating: 9, count: 16 * count)
        var plain = wide
        lanes_turn_rows(rows, 70, count, &wide)
        plain_turn_rows(rows, 70, count, &plain)
        expectSame(wide, plain)
        for place in 0..<count {
            for row in 0..<16 {
                let turned = wide[16 * place + row]
                #expect(turned == rows[70 * row + place])
            }
        }
    }

    @Test func rowSumsMatchPlainLoop() {
        let rows = numbers(16 * 90, -1...1, seed: 8)
        let sets = [3..<4, 4..<8, 8..<8, 13..<90].map(LanesRows.init)
        var wide = [Float](repeating: 9, count: 4 * 16)
        var plain = wide
        lanes_sum_rows(rows, sets, 4, &wide)
        plain_sum_rows(rows, sets, 4, &plain)
        expectSame(wide, plain)
        for (place, set) in sets.enumerated() {
            for lane in 0..<16 {
                let own = (set.first..<set.first + set.count).map { Double(rows[$0 * 16 + lane]) }
                let magnitude = own.map(abs).reduce(0, +)
                let error = Double(wide[place * 16 + lane]) - own.reduce(0, +)
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
    func periodicityMatchesAutocorrelation(hertzPerBin: Double, binCount: Int) {
        let periodicity = Periodicity(hertzPerBin: hertzPerBin, binCount: binCount)
        var powers = numbers(binCount * 16, 0...1, seed: 9)
        // A comb in one lane, and nothing in another.
        for bin in 0..<binCount {
            powers[bin * 16 + 2] = bin % 5 == 0 ? 1 : 1e-6
            powers[bin * 16 + 3] = 0
        }
        var found = [Float](repeating: 9, count: 16)
        periodicity.measure(powers, into: &found)
        for lane in 0..<16 {
            let own = (0..<binCount).map { powers[$0 * 16 + lane] }
            let expected = self.periodicity(own, hertzPerBin: hertzPerBin)
            #expect(abs(Double(found[lane]) - expected) < 1e-5)
        }
        #expect(found[3] == 0)
    }

    @Test func periodicitiesMatchPlainLoop() {
        let (powers, cosines) = (numbers(16 * 70, 0...1), numbers(62 * 24, -1...1, seed: 3))
        cosines.withUnsafeBufferPointer {
            var lags = LanesLags(
                firstBin: 3, binCount: 61, lowest: 11, highest: 55, first: 9, end: 33,
                cosines: $0.baseAddress!)
            var (own, plain) = ([Float](repeating: 0, count: 16), [Float](repeating: 0, count: 16))
            lanes_periodicities(powers, &lags, &own)
            plain_periodicities(powers, &lags, &plain)
            expectSame(own, plain)
        }
    }
}
