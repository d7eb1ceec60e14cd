import CLanes
import Recordings

/// The arithmetic between the encodings' samples and the two views of a block, for buffers of equal
/// length.
enum SampleConversion {
    /// 16-bit samples to full scale ±1.
    static func widen(
        _ int16: UnsafeBufferPointer<Int16>, into samples: UnsafeMutableBufferPointer<Float>
    ) {
        precondition(samples.count == int16.count, "a sample for each")
        guard let from = int16.baseAddress, let to = samples.baseAddress else { return }
        lanes_widen(from, int16.count, to)
    }

    /// Left-aligned 32-bit samples to both views; 16 bits by shifting, that is, downward.
    static func narrow(
        _ int32: UnsafeBufferPointer<Int32>, samples: UnsafeMutableBufferPointer<Float>,
        int16: UnsafeMutableBufferPointer<Int16>
    ) {
        precondition(samples.count == int32.count && int16.count == int32.count, "both of each")
        guard let from = int32.baseAddress, let wide = samples.baseAddress,
            let narrow = int16.baseAddress
        else { return }
        lanes_narrow(from, int32.count, wide, narrow)
    }

    /// How many samples of each of so many channels, interleaved, are no numbers or infinite; empty
    /// where there are none.
    static func nonFinite(in samples: UnsafeBufferPointer<Float>, channels: Int) -> [Int] {
        guard let from = samples.baseAddress else { return [] }
        return withUnsafeTemporaryAllocation(of: Int.self, capacity: channels) { counts in
            counts.initialize(repeating: 0)
            // One count for each channel, as many as there are.
            guard let first = counts.baseAddress,
                lanes_count_unbounded(from, samples.count, channels, first) > 0
            else { return [] }
            return Array(counts)
        }
    }

    /// Decoded samples of a lossy encoding to 16 bits: times 32767, to the nearest, clamped.
    ///
    /// What is no number, or beyond all measure, becomes zero in both views, here and below.
    static func round(
        _ samples: UnsafeMutableBufferPointer<Float>, into int16: UnsafeMutableBufferPointer<Int16>
    ) {
        precondition(samples.count == int16.count, "a sample for each")
        guard let from = samples.baseAddress, let to = int16.baseAddress else { return }
        lanes_round(from, samples.count, AudioBlock.largestSample, to)
    }

    /// Floating-point samples to 16 bits: times 32767, toward zero, clamped.
    static func truncate(
        _ samples: UnsafeMutableBufferPointer<Float>, into int16: UnsafeMutableBufferPointer<Int16>
    ) {
        precondition(samples.count == int16.count, "a sample for each")
        guard let from = samples.baseAddress, let to = int16.baseAddress else { return }
        lanes_truncate(from, samples.count, AudioBlock.largestSample, to)
    }
}
