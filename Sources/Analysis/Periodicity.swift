/// How strongly a spectrum repeats at the pitch of a voice.
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
    /// magnitudes, over its value without a lag.
    func measure(_ power: [Float]) -> Float {
        let count = transform.count
        for bin in bins {
            let magnitude = power[bin].squareRoot()
            transform.input[bin] = magnitude
            transform.input[count - bin] = magnitude
        }
        transform.run()
        let whole = transform.output[0].real
        guard whole > 0 else { return 0 }
        return lags.reduce(-whole) { max($0, transform.output[$1].real) } / whole
    }
}
