import CLanes
import Glibc

/// Twenty bands of equal width on the mel scale, as far as the sample rate reaches.
struct MelBands {
    /// For each band from the lowest up, the bins it sums.
    let bins: [Range<Int>]
    /// All bins from 78 Hz up: below lie offset, rumble and the mains.
    let level: Range<Int>
    /// What lies above the last band, where all of them are there: below 16 kHz it is little.
    let above: Range<Int>
    /// The bands, then what lies above them, and below the first whole one.
    private let parts: [LanesRows]
    /// The rows of `sums` that come to the voice bands, and to all from 78 Hz up.
    private let totals: [LanesRows]
    /// The bands that hold the "s" and its kin: the upper three tenths.
    let high: Range<Int>

    private static let count = 20
    private static let lowestMel = 80.0
    private static let widthMel = 130.0
    /// Those of 140 Hz to 3.6 kHz, where voices have nearly all of their power.
    private static let voiceBands = 1..<15
    private static let lowestLevelHertz = 78.0
    /// What a low-pass before decimation leaves alone.
    private static let usableShare = 0.94

    /// The bands of a transform of `count` samples at a rate.
    init(sampleRateHertz: Double, count: Int) {
        let hertzPerBin = sampleRateHertz / Double(count)
        func bin(_ hertz: Double) -> Int { Int((hertz / hertzPerBin).rounded(.up)) }
        func edge(_ band: Int) -> Double {
            MelBands.hertz(mel: MelBands.lowestMel + MelBands.widthMel * Double(band))
        }
        let limit = sampleRateHertz / 2 * MelBands.usableShare
        bins = (0..<MelBands.count)
            .filter { edge($0 + 1) <= limit }
            .map { max(2, bin(edge($0)))..<bin(edge($0 + 1)) }
            .filter { !$0.isEmpty }
        level = min(bin(MelBands.lowestLevelHertz), count / 2)..<(count / 2)
        high = bins.count * 7 / 10..<bins.count
        let end = bins.count == MelBands.count ? bins.last?.upperBound : nil
        above = min(end ?? level.upperBound, level.upperBound)..<level.upperBound
        let (bins, level) = (bins, level)
        // Of the bands that lie wholly in `level`, the first.
        let whole = bins.firstIndex { $0.lowerBound >= level.lowerBound } ?? bins.count
        let firstWhole = whole < bins.count ? bins[whole].lowerBound : level.lowerBound
        let last = bins.last?.upperBound ?? firstWhole
        parts =
            (bins + [
                last..<max(last, level.upperBound),
                level.lowerBound..<max(level.lowerBound, firstWhole),
            ])
            .map(LanesRows.init)
        totals = [MelBands.voiceBands.clamped(to: bins.indices), whole..<parts.count]
            .map(LanesRows.init)
    }

    /// O'Shaughnessy's formula (Speech Communication, 1987), turned round.
    static func hertz(mel: Double) -> Double {
        700 * (pow(10, mel / 2595) - 1)
    }

    /// Sums the powers of sixteen spectra, a row for each bin, by band, those of the voice bands,
    /// and all from 78 Hz up, each into its row of the `BandRow.count` rows of `sums`.
    func sum(_ powers: UnsafePointer<Float>, into sums: UnsafeMutablePointer<Float>) {
        let width = BatchedPowerSpectra.stretches
        lanes_sum_rows(powers, parts, parts.count, sums)
        lanes_sum_rows(sums, totals, totals.count, sums + BandRow.voice * width)
        // What lies below the bands is no band, and what lies above them not always.
        let first = above.isEmpty ? bins.count : bins.count + 1
        (sums + first * width).update(repeating: 0, count: (BandRow.voice - first) * width)
    }
}

extension LanesRows {
    init(_ rows: Range<Int>) { self.init(first: rows.lowerBound, count: rows.count) }
}
