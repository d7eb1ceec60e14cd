import CLanes
import Glibc

/// Twenty bands of equal width on the mel scale, up to the limit of the sample rate.
struct MelBands {
    /// The bins that each band sums, from the lowest band up.
    let bins: [Range<Int>]
    /// All bins from 78 Hz up; below are offset, rumble and mains hum.
    let level: Range<Int>
    /// The bins above the last band, if all bands are present; few at rates below 16 kHz.
    let above: Range<Int>
    /// The bands, the bins above them, and the bins below the first band within `level`.
    private let parts: [LanesRows]
    /// The rows of `sums` that add up to the voice bands, and to all from 78 Hz up.
    private let totals: [LanesRows]
    /// The bands of fricatives such as "s": the upper three tenths.
    let high: Range<Int>

    private static let count = 20
    private static let lowestMel = 80.0
    private static let widthMel = 130.0
    /// 140 Hz to 3.6 kHz, which contain nearly all the power of voices.
    private static let voiceBands = 1..<15
    private static let lowestLevelHertz = 78.0
    /// The share of the spectrum that the decimation low-pass leaves unchanged.
    private static let usableShare = 0.94

    /// The bands of a transform of `count` samples at a sample rate.
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
        // The first band that lies fully in `level`.
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

    /// The inverse of O'Shaughnessy's formula (Speech Communication, 1987).
    static func hertz(mel: Double) -> Double {
        700 * (pow(10, mel / 2595) - 1)
    }

    /// Sums the powers of sixteen spectra, given as a row per bin: by band, over the voice bands,
    /// and over all from 78 Hz up, each into its row of `sums` (`BandRow.count` rows).
    func sum(_ powers: UnsafePointer<Float>, into sums: UnsafeMutablePointer<Float>) {
        let width = BatchedPowerSpectra.stretches
        lanes_sum_rows(powers, parts, parts.count, sums)
        lanes_sum_rows(sums, totals, totals.count, sums + BandRow.voice * width)
        // The bins below the bands are not a band; those above are one unless `above` is empty.
        let first = above.isEmpty ? bins.count : bins.count + 1
        (sums + first * width).update(repeating: 0, count: (BandRow.voice - first) * width)
    }
}

extension LanesRows {
    init(_ rows: Range<Int>) { self.init(first: rows.lowerBound, count: rows.count) }
}
