import CFFTW
import Synchronization

/// A Fourier transform of so many complex numbers in single precision, without scaling, by FFTW.
///
/// Each instance owns its numbers and belongs to one thread. The same numbers come to the same
/// bits in every instance, as FFTW makes all transforms of a size in the same way.
final class FourierTransform {
    let count: Int
    private let plan: FourierPlan
    private let input: AlignedNumbers<fftwf_complex>
    private let output: AlignedNumbers<fftwf_complex>

    /// The first of a size takes up to some milliseconds, any further one hardly anything.
    init(count: Int) {
        precondition(count > 0, "a transform has numbers")
        self.count = count
        plan = FourierPlan.shared(count)
        input = AlignedNumbers(repeating: (0, 0), count: count)
        output = AlignedNumbers(repeating: (0, 0), count: count + 1)
    }

    /// Real and imaginary parts in turn, to be written before `run()` while the object lives.
    var numbers: UnsafeMutablePointer<Float> {
        UnsafeMutableRawPointer(input.start).assumingMemoryBound(to: Float.self)
    }

    /// The bins in order, as `numbers` are, and behind them the first once more, with which they
    /// repeat; to be read while the object lives.
    var bins: UnsafePointer<Float> {
        UnsafeRawPointer(output.start).assumingMemoryBound(to: Float.self)
    }

    func run() {
        fftwf_execute_dft(plan.pointer, input.start, output.start)
        output.start[count] = output.start[0]
    }
}

/// How FFTW makes the transforms of one size, found out once in the life of the process.
private struct FourierPlan: @unchecked Sendable {
    // Unchecked, because it is a pointer: what it points to is neither changed nor freed once it is
    // there, and FFTW lets any threads execute a plan at once, each on numbers of its own.
    let pointer: fftwf_plan

    /// By size, of which there are a hundred or so, whatever the sample rate.
    ///
    /// The lock is also that around FFTW's planner, in which there may be one thread alone.
    private static let known = Mutex<[Int: FourierPlan]>([:])

    static func shared(_ count: Int) -> FourierPlan {
        known.withLock { known in
            if let plan = known[count] { return plan }
            let plan = FourierPlan(count: count)
            known[count] = plan
            return plan
        }
    }

    /// Chosen by rules, and not by the plans that were made before.
    ///
    /// Where FFTW takes the time instead, one run may choose otherwise than the next, and the last
    /// bits with it.
    private init(count: Int) {
        // Only where the numbers lie towards a line of the cache counts, which is always the same.
        let input = AlignedNumbers<fftwf_complex>(count: count)
        let output = AlignedNumbers<fftwf_complex>(count: count)
        fftwf_forget_wisdom()
        // There is a plan for any number of numbers; without one there is no memory either.
        guard
            let plan = fftwf_plan_dft_1d(
                Int32(count), input.start, output.start, FFTW_FORWARD, UInt32(FFTW_ESTIMATE))
        else { fatalError("FFTW has no plan for \(count) numbers") }
        pointer = plan
    }
}
