import CFFTW
import Synchronization

/// The Fourier transform of `count` real samples, in single precision.
///
/// Write to `input`, call `run()`, read `output`. Each instance owns its buffers and belongs to one
/// thread; plans are made once per size and shared by all.
package final class FourierTransform {
    /// Bin `k` as real and imaginary part.
    package typealias Bin = (real: Float, imaginary: Float)

    /// Real samples that go in.
    package let count: Int
    /// `count` samples, left as they are by `run()`.
    package let input: UnsafeMutableBufferPointer<Float>
    /// `count / 2 + 1` bins, bin `k` standing for `k / count` of the sample rate.
    package let output: UnsafeMutableBufferPointer<Bin>

    private let plan: FourierPlan
    private let bins: UnsafeMutablePointer<fftwf_complex>

    /// A transform of `count` samples, which must be even; sizes of small prime factors are fast.
    package init(count: Int) {
        precondition(count > 0 && count.isMultiple(of: 2), "a transform has an even length")
        self.count = count
        plan = FourierPlan.shared(count: count)
        let binCount = count / 2 + 1
        guard let samples = fftwf_alloc_real(count), let bins = fftwf_alloc_complex(binCount) else {
            // A few kilobytes: a process that cannot have them can do nothing else either.
            fatalError("no memory for a Fourier transform of \(count) samples")
        }
        samples.initialize(repeating: 0, count: count)
        bins.initialize(repeating: (0, 0), count: binCount)
        self.bins = bins
        input = UnsafeMutableBufferPointer(start: samples, count: count)
        // `Bin` and `fftwf_complex` are the same pair of floats, one with names to its parts.
        output = UnsafeMutableRawBufferPointer(
            start: bins, count: binCount * MemoryLayout<Bin>.stride
        ).assumingMemoryBound(to: Bin.self)
    }

    deinit {
        fftwf_free(input.baseAddress)
        fftwf_free(bins)
    }

    /// Transforms `input` into `output`, without scaling.
    package func run() {
        // The input is preserved by plans of one dimension, and both buffers are aligned like the
        // ones the plan was made for, since the same allocator made them.
        fftwf_execute_dft_r2c(plan.handle, input.baseAddress, bins)
    }
}

/// A way of computing transforms of one size, kept for the life of the process.
private struct FourierPlan: @unchecked Sendable {
    // Unchecked, because a plan is a raw pointer: it is never changed or freed once made, and
    // FFTW documents that threads may execute one plan on different buffers at the same time.
    let handle: fftwf_plan

    /// Plans by size; also the lock around FFTW's planner, which only one thread may enter.
    private static let cache = Mutex<[Int: FourierPlan]>([:])

    static func shared(count: Int) -> FourierPlan {
        cache.withLock { plans in
            if let plan = plans[count] { return plan }
            let plan = FourierPlan(count: count)
            plans[count] = plan
            return plan
        }
    }

    /// Plans by estimate, not by measuring, so that every run takes the same way to the same bits.
    private init(count: Int) {
        let samples = fftwf_alloc_real(count)
        let bins = fftwf_alloc_complex(count / 2 + 1)
        defer {
            fftwf_free(samples)
            fftwf_free(bins)
        }
        let flags = UInt32(FFTW_ESTIMATE) | UInt32(FFTW_PRESERVE_INPUT)
        guard let plan = fftwf_plan_dft_r2c_1d(Int32(count), samples, bins, flags) else {
            // FFTW plans every length; it gives none only where it has no memory.
            fatalError("no plan for a Fourier transform of \(count) samples")
        }
        handle = plan
    }
}
