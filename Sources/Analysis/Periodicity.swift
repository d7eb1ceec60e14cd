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
    func measure(_ powers: [SIMD2<Float>]) -> SIMD2<Float> {
        precondition(powers.count >= bins.upperBound, "there are as many bins as was said")
        powers.withUnsafeBufferPointer { powers in
            powers.withMemoryRebound(to: Float.self) { powers in
                // A spectrum without bins has nothing to repeat.
                guard let powers = powers.baseAddress else { return }
                lanes_mirror_roots(
                    powers, bins.lowerBound, bins.upperBound, transform.count,
                    transform.inputNumbers)
            }
        }
        transform.run()
        let output = transform.output
        var highest = -output[0]
        for lag in lags {
            highest = highest.replacing(with: output[lag], where: output[lag] .> highest)
        }
        // Nothing repeats in nothing.
        let whole = output[0].replacing(with: 1, where: output[0] .<= 0)
        return (highest / whole).replacing(with: 0, where: output[0] .<= 0)
    }
}
