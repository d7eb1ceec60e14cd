import CLanes
import Glibc

/// How strongly spectra repeat at the pitch of a voice.
final class Periodicity {
    /// They point to their cosines, which live as long as this.
    private let lags: LanesLags
    private let cosines: AlignedNumbers<Float>

    /// For spectra whose bins lie `hertzPerBin` apart and number `binCount`.
    init(hertzPerBin: Double, binCount: Int) {
        let half = Int(LANES_HALF_LAGS)
        let bins = min(3, binCount)..<min(Int(LANES_MOST_BINS), binCount)
        let lagsPerSecond = Double(2 * half) * hertzPerBin
        let lowest = max(1, Int((0.0025 * lagsPerSecond).rounded()))
        let highest = max(1, min(Int((0.0125 * lagsPerSecond).rounded()), half))
        let asked = min(lowest, highest)...highest
        // Of a lag and what it lacks to half of all, one tells of the other.
        let least = asked.reduce(half) { min($0, $1, half - $1) }
        let rows = (half / 2 - least) / 4 * 4 + 4
        let cosines = (least..<least + rows).flatMap { lag in
            (Array(bins) + (bins.count.isMultiple(of: 2) ? [] : [0])).map {
                Float(cos(Double.pi * Double($0 * lag) / Double(half)))
            }
        }
        // Where there are no bins there are no cosines, and none is read.
        self.cosines = AlignedNumbers(cosines.isEmpty ? [0] : cosines)
        lags = LanesLags(
            firstBin: bins.lowerBound, binCount: bins.count, lowest: asked.lowerBound,
            highest: asked.upperBound, first: least, end: least + rows,
            cosines: self.cosines.start)
    }

    /// Writes for each of sixteen spectra, whose powers are a row for each bin, the highest peak
    /// between 80 and 400 Hz of the autocorrelation that belongs to the magnitudes, over its value
    /// without a lag.
    func measure(_ powers: UnsafePointer<Float>, into found: UnsafeMutablePointer<Float>) {
        withUnsafePointer(to: lags) { lanes_periodicities(powers, $0, found) }
    }
}
