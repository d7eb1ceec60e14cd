import CLanes

/// The power spectra of two stretches of sound, two real signals by each complex transform.
///
/// These are the stretches themselves, or, where there are several channels, two channels of one.
/// One signal is the real part of what is transformed, the other the imaginary part. The spectrum
/// of a real signal is its own mirror image but for the sign of the imaginary parts, so half the
/// sum of a bin and of its mirror image's conjugate belongs to the one signal, and half the
/// difference to the other (Cooley, Lewis and Welch, Journal of Sound and Vibration 12, 1970).
final class TwinSpectrum {
    /// Samples that go in of each channel of a stretch; even.
    let count: Int
    /// Powers of both stretches, bin by bin, of `count / 2` bins: those of the first stretch in the
    /// first lane, those of the second in the second.
    ///
    /// To be read while the object lives.
    let powers: UnsafeBufferPointer<SIMD2<Float>>

    /// The same, one number behind the other.
    private let numbers: UnsafeMutableBufferPointer<Float>
    private let transform: FourierTransform
    /// For the second stretch, where two channels of the first take a transform; most recordings
    /// have one channel, and never ask for it.
    private lazy var secondTransform = FourierTransform(count: count)
    private let window: [Float]
    private let scale: Float

    /// Spectra of so many samples as the window has, multiplied by `scale`.
    init(window: [Float], scale: Float) {
        precondition(window.count.isMultiple(of: 2), "half of the bins mirror the others")
        count = window.count
        self.window = window
        self.scale = scale
        transform = FourierTransform(count: count)
        numbers = .allocate(capacity: count)
        numbers.initialize(repeating: 0)
        // Pairs of numbers are numbers, and memory for pairs is what the allocator aligns for.
        powers = UnsafeRawBufferPointer(numbers).assumingMemoryBound(to: SIMD2<Float>.self)
    }

    deinit { numbers.deallocate() }

    /// Brings the powers of two stretches of so many channels each into `powers`, those of all
    /// channels added up; both may be the same.
    func measure(
        _ one: UnsafePointer<Float>, _ other: UnsafePointer<Float>, channels: Int
    ) {
        if channels == 1 {
            run(transform, one, other, stride: 1)
            lanes_twin_powers(transform.outputNumbers, count, scale, powerNumbers)
            return
        }
        let second = other == one ? transform : secondTransform
        for channel in stride(from: 0, to: channels, by: 2) {
            // The last of an odd number stands alone, which is half of it twice.
            let next = min(channel + 1, channels - 1)
            run(transform, one + channel, one + next, stride: channels)
            if other != one { run(second, other + channel, other + next, stride: channels) }
            let share: Float = next == channel ? 0.5 : 1
            lanes_joint_powers(
                transform.outputNumbers, second.outputNumbers, count, scale * share,
                channel > 0 ? 1 : 0, powerNumbers)
        }
    }
}

// MARK: - Loops

// Pointers without bounds: callers lend `count` samples of each signal, the transforms' inputs hold
// as many pairs and their outputs one more, and there are powers for half of them.
extension TwinSpectrum {
    /// Transforms the samples of two signals under the window.
    private func run(
        _ transform: FourierTransform, _ one: UnsafePointer<Float>, _ other: UnsafePointer<Float>,
        stride: Int
    ) {
        window.withUnsafeBufferPointer {
            // A window is never empty, so it has an address.
            guard let window = $0.baseAddress else { return }
            lanes_window_pairs(one, other, stride, window, transform.inputNumbers, count)
        }
        transform.run()
    }

    private var powerNumbers: UnsafeMutablePointer<Float> {
        // There are at least two, as the window is never empty.
        guard let first = numbers.baseAddress else { preconditionFailure("no memory for powers") }
        return first
    }
}
