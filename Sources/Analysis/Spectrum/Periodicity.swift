import CLanes
import Glibc

/// Measures how periodic spectra are at the pitch of a voice.
final class Periodicity {
    /// The lags, with a pointer into `cosines`.
    private let lags: LanesLags
    private let cosines: AlignedNumbers<Float>

    /// For spectra of `binCount` bins, `hertzPerBin` apart.
    init(hertzPerBin: Double, binCount: Int) {
        let half = Int(LANES_HALF_LAGS)
        let bins = min(3, binCount)..<min(Int(LANES_MOST_BINS), binCount)
        let lagsPerSecond = Double(2 * half) * hertzPerBin
        let lowest = max(1, Int((0.0025 * lagsPerSecond).rounded()))
        let highest = max(1, min(Int((0.0125 * lagsPerSecond).rounded()), half))
        let asked = min(lowest, highest)...highest
        // The cosines of a lag also give those of its mirror, `half` minus the lag.
        let least = asked.reduce(half) { min($0, $1, half - $1) }
        let rows = (half / 2 - least) / 4 * 4 + 4
        let cosines = (least..<least + rows).flatMap { lag in
            (Array(bins) + (bins.count.isMultiple(of: 2) ? [] : [0])).map {
                Float(cos(Double.pi * Double($0 * lag) / Double(half)))
            }
        }
        // Without bins there are no cosines, and none is read.
        self.cosines = AlignedNumbers(cosines.isEmpty ? [0] : cosines)
        lags = LanesLags(
            firstBin: bins.lowerBound, binCount: bins.count, lowest: asked.lowerBound,
            highest: asked.upperBound, first: least, end: least + rows,
            cosines: self.cosines.start)
    }

    /// Writes the voice periodicity of each of sixteen spectra, given as a row of powers per bin:
    /// the highest peak between 80 and 400 Hz of the autocorrelation of the magnitudes, relative to
    /// lag 0.
    func measure(_ powers: UnsafePointer<Float>, into found: UnsafeMutablePointer<Float>) {
        withUnsafePointer(to: lags) { lanes_periodicities(powers, $0, found) }
    }
}
