import TestSupport
import Testing

@testable import Analysis

@Suite struct MelBandsTests {
    private static let width = 16

    /// A bank at a rate, and as many spectra of random powers as there are lanes.
    private static func example(
        rate: Double, count: Int, seed: UInt64
    ) -> (bands: MelBands, powers: [Float]) {
        var random = SeededGenerator(seed: seed)
        let powers = (0..<count / 2 * width).map { _ in Float.random(in: 0...1, using: &random) }
        return (MelBands(sampleRateHertz: rate, count: count), powers)
    }

    private static func naiveSum(_ powers: [Float], _ bins: Range<Int>) -> SIMD16<Float> {
        bins.reduce(SIMD16<Float>.zero) { $0 + row(powers, $1) }
    }

    private static func row(_ rows: [Float], _ row: Int) -> SIMD16<Float> {
        SIMD16(rows[row * width..<(row + 1) * width])
    }

    private func isNear(_ one: SIMD16<Float>, _ other: SIMD16<Float>) -> Bool {
        (0..<16).allSatisfy { abs(one[$0] - other[$0]) <= 1e-4 * max(1, other[$0]) }
    }

    @Test(arguments: [(8000.0, 256), (11_025, 320), (16_000, 512), (22_050, 640), (24_000, 768)])
    func bandSumsMatchDirectSums(rate: Double, count: Int) {
        let (bands, powers) = Self.example(rate: rate, count: count, seed: 3)
        var sums = [Float](repeating: 9, count: BandRow.count * Self.width)
        bands.sum(powers, into: &sums)
        for (band, bins) in bands.bins.enumerated() {
            #expect(isNear(Self.row(sums, band), Self.naiveSum(powers, bins)))
        }
        let voice = bands.bins.indices.filter { (1..<15).contains($0) }
            .reduce(SIMD16<Float>.zero) { $0 + Self.naiveSum(powers, bands.bins[$1]) }
        #expect(isNear(Self.row(sums, BandRow.voice), voice))
        #expect(isNear(Self.row(sums, BandRow.whole), Self.naiveSum(powers, bands.level)))
        // What lies above the bands stands behind them, and nothing else does.
        for row in bands.bins.count..<BandRow.voice {
            let isAbove = row == bands.bins.count && !bands.above.isEmpty
            let expected = isAbove ? Self.naiveSum(powers, bands.above) : .zero
            #expect(isNear(Self.row(sums, row), expected))
        }
    }

    @Test func bandsAreOfEqualWidthInMel() {
        // O'Shaughnessy's scale has 1000 mel at 1 kHz, and each band is 130 mel wide.
        #expect(abs(MelBands.hertz(mel: 1000) - 1000) < 1)
        let bands = MelBands(sampleRateHertz: 48_000, count: 4800)
        #expect(bands.bins.count == 20)
        for (band, bins) in bands.bins.enumerated() {
            #expect(Double(bins.lowerBound) * 10 >= MelBands.hertz(mel: 80 + 130 * Double(band)))
            #expect(
                Double(bins.upperBound - 1) * 10 < MelBands.hertz(mel: 210 + 130 * Double(band)))
        }
        for (one, next) in zip(bands.bins, bands.bins.dropFirst()) {
            #expect(one.upperBound == next.lowerBound)
        }
    }

    @Test func lowSampleRatesHaveFewerBands() {
        let counts = [8000.0, 11_025, 16_000, 32_000].map {
            MelBands(sampleRateHertz: $0, count: 512).bins.count
        }
        #expect(counts == counts.sorted())
        #expect((counts.first ?? 0) < 16 && counts.last == 20)
    }
}
