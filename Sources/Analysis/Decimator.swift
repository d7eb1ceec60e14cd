#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Brings a sample rate down by a whole factor to between 16 and 32 kHz, through a low-pass.
///
/// The low-pass is a sinc under a Kaiser window, symmetric, so that nothing is shifted in time:
/// flat to 6.9 kHz, above which nothing is looked for by itself, and down by 66 dB where sound would
/// fold back below that. Rates under 32 kHz stay.
struct Decimator {
    /// Samples that become one.
    let factor: Int
    /// Samples needed on each side of the one that an output is centred on.
    let reach: Int
    private let taps: [SIMD8<Float>]

    init(sampleRateHertz: Int) {
        factor = max(1, sampleRateHertz / 16_000)
        let rate = Double(sampleRateHertz) / Double(factor)
        reach = factor == 1 ? 0 : Decimator.reach(rate: rate) * factor
        taps = Decimator.lowPass(reach: reach, factor: factor)
    }

    /// So many samples at the lower rate: the wider the way from what passes to what folds back onto
    /// it, the shorter the low-pass.
    private static func reach(rate: Double) -> Int {
        let way = 1 - 2 * highestHertz / rate
        return max(3, Int((kaiserReach / way).rounded(.up)))
    }

    private static let highestHertz = 6900.0
    /// For a window that is 66 dB down.
    private static let kaiserReach = 1.925

    /// Samples that one output reads, the last few of them for nothing.
    var span: Int { 8 * taps.count }

    /// Fills `outputs` with the low-passed samples at `reach`, `reach + factor`, … of `source`.
    func decimate(
        _ source: UnsafeBufferPointer<Float>, into outputs: UnsafeMutableBufferPointer<Float>
    ) {
        guard let last = outputs.indices.last else { return }
        precondition(last * factor + span <= source.count, "the low-pass reads what is there")
        guard let base = UnsafeRawPointer(source.baseAddress) else { return }
        taps.withUnsafeBufferPointer { taps in
            var output = 0
            while output + 4 <= outputs.count {
                fourOutputs(taps, base + 4 * output * factor, outputs, at: output)
                output += 4
            }
            for output in output..<outputs.count {
                outputs[output] = oneOutput(taps, base + 4 * output * factor)
            }
        }
    }

    @inline(__always)
    private func oneOutput(
        _ taps: UnsafeBufferPointer<SIMD8<Float>>, _ source: UnsafeRawPointer
    ) -> Float {
        var sum = SIMD8<Float>.zero
        for group in taps.indices {
            sum += taps[group] * source.loadUnaligned(fromByteOffset: 32 &* group, as: SIMD8.self)
        }
        return sum.sum()
    }

    /// Four outputs side by side, in the same order of additions as one, so that the result does
    /// not depend on how many were asked for at once.
    @inline(__always)
    private func fourOutputs(
        _ taps: UnsafeBufferPointer<SIMD8<Float>>, _ source: UnsafeRawPointer,
        _ outputs: UnsafeMutableBufferPointer<Float>, at output: Int
    ) {
        let step = 4 &* factor
        var first = SIMD8<Float>.zero
        var second = SIMD8<Float>.zero
        var third = SIMD8<Float>.zero
        var fourth = SIMD8<Float>.zero
        for group in taps.indices {
            let weights = taps[group]
            let place = source + 32 &* group
            first += weights * place.loadUnaligned(as: SIMD8.self)
            second += weights * place.loadUnaligned(fromByteOffset: step, as: SIMD8.self)
            third += weights * place.loadUnaligned(fromByteOffset: 2 &* step, as: SIMD8.self)
            fourth += weights * place.loadUnaligned(fromByteOffset: 3 &* step, as: SIMD8.self)
        }
        outputs[output] = first.sum()
        outputs[output + 1] = second.sum()
        outputs[output + 2] = third.sum()
        outputs[output + 3] = fourth.sum()
    }

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
