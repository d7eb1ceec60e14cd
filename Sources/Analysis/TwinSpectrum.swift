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

    private let transform: FourierTransform
    private let window: [Float]
    private let scale: Float

    /// Spectra of so many samples as the window has, multiplied by `scale`.
    init(window: [Float], scale: Float) {
        precondition(window.count.isMultiple(of: 2), "half of the bins mirror the others")
        count = window.count
        self.window = window
        self.scale = scale
        transform = FourierTransform(count: count)
        powers = Array(repeating: .zero, count: count / 2)
    }

    /// Begins another two spectra.
    func clear() {
        powers.withUnsafeMutableBufferPointer { $0.update(repeating: .zero) }
    }

    /// Adds the power of two stretches of one channel, each to its own spectrum.
    func add(_ first: UnsafePointer<Float>, _ second: UnsafePointer<Float>) {
        load(first, second, stride: 1)
        transform.run()
        addPowers(to: nil)
    }

    /// Adds the power of all channels of a stretch of whole frames to one spectrum, 0 or 1.
    func add(_ frames: UnsafePointer<Float>, channels: Int, to lane: Int) {
        for channel in stride(from: 0, to: channels, by: 2) {
            // The last of an odd number stands alone, which is half of it twice.
            let second = min(channel + 1, channels - 1)
            load(frames + channel, frames + second, stride: channels)
            transform.run()
            addPowers(to: lane, share: second == channel ? 0.5 : 1)
        }
    }
}

// MARK: - Loops

// Pointers without bounds: callers lend `count` samples of each signal, the transform's input and
// output hold as many pairs, and there are powers for half of them.
extension TwinSpectrum {
    /// Fills the transform's input with samples under the window.
    private func load(
        _ first: UnsafePointer<Float>, _ second: UnsafePointer<Float>, stride: Int
    ) {
        window.withUnsafeBufferPointer { window in
            transform.input.withMemoryRebound(to: Float.self) { input in
                guard let window = window.baseAddress, let input = input.baseAddress else { return }
                lanes_window_pairs(first, second, stride, window, input, count)
            }
        }
    }

    /// Adds the powers of the two signals that were transformed, each to its own spectrum, or both
    /// to one.
    private func addPowers(to lane: Int?, share: Float = 1) {
        let (scale, count) = (scale * share, count)
        transform.output.withMemoryRebound(to: Float.self) { bins in
            powers.withUnsafeMutableBufferPointer { powers in
                powers.withMemoryRebound(to: Float.self) { powers in
                    guard let bins = bins.baseAddress, let powers = powers.baseAddress else {
                        return
                    }
                    if let lane {
                        lanes_add_joint_powers(bins, count, scale, lane, powers)
                    } else {
                        lanes_add_twin_powers(bins, count, scale, powers)
                    }
                }
            }
        }
    }
}
