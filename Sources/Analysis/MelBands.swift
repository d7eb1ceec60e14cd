import CLanes

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Twenty bands of equal width on the mel scale, as far as the sample rate reaches.
struct MelBands {
    /// For each band from the lowest up, the bins it sums.
    let bins: [Range<Int>]
    /// All bins from 78 Hz up: below lie offset, rumble and the mains.
    let level: Range<Int>
    /// The bands of 140 Hz to 3.6 kHz, where voices have nearly all of their power.
    private let voiceBands: Range<Int>
    /// What lies above the last band, where all of them are there: below 16 kHz it is little.
    let above: Range<Int>
    /// The bands that lie wholly in `level`.
    private let wholeBands: Range<Int>
    /// The bands, then what lies above them, and below the first whole one.
    private let parts: [LanesBand]
    /// The bands that hold the "s" and its kin: the upper three tenths.
    let high: Range<Int>

    private static let count = 20
    private static let lowestMel = 80.0
    private static let widthMel = 130.0
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
        voiceBands = MelBands.voiceBands.clamped(to: bins.indices)
        let (bins, level) = (bins, level)
        wholeBands =
            (bins.firstIndex { $0.lowerBound >= level.lowerBound } ?? bins.count)..<bins.count
        let firstWhole =
            wholeBands.isEmpty ? level.lowerBound : bins[wholeBands.lowerBound].lowerBound
        let last = bins.last?.upperBound ?? firstWhole
        parts =
            (bins + [
                last..<max(last, level.upperBound),
                level.lowerBound..<max(level.lowerBound, firstWhole),
            ])
            .map { LanesBand(first: $0.lowerBound, count: $0.count) }
    }

    /// O'Shaughnessy's formula (Speech Communication, 1987), turned round.
    static func hertz(mel: Double) -> Double {
        700 * (pow(10, mel / 2595) - 1)
    }

    /// Sums the powers of two spectra by band, those of the voice bands, and all from 78 Hz up,
    /// each into its lane of a row.
    func sum(_ powers: UnsafeBufferPointer<SIMD2<Float>>, into sums: inout [SIMD2<Float>]) {
        precondition(sums.count == BandRow.count && powers.count >= level.upperBound, "all fits")
        sums.withUnsafeMutableBufferPointer { sums in
            // Pairs of numbers are numbers, one behind the other.
            powers.withMemoryRebound(to: Float.self) { powers in
                sums.withMemoryRebound(to: Float.self) { sums in
                    guard let powers = powers.baseAddress, let sums = sums.baseAddress else {
                        return
                    }
                    lanes_sum_bands(powers, parts, parts.count, sums)
                }
            }
            let (rest, below) = (sums[bins.count], sums[bins.count + 1])
            var (voice, whole) = (SIMD2<Float>.zero, below)
            for band in voiceBands { voice += sums[band] }
            for band in wholeBands { whole += sums[band] }
            (sums[BandRow.voice], sums[BandRow.whole]) = (voice, whole + rest)
            sums[bins.count + 1] = .zero
            if above.isEmpty { sums[bins.count] = .zero }
        }
    }
}
