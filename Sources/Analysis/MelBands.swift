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
    /// Where the first band begins that lies wholly in `level`.
    private let firstWholeBin: Int
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
        let level = level
        firstWholeBin =
            bins.first { $0.lowerBound >= level.lowerBound }?.lowerBound ?? level.lowerBound
    }

    /// O'Shaughnessy's formula (Speech Communication, 1987), turned round.
    static func hertz(mel: Double) -> Double {
        700 * (pow(10, mel / 2595) - 1)
    }

    /// Sums the powers of two spectra by band, those of the voice bands, and all from 78 Hz up,
    /// each into its lane of a row.
    func sum(_ powers: [SIMD2<Float>], into sums: inout [SIMD2<Float>]) {
        sums[BandRow.voice] = .zero
        sums[BandRow.whole] = sum(powers, level.lowerBound..<max(level.lowerBound, firstWholeBin))
        for band in bins.indices {
            let own = sum(powers, bins[band])
            sums[band] = own
            if voiceBands.contains(band) { sums[BandRow.voice] += own }
            if bins[band].lowerBound >= firstWholeBin { sums[BandRow.whole] += own }
        }
        let end = bins.last?.upperBound ?? firstWholeBin
        let rest = sum(powers, end..<max(end, level.upperBound))
        sums[BandRow.whole] += rest
        if !above.isEmpty { sums[bins.count] = rest }
    }

    private func sum(_ powers: [SIMD2<Float>], _ bins: Range<Int>) -> SIMD2<Float> {
        var result = SIMD2<Float>.zero
        powers.withUnsafeBufferPointer { powers in
            // A pair of powers is two numbers, one behind the other.
            UnsafeBufferPointer(rebasing: powers[bins]).withMemoryRebound(to: Float.self) { own in
                withUnsafeMutablePointer(to: &result) {
                    $0.withMemoryRebound(to: Float.self, capacity: 2) { result in
                        guard let own = own.baseAddress else { return }
                        lanes_sum_pairs(own, bins.count, result)
                    }
                }
            }
        }
        return result
    }
}
