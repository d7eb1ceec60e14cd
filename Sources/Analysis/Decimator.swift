#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Brings a sample rate down by a whole factor to between 16 and 32 kHz, through a low-pass.
///
/// The low-pass is a sinc under a Kaiser window, symmetric, so that nothing is shifted in time:
/// flat to 0.43 and down by 66 dB from 0.57 of the new rate on. Rates under 32 kHz stay.
struct Decimator {
    /// Samples that become one.
    let factor: Int
    /// Samples needed on each side of the one that an output is centred on.
    let reach: Int
    private let taps: [SIMD8<Float>]

    init(sampleRateHertz: Int) {
        factor = max(1, sampleRateHertz / 16_000)
        reach = factor == 1 ? 0 : 14 * factor
        taps = Decimator.lowPass(reach: reach, factor: factor)
    }

    /// The low-passed sample at the middle of `2 * reach + 8` samples that begin at `first`.
    @inline(__always)
    func output(from first: UnsafePointer<Float>) -> Float {
        let base = UnsafeRawPointer(first)
        var sum = SIMD8<Float>.zero
        var offset = 0
        for weights in taps {
            sum += weights * base.loadUnaligned(fromByteOffset: offset, as: SIMD8<Float>.self)
            offset &+= 32
        }
        return sum.sum()
    }

    /// Samples that `output` reads, the last few of them for nothing.
    var span: Int { 8 * taps.count }

    private static func lowPass(reach: Int, factor: Int) -> [SIMD8<Float>] {
        let beta = 6.2
        let weights = (-reach...reach).map { position -> Double in
            let x = Double.pi * Double(position) / Double(factor)
            let sinc = position == 0 ? 1 : sin(x) / x
            let place = Double(position) / Double(reach + 1)
            return sinc * bessel(beta * (1 - place * place).squareRoot())
        }
        let sum = weights.reduce(0, +)
        return stride(from: 0, to: weights.count, by: 8).map { start in
            var group = SIMD8<Float>.zero
            for lane in 0..<min(8, weights.count - start) {
                group[lane] = Float(weights[start + lane] / sum)
            }
            return group
        }
    }

    /// The modified Bessel function of order zero, by its power series.
    private static func bessel(_ x: Double) -> Double {
        var term = 1.0
        var sum = 1.0
        for k in 1...30 {
            term *= (x / 2 / Double(k)) * (x / 2 / Double(k))
            sum += term
        }
        return sum
    }
}
