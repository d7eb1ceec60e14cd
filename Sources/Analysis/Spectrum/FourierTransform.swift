import CLanes
import Glibc

/// The Fourier transforms of sixteen series of complex numbers at once, in single precision.
///
/// Lay signals into it, call `run()`, and read `numbers` where the plan says that bins stand. Each
/// series has a lane of its own, so a vector of whatever width is full in every step, nothing is
/// shuffled, and the bits are the same on every processor and whatever the other lanes hold. Each
/// instance owns its numbers and belongs to one thread; plans may be shared.
package final class FourierTransform {
    /// Transforms that are made at once.
    package static let lanes = Int(LANES_TRANSFORMS)

    let plan: FourierPlan
    private let room: AlignedNumbers<Float>

    package init(plan: FourierPlan) {
        self.plan = plan
        room = AlignedNumbers(count: 2 * FourierTransform.lanes * plan.count)
    }

    /// The numbers one behind the other, each so many lanes of a real and as many of an imaginary
    /// part; to be used while the object lives.
    package var numbers: UnsafeMutablePointer<Float> { room.start }

    /// Lays two real signals into each transform, one as real and one as imaginary parts, under a
    /// window of as many weights as there are numbers.
    ///
    /// The signals begin at so many samples behind `samples`, a place for each lane, and from one
    /// of their samples to the next it is `stride` of them.
    package func lay(
        _ samples: UnsafePointer<Float>, firsts: UnsafePointer<Int>, seconds: UnsafePointer<Int>,
        stride: Int, window: [Float]
    ) {
        precondition(window.count == plan.count, "there is a weight for each number")
        lanes_lay_signals(samples, firsts, seconds, stride, window, plan.count, numbers)
    }

    /// Transforms the numbers where they stand, without scaling.
    ///
    /// - Parameter squares: whether only the squares of their magnitudes are wanted: these stand
    ///   where real parts would, and imaginary ones mean nothing.
    package func run(squares: Bool = false) {
        lanes_transform(numbers, plan.count, plan.steps, plan.steps.count, squares ? 1 : 0)
    }
}

/// How transforms of one size are made: by decimation in frequency (Gentleman and Sande, "Fast
/// Fourier Transforms for Fun and Profit", 1966), in place, so that bins are not left in order.
package final class FourierPlan: @unchecked Sendable {
    // Unchecked, because steps point to their twiddles: neither is ever changed once made, and the
    // twiddles live as long as the plan.

    /// Numbers of a transform: a product of twos, threes and fives.
    package let count: Int
    let steps: [LanesStep]
    /// Where each bin stands, and behind the last one the place of the first, with which they
    /// repeat.
    let places: [Int32]
    private let twiddles: AlignedNumbers<Float>

    /// A plan for at least two numbers; some microseconds for each hundred.
    package init(count: Int) {
        let radices = FourierPlan.radices(count)
        precondition(!radices.isEmpty, "a transform has numbers, and small prime factors alone")
        self.count = count
        var part = count
        var pairs: [Float] = []
        var (places, repeats) = ([0], 1)
        var starts: [Int] = []
        for radix in radices {
            starts.append(pairs.count)
            pairs += FourierPlan.twiddles(part: part, radix: radix)
            part /= radix
            places = (0..<repeats * radix).map { places[$0 % repeats] + $0 / repeats * part }
            repeats *= radix
        }
        self.places = (places + [places[0]]).map(Int32.init)
        let twiddles = AlignedNumbers(pairs)
        self.twiddles = twiddles
        part = count
        steps = zip(radices, starts).map { radix, start in
            defer { part /= radix }
            return LanesStep(radix: radix, part: part, twiddles: twiddles.start + start)
        }
    }

    /// By how much each step divides.
    ///
    /// Eights and fours leave the fewest steps that the registers have room for; odd ones come
    /// last, where there are no twiddles.
    private static func radices(_ count: Int) -> [Int] {
        guard count > 1 else { return [] }
        let twos = count.trailingZeroBitCount
        var radices: [Int] =
            switch (twos, twos % 3) {
            case (_, 0): Array(repeating: 8, count: twos / 3)
            case (_, 2): Array(repeating: 8, count: twos / 3) + [4]
            case (1, _): [2]
            default: Array(repeating: 8, count: twos / 3 - 1) + [4, 4]
            }
        var rest = count >> twos
        for odd in [3, 5] {
            while rest.isMultiple(of: odd) {
                radices.append(odd)
                rest /= odd
            }
        }
        return rest == 1 ? radices : []
    }

    /// The twiddles of a part, as `LanesStep` has them.
    private static func twiddles(part: Int, radix: Int) -> [Float] {
        (0..<part / radix).flatMap { index in
            (1..<radix).flatMap { share in
                let angle = -2 * Double.pi * Double(index * share) / Double(part)
                return [Float(cos(angle)), Float(sin(angle))]
            }
        }
    }
}
