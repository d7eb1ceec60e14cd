import CLanes

/// The power spectra of many stretches of sound at once, two real signals by each transform.
///
/// The two are stretches themselves, or, where there are several channels, two channels of one.
/// The spectrum of a real signal is its own mirror image but for the sign of the imaginary parts,
/// so half the sum of a bin and of its mirror image's conjugate belongs to the one signal, and half
/// the difference to the other (Cooley, Lewis and Welch, Journal of Sound and Vibration 12, 1970).
final class StretchSpectra {
    /// Samples that go in of each channel of a stretch; even.
    let count: Int
    /// Stretches that are transformed at once.
    let stretches: Int
    /// Powers, of `count / 2` bins a row each: that of a stretch is at `lane(of:)`.
    ///
    /// To be read while the object lives.
    var powers: UnsafePointer<Float> { UnsafePointer(room.start) }

    private let channels: Int
    private let transform: FourierTransform
    private let window: [Float]
    private let scale: Float
    private let room: AlignedNumbers<Float>

    /// Spectra of stretches of so many channels and of so many samples as the window has, times
    /// `scale`.
    init(window: [Float], plan: FourierPlan, channels: Int, scale: Float) {
        precondition(window.count.isMultiple(of: 2), "half of the bins mirror the others")
        precondition(channels > 0 && plan.count == window.count, "all fits")
        count = window.count
        stretches = FourierTransform.lanes * (channels == 1 ? 2 : 1)
        self.channels = channels
        self.window = window
        self.scale = scale
        transform = FourierTransform(plan: plan)
        room = AlignedNumbers(repeating: 0, count: stretches * count / 2)
    }

    /// Where the numbers of a stretch stand in a row: of one channel, those of the even ones come
    /// first.
    func lane(of stretch: Int) -> Int {
        channels > 1 ? stretch : stretch % 2 * FourierTransform.lanes + stretch / 2
    }

    /// Brings the powers of stretches, those of all channels added up, into `powers`.
    ///
    /// They begin at so many frames behind `frames`, at least one, and as many as are transformed
    /// at once at the most; what stands in the lanes of those that lack means nothing.
    func measure(_ frames: UnsafePointer<Float>, starts: [Int]) {
        precondition(!starts.isEmpty && starts.count <= stretches, "there are lanes for all")
        func start(_ stretch: Int) -> Int { starts[min(stretch, starts.count - 1)] }
        if channels == 1 {
            run(frames, squares: false) { (start(2 * $0), start(2 * $0 + 1)) }
            lanes_twin_powers(
                transform.numbers, transform.plan.places, count, scale, room.start)
            return
        }
        for channel in stride(from: 0, to: channels, by: 2) {
            // The last of an odd number stands alone, which is half of it twice.
            let next = min(channel + 1, channels - 1)
            run(frames, squares: true) {
                let first = start($0) * channels
                return (first + channel, first + next)
            }
            lanes_joint_powers(
                transform.numbers, transform.plan.places, count,
                next == channel ? scale / 2 : scale, channel > 0 ? 1 : 0, room.start)
        }
    }

    /// Transforms the two signals of each lane, which begin at so many samples behind `frames`.
    private func run(
        _ frames: UnsafePointer<Float>, squares: Bool, places: (_ lane: Int) -> (Int, Int)
    ) {
        let lanes = FourierTransform.lanes
        withUnsafeTemporaryAllocation(of: Int.self, capacity: 2 * lanes) { room in
            for lane in 0..<lanes { (room[lane], room[lanes + lane]) = places(lane) }
            // There is room for some.
            guard let firsts = room.baseAddress else { return }
            transform.lay(
                frames, firsts: firsts, seconds: firsts + lanes, stride: channels, window: window)
        }
        transform.run(squares: squares)
    }
}
