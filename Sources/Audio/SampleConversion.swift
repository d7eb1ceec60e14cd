import CLanes
import Recordings

/// The arithmetic between the encodings' samples and the two views of a block.
///
/// Each loop is over plain buffers of equal length, without branches, so that the compiler can take
/// several samples at once.
enum SampleConversion {
    /// 16-bit samples to full scale ±1.
    static func widen(
        _ int16: UnsafeBufferPointer<Int16>, into samples: UnsafeMutableBufferPointer<Float>
    ) {
        precondition(samples.count >= int16.count, "there is room for all")
        guard let from = int16.baseAddress, let to = samples.baseAddress else { return }
        lanes_widen(from, int16.count, to)
    }

    /// Left-aligned 32-bit samples to both views; 16 bits by shifting, that is, downward.
    static func narrow(
        _ int32: UnsafeBufferPointer<Int32>, samples: UnsafeMutableBufferPointer<Float>,
        int16: UnsafeMutableBufferPointer<Int16>
    ) {
        for index in int32.indices {
            samples[index] = Float(int32[index]) * 0x1p-31
            int16[index] = Int16(truncatingIfNeeded: int32[index] >> 16)
        }
    }

    /// Decoded samples of a lossy encoding to 16 bits: times 32767, to the nearest, clamped.
    static func round(
        _ samples: UnsafeMutableBufferPointer<Float>, into int16: UnsafeMutableBufferPointer<Int16>
    ) {
        for index in samples.indices {
            let sample = measurable(samples[index])
            samples[index] = sample
            int16[index] = nearest(clamped(sample * 32767))
        }
    }

    /// Floating-point samples to 16 bits: times 32767, toward zero, clamped.
    static func truncate(
        _ samples: UnsafeMutableBufferPointer<Float>, into int16: UnsafeMutableBufferPointer<Int16>
    ) {
        for index in samples.indices {
            let sample = measurable(samples[index])
            samples[index] = sample
            int16[index] = nearest(towardZero(clamped(sample * 32767)))
        }
    }

    /// Zero for what is no number, or beyond all measure.
    @inline(__always)
    private static func measurable(_ sample: Float) -> Float {
        abs(sample) <= AudioBlock.largestSample ? sample : 0
    }

    @inline(__always)
    private static func clamped(_ scaled: Float) -> Float {
        let low: Float = scaled > -32768 ? scaled : -32768
        return low < 32767 ? low : 32767
    }

    /// The nearest integer, halves to even.
    ///
    /// Adding 1.5·2²³ leaves no room for a fraction, so the processor rounds, and the integer's
    /// two's complement stands in the low bits of the sum. Unlike Swift's conversions this cannot
    /// trap, so that the loop around it is not held up.
    @inline(__always)
    private static func nearest(_ scaled: Float) -> Int16 {
        Int16(truncatingIfNeeded: (scaled + 0x1.8p23).bitPattern)
    }

    /// Without its fraction; by the same means, and as quickly.
    @inline(__always)
    private static func towardZero(_ scaled: Float) -> Float {
        let magnitude = abs(scaled)
        let nearest = (magnitude + 0x1p23) - 0x1p23
        let whole = nearest > magnitude ? nearest - 1 : nearest
        return scaled < 0 ? -whole : whole
    }
}
