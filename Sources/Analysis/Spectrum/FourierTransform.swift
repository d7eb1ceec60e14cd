import CFFTW
import Synchronization

/// An unscaled single-precision FFT of `count` complex numbers, by FFTW.
///
/// Each instance owns its buffers and belongs to one thread. Equal inputs give equal bits in every
/// instance, as FFTW uses one plan per size.
final class FourierTransform {
    let count: Int
    private let plan: FourierPlan
    private let input: AlignedNumbers<fftwf_complex>
    private let output: AlignedNumbers<fftwf_complex>

    /// Takes up to a few milliseconds for the first of a size, and next to nothing for later ones.
    init(count: Int) {
        precondition(count > 0, "a transform has numbers")
        self.count = count
        plan = FourierPlan.shared(count)
        input = AlignedNumbers(repeating: (0, 0), count: count)
        output = AlignedNumbers(repeating: (0, 0), count: count + 1)
    }

    /// The input, real and imaginary parts interleaved; valid while the object lives.
    var numbers: UnsafeMutablePointer<Float> {
        UnsafeMutableRawPointer(input.start).assumingMemoryBound(to: Float.self)
    }

    /// The bins in order, interleaved like `numbers`, followed by a copy of the first bin; valid
    /// while the object lives.
    var bins: UnsafePointer<Float> {
        UnsafeRawPointer(output.start).assumingMemoryBound(to: Float.self)
    }

    func run() {
        fftwf_execute_dft(plan.pointer, input.start, output.start)
        output.start[count] = output.start[0]
    }
}

/// The FFTW plan for one size, created once per process.
private struct FourierPlan: @unchecked Sendable {
    // Unchecked because it holds a pointer. The plan is never changed or freed, and FFTW lets
    // several threads execute it at once on separate buffers.
    let pointer: fftwf_plan

    /// Plans by size; there are about a hundred sizes over all sample rates.
    ///
    /// The lock also serializes FFTW's planner, which is not thread-safe.
    private static let known = Mutex<[Int: FourierPlan]>([:])

    static func shared(_ count: Int) -> FourierPlan {
        known.withLock { known in
            if let plan = known[count] { return plan }
            let plan = FourierPlan(count: count)
            known[count] = plan
            return plan
        }
    }

    /// Plans by rules (estimate), independent of earlier plans.
    ///
    /// If FFTW measured instead, runs could choose different plans, whose results differ in the
    /// last bits.
    private init(count: Int) {
        // Only the alignment of the buffers affects the plan, and it is always the same.
        let input = AlignedNumbers<fftwf_complex>(count: count)
        let output = AlignedNumbers<fftwf_complex>(count: count)
        fftwf_forget_wisdom()
        // FFTW has a plan for any size, so this fails only without memory.
        guard
            let plan = fftwf_plan_dft_1d(
                Int32(count), input.start, output.start, FFTW_FORWARD, UInt32(FFTW_ESTIMATE))
        else { fatalError("FFTW has no plan for \(count) numbers") }
        pointer = plan
    }
}
