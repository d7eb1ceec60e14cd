import CFFTW
import Synchronization

/// The Fourier transform of `count` complex samples, in single precision.
///
/// Write to `input`, call `run()`, read `output`. Each instance owns its buffers and belongs to one
/// thread; plans are made once per size and shared by all. Two real signals go through one
/// transform in less time than one through a transform of real samples: see `TwinSpectrum`.
package final class FourierTransform {
    /// A real and an imaginary part.
    package typealias Complex = SIMD2<Float>

    /// Complex samples that go in, and bins that come out.
    package let count: Int
    /// `count` samples, left as they are by `run()`.
    package let input: UnsafeMutableBufferPointer<Complex>
    /// `count` bins, bin `k` standing for `k / count` of the sample rate.
    package let output: UnsafeMutableBufferPointer<Complex>

    private let plan: FourierPlan
    private let samples: UnsafeMutablePointer<fftwf_complex>
    private let bins: UnsafeMutablePointer<fftwf_complex>

    /// A transform of `count` samples, at least one; sizes of small prime factors are fast.
    package init(count: Int) {
        precondition(count > 0, "a transform has a length")
        self.count = count
        plan = FourierPlan.shared(count: count)
        guard let samples = fftwf_alloc_complex(count), let bins = fftwf_alloc_complex(count + 1)
        else {
            // A few kilobytes: a process that cannot have them can do nothing else either.
            fatalError("no memory for a Fourier transform of \(count) samples")
        }
        samples.initialize(repeating: (0, 0), count: count)
        bins.initialize(repeating: (0, 0), count: count + 1)
        self.samples = samples
        self.bins = bins
        input = FourierTransform.pairs(samples, count)
        output = FourierTransform.pairs(bins, count)
    }

    deinit {
        fftwf_free(samples)
        fftwf_free(bins)
    }

    /// `input` as numbers, a real part and an imaginary one in turn.
    var inputNumbers: UnsafeMutablePointer<Float> { FourierTransform.numbers(samples) }
    /// `output` as numbers, and behind its last bin the first once more, with which bins repeat.
    var outputNumbers: UnsafePointer<Float> { UnsafePointer(FourierTransform.numbers(bins)) }

    /// Transforms `input` into `output`, without scaling.
    package func run() {
        // Plans out of place keep their input, and both buffers are aligned like the ones the plan
        // was made for, since the same allocator made them.
        fftwf_execute_dft(plan.handle, samples, bins)
        bins[count] = bins[0]
    }

    /// `Complex` and `fftwf_complex` are the same pair of floats, and the allocator aligns for
    /// both.
    private static func pairs(
        _ pairs: UnsafeMutablePointer<fftwf_complex>, _ count: Int
    ) -> UnsafeMutableBufferPointer<Complex> {
        UnsafeMutableRawBufferPointer(
            start: pairs, count: count * MemoryLayout<Complex>.stride
        ).assumingMemoryBound(to: Complex.self)
    }

    /// Memory that is bound to pairs of floats is bound to floats.
    private static func numbers(
        _ pairs: UnsafeMutablePointer<fftwf_complex>
    ) -> UnsafeMutablePointer<Float> {
        UnsafeMutableRawPointer(pairs).assumingMemoryBound(to: Float.self)
    }
}

/// A way of computing transforms of one size, kept for the life of the process.
struct FourierPlan: @unchecked Sendable {
    // Unchecked, because a plan is a raw pointer: it is never changed or freed once made, and
    // FFTW documents that threads may execute one plan on different buffers at the same time.
    let handle: fftwf_plan

    /// Plans by size; also the lock around FFTW's planner, which only one thread may enter.
    private static let cache = Mutex<[Int: FourierPlan]>([:])

    /// Keeps others out of the planner meanwhile.
    static func withPlanner<Result>(_ body: () -> sending Result) -> sending Result {
        cache.withLock { _ in body() }
    }

    static func shared(count: Int) -> FourierPlan {
        cache.withLock { plans in
            // A library that does not understand it estimates.
            if plans.isEmpty { fftwf_import_wisdom_from_string(FourierWisdom.text) }
            if let plan = plans[count] { return plan }
            let plan = FourierPlan(count: count)
            plans[count] = plan
            return plan
        }
    }

    /// Plans by what was measured once, or else by estimate, and measures nothing itself, so that
    /// every run takes the same way to the same bits.
    private init(count: Int) {
        let samples = fftwf_alloc_complex(count)
        let bins = fftwf_alloc_complex(count)
        defer {
            fftwf_free(samples)
            fftwf_free(bins)
        }
        let flags = UInt32(FFTW_ESTIMATE) | UInt32(FFTW_PRESERVE_INPUT)
        guard let plan = fftwf_plan_dft_1d(Int32(count), samples, bins, FFTW_FORWARD, flags) else {
            // FFTW plans every length; it gives none only where it has no memory.
            fatalError("no plan for a Fourier transform of \(count) samples")
        }
        handle = plan
    }
}
