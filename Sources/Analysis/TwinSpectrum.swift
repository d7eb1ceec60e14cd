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
        let first = UnsafeRawPointer(first)
        let second = UnsafeRawPointer(second)
        load { index in
            var both = SIMD8<Float>()
            both.evenHalf = (first + 4 &* index).loadUnaligned(as: SIMD4<Float>.self)
            both.oddHalf = (second + 4 &* index).loadUnaligned(as: SIMD4<Float>.self)
            return both
        } one: { index in
            SIMD2(
                (first + 4 &* index).loadUnaligned(as: Float.self),
                (second + 4 &* index).loadUnaligned(as: Float.self))
        }
        transform.run()
        addPowers()
    }

    /// Adds the power of all channels of a stretch of whole frames to one spectrum, 0 or 1.
    func add(_ frames: UnsafePointer<Float>, channels: Int, to lane: Int) {
        for channel in stride(from: 0, to: channels, by: 2) {
            load(frames + channel, channels: channels, isPair: channel + 1 < channels)
            transform.run()
            addPowers(bothTo: lane)
        }
    }

    /// Loads two channels, or the last one alone.
    private func load(_ frames: UnsafePointer<Float>, channels: Int, isPair: Bool) {
        let raw = UnsafeRawPointer(frames)
        func frame(_ index: Int) -> SIMD2<Float> {
            let place = frames + index &* channels
            return SIMD2(place[0], isPair ? place[1] : 0)
        }
        if channels == 2 {
            load {
                (raw + 8 &* $0).loadUnaligned(as: SIMD8<Float>.self)
            } one: {
                frame($0)
            }
        } else {
            load(
                four: { index in
                    SIMD8(
                        lowHalf: SIMD4(lowHalf: frame(index), highHalf: frame(index + 1)),
                        highHalf: SIMD4(lowHalf: frame(index + 2), highHalf: frame(index + 3)))
                }, one: { frame($0) })
        }
    }
}

// MARK: - Four at a time

// Pointers without bounds, since checks would cost more than the sums: places run up to `count`,
// which all buffers have room for, and fours stop before it.
extension TwinSpectrum {
    /// Fills the transform's input with samples under the window, from a place on four or one.
    @inline(__always)
    private func load(four: (Int) -> SIMD8<Float>, one: (Int) -> SIMD2<Float>) {
        let fours = count / 4 * 4
        let input = UnsafeMutableRawBufferPointer(transform.input)
        window.withUnsafeBytes { window in
            for index in stride(from: 0, to: fours, by: 4) {
                let weights = window.loadUnaligned(
                    fromByteOffset: 4 &* index, as: SIMD4<Float>.self)
                var twice = SIMD8<Float>()
                twice.evenHalf = weights
                twice.oddHalf = weights
                input.storeBytes(of: four(index) * twice, toByteOffset: 8 &* index, as: SIMD8.self)
            }
        }
        for index in fours..<count { transform.input[index] = one(index) * window[index] }
    }

    /// Adds the powers of the two signals that were transformed, each to its own spectrum.
    private func addPowers() {
        let quarter = scale / 4
        let signs = SIMD8<Float>(1, -1, 1, -1, 1, -1, 1, -1)
        mirror { bins, mirror in
            let (sum, difference) = (bins + mirror * signs, bins - mirror * signs)
            let (squares, others) = (sum * sum, difference * difference)
            var powers = SIMD8<Float>()
            powers.evenHalf = squares.evenHalf + squares.oddHalf
            powers.oddHalf = others.evenHalf + others.oddHalf
            return quarter * powers
        }
    }

    /// Adds the powers of both signals to one spectrum.
    private func addPowers(bothTo lane: Int) {
        let half = scale / 2
        let (first, second) = lane == 0 ? (half, 0) : (0, half)
        mirror { bins, mirror in
            let squares = bins * bins + mirror * mirror
            let sums = squares.evenHalf + squares.oddHalf
            var powers = SIMD8<Float>()
            powers.evenHalf = first * sums
            powers.oddHalf = second * sums
            return powers
        }
    }

    /// Adds what `power` makes of four bins and of their mirror images.
    @inline(__always)
    private func mirror(_ power: (SIMD8<Float>, SIMD8<Float>) -> SIMD8<Float>) {
        let (bins, count, half) = (transform.output, count, powers.count)
        // Out of the object, so that the sums can be written without asking who else holds them.
        var sums = powers
        powers = []
        sums.withUnsafeMutableBytes { sums in
            // The first bin is its own mirror image, and those of the others run backward.
            var bin = 0
            while bin < half {
                if bin > 0 && bin &+ 4 <= half {
                    let back = bins.four(at: count &- bin &- 3).backward
                    sums.add(power(bins.four(at: bin), back), atByte: 8 &* bin)
                    bin = bin &+ 4
                } else {
                    let back = bins[bin == 0 ? 0 : count &- bin]
                    let one = power(SIMD8(bins[bin]), SIMD8(back))
                    sums.add(one.lowHalf.lowHalf, atByte: 8 &* bin)
                    bin = bin &+ 1
                }
            }
        }
        powers = sums
    }
}

extension SIMD8<Float> {
    /// One complex number, and zeros.
    fileprivate init(_ number: SIMD2<Float>) {
        self.init(number[0], number[1], 0, 0, 0, 0, 0, 0)
    }

    /// Four complex numbers from the last to the first.
    @inline(__always)
    fileprivate var backward: SIMD8<Float> {
        SIMD8(self[6], self[7], self[4], self[5], self[2], self[3], self[0], self[1])
    }
}

extension UnsafeMutableBufferPointer<SIMD2<Float>> {
    @inline(__always)
    fileprivate func four(at place: Int) -> SIMD8<Float> {
        UnsafeRawBufferPointer(self).loadUnaligned(fromByteOffset: 8 &* place, as: SIMD8.self)
    }
}

extension UnsafeMutableRawBufferPointer {
    @inline(__always)
    fileprivate func add<Vector: SIMD>(_ vector: Vector, atByte offset: Int)
    where Vector.Scalar == Float {
        let old = loadUnaligned(fromByteOffset: offset, as: Vector.self)
        storeBytes(of: old + vector, toByteOffset: offset, as: Vector.self)
    }
}
