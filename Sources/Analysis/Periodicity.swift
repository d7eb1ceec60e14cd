import CLanes

/// How strongly two spectra repeat at the pitch of a voice.
struct Periodicity {
    private let transform = FourierTransform(count: 128)
    private let bins: Range<Int>
    private let lags: ClosedRange<Int>

    /// For spectra whose bins lie `hertzPerBin` apart and number `binCount`.
    init(hertzPerBin: Double, binCount: Int) {
        bins = min(3, binCount)..<min(64, binCount)
        let lagsPerSecond = Double(transform.count) * hertzPerBin
        let lowest = Int((0.0025 * lagsPerSecond).rounded())
        let highest = Int((0.0125 * lagsPerSecond).rounded())
        lags = max(1, lowest)...max(1, min(highest, transform.count / 2))
    }

    /// The highest peak between 80 and 400 Hz of the autocorrelation that belongs to the
    /// magnitudes, over its value without a lag; of both spectra, since the transform of what is
    /// real and symmetric is real.
    func measure(_ powers: UnsafeBufferPointer<SIMD2<Float>>) -> SIMD2<Float> {
        precondition(powers.count >= bins.upperBound, "there are as many bins as was said")
        powers.withMemoryRebound(to: Float.self) { powers in
            // A spectrum without bins has nothing to repeat.
            guard let powers = powers.baseAddress else { return }
            lanes_mirror_roots(
                powers, bins.lowerBound, bins.upperBound, transform.count, transform.inputNumbers)
        }
        transform.run()
        var highest = SIMD2<Float>.zero
        withUnsafeMutableBytes(of: &highest) {
            // A pair of numbers is two of them.
            guard let pair = $0.assumingMemoryBound(to: Float.self).baseAddress else { return }
            lanes_highest_pair(transform.outputNumbers + 2 * lags.lowerBound, lags.count, pair)
        }
        let whole = transform.output[0]
        // Nothing repeats in nothing.
        return (highest / whole.replacing(with: 1, where: whole .<= 0))
            .replacing(with: 0, where: whole .<= 0)
    }
}
