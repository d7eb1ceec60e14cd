import CLanes

/// The power spectra of two real signals by one complex transform.
///
/// One signal is the real part of what is transformed, the other the imaginary part. The spectrum
/// of a real signal is its own mirror image but for the sign of the imaginary parts, so half the sum
/// of a bin and of its mirror image's conjugate belongs to the one signal, and half the difference
/// to the other (Cooley, Lewis and Welch, Journal of Sound and Vibration 12, 1970).
final class TwinSpectrum {
    /// Samples that go in of each signal; even.
    let count: Int
    /// Powers of both signals, bin by bin, of `count / 2` bins: those of the first signal in the
    /// first lane, those of the second in the second.
    private(set) var powers: [SIMD2<Float>]

    private let first: FourierTransform
    /// For signals of several channels, of which each takes a transform of its own.
    private let second: FourierTransform
    private let window: [Float]
    private let scale: Float

    /// Spectra of so many samples as the window has, multiplied by `scale`.
    init(window: [Float], scale: Float) {
        precondition(window.count.isMultiple(of: 2), "half of the bins mirror the others")
        count = window.count
        self.window = window
        self.scale = scale
        first = FourierTransform(count: count)
        second = FourierTransform(count: count)
        powers = Array(repeating: .zero, count: count / 2)
    }

    /// Brings the powers of two stretches of so many channels each into `powers`, those of all
    /// channels added up; both may be the same.
    func measure(
        _ one: UnsafePointer<Float>, _ other: UnsafePointer<Float>, channels: Int
    ) {
        powers.withUnsafeMutableBufferPointer { $0.update(repeating: .zero) }
        if channels == 1 {
            transform(one, other, stride: 1, by: first)
            addPowers(share: 1, of: first)
            return
        }
        for channel in stride(from: 0, to: channels, by: 2) {
            // The last of an odd number stands alone, which is half of it twice.
            let next = min(channel + 1, channels - 1)
            transform(one + channel, one + next, stride: channels, by: first)
            if other != one {
                transform(other + channel, other + next, stride: channels, by: second)
            }
            addPowers(
                share: next == channel ? 0.5 : 1, of: first, and: other == one ? first : second)
        }
    }
}

// MARK: - Loops

// Pointers without bounds: callers lend `count` samples of each signal, the transforms' inputs and
// outputs hold as many pairs, and there are powers for half of them.
extension TwinSpectrum {
    /// Transforms the samples of two signals under the window.
    private func transform(
        _ one: UnsafePointer<Float>, _ other: UnsafePointer<Float>, stride: Int,
        by transform: FourierTransform
    ) {
        window.withUnsafeBufferPointer {
            // A window is never empty, so it has an address.
            guard let window = $0.baseAddress else { return }
            lanes_window_pairs(one, other, stride, window, transform.inputNumbers, count)
        }
        transform.run()
    }

    /// Adds the powers of two signals that were transformed together, or, where there is a second
    /// transform, of those of each together.
    private func addPowers(
        share: Float, of first: FourierTransform, and second: FourierTransform? = nil
    ) {
        let (scale, count, bins) = (scale * share, count, first.outputNumbers)
        powers.withUnsafeMutableBufferPointer { powers in
            powers.withMemoryRebound(to: Float.self) { powers in
                guard let powers = powers.baseAddress else { return }
                if let second {
                    lanes_add_joint_powers(bins, second.outputNumbers, count, scale, powers)
                } else {
                    lanes_add_twin_powers(bins, count, scale, powers)
                }
            }
        }
    }
}
