import CLanes
import Glibc

/// Decimates by an integer factor to between 16 and 32 kHz, through a low-pass.
///
/// The low-pass is a symmetric (zero-phase) sinc with a Kaiser window. It is flat to 6.9 kHz, the
/// top of the analysed bands, and attenuates by 58 dB what would alias below that. Rates under 32
/// kHz are unchanged.
///
/// Frames are sorted by phase, their position within the factor (polyphase; Crochiere and Rabiner,
/// "Multirate Digital Signal Processing", 1983), so that adjacent outputs read adjacent samples.
/// With the cutoff at half the lower rate, every `factor`th weight is zero, and each other weight
/// serves the two frames on either side of the centre.
struct Decimator {
    /// The decimation factor.
    let factor: Int
    /// The decimated frames, by their position at the lower rate.
    var output: FrameQueue

    private let channels: Int
    /// Padding frames before the first one, at the lower rate, which repeat it.
    private let lead: Int
    /// `nil` if the rate is unchanged.
    private let lowPass: LowPass?
    /// Input frames that later outputs still need.
    private var rest: FrameQueue

    /// - Parameter lead: Padding frames before the first one, at the lower rate.
    init(sampleRateHertz: Int, channels: Int, lead: Int) {
        factor = Decimator.factor(sampleRateHertz: sampleRateHertz)
        self.channels = channels
        self.lead = lead
        let reach = Decimator.reach(sampleRateHertz: sampleRateHertz)
        lowPass =
            factor > 1 ? LowPass(reach: reach, factor: factor, channels: channels) : nil
        rest = FrameQueue(start: 0, channels: channels)
        output = FrameQueue(start: -lead, channels: channels)
    }

    static func factor(sampleRateHertz: Int) -> Int { max(1, sampleRateHertz / 16_000) }

    /// Samples at the lower rate on either side that affect an output.
    static func reach(sampleRateHertz: Int) -> Int {
        let factor = factor(sampleRateHertz: sampleRateHertz)
        return LowPass.reach(rate: Double(sampleRateHertz) / Double(factor), factor: factor)
    }

    /// Adds complete frames, and computes the outputs that need no later ones.
    mutating func consume(_ frames: ArraySlice<Float>) {
        precondition(frames.count.isMultiple(of: channels), "frames are whole")
        if frames.isEmpty { return }
        let first = frames.prefix(channels)
        let isFirst = output.end == -lead && rest.end == 0
        guard let lowPass else {
            if isFirst { output.append(repeating: first, count: lead) }
            output.append(frames)
            return
        }
        if isFirst { rest.append(repeating: first, count: (lead + lowPass.reach) * factor) }
        // Only outputs that overlap the previous call's rest need these frames copied; all others
        // are computed in place.
        let (count, shared) = (frames.count / channels, 2 * lowPass.reach * factor)
        rest.append(frames.prefix(shared * channels))
        let held = rest.start..<rest.end
        let outputs = rest.withFrames(from: held.lowerBound, count: held.count) {
            lowPass.run($0, count: held.count, into: &output)
        }
        rest.drop(before: held.lowerBound + outputs * factor)
        guard count > shared else { return }
        let next = shared - (rest.end - rest.start)
        let made = frames.dropFirst(next * channels).withUnsafeBufferPointer { own in
            own.baseAddress.map { lowPass.run($0, count: count - next, into: &output) } ?? 0
        }
        rest.drop(before: rest.end)
        rest.append(frames.dropFirst((next + made * factor) * channels))
    }
}

/// A sinc with a Kaiser window, sorted by phase.
private struct LowPass {
    /// Output samples computed from one sorting: enough to fit in the L1 cache, or more with many
    /// channels, so that consecutive sortings share few frames.
    private static let samplesAtOnce = 16 * Int(LANES_GROUP)
    /// The maximum number of outputs computed at once.
    private let most: Int

    /// Frames of a phase that an output reads on either side.
    let reach: Int
    private let factor: Int
    private let channels: Int
    /// For each phase but the first, the offset in samples of the two frames that its first weight
    /// serves; and the weights from the centre outward.
    private let arms: [LanesArm]
    private let weights: [Float]
    private let centre: Float
    /// Frames by phase, with `room` samples each.
    private let phases: AlignedNumbers<Float>
    private let room: Int

    init(reach: Int, factor: Int, channels: Int) {
        let weights = LowPass.weights(reach: reach, factor: factor)
        self.reach = reach
        self.factor = factor
        self.channels = channels
        centre = weights[0]
        most = max(LowPass.samplesAtOnce / channels, 8 * reach)
        // Groups are computed in full and read past the last frame of a phase. Rounded up to cache
        // lines.
        let samples = (most + 2 * reach) * channels + Int(LANES_GROUP)
        let room = (samples + 15) / 16 * 16
        self.room = room
        phases = AlignedNumbers(repeating: 0, count: room * factor)
        arms = (1..<factor).map { phase in
            LanesArm(
                before: (factor - phase) * room + (reach - 1) * channels,
                after: phase * room + reach * channels)
        }
        self.weights = (1..<factor).flatMap { phase in
            (0..<reach).map { tap in weights[factor * tap + phase] }
        }
    }

    /// Computes all outputs that `count` frames allow, independent of block sizes, and returns how
    /// many; the first is centred on frame `reach * factor`.
    func run(_ frames: UnsafePointer<Float>, count: Int, into output: inout FrameQueue) -> Int {
        let outputs = max(0, count / factor - 2 * reach + 1)
        output.append(count: outputs, spare: Int(LANES_GROUP)) { results in
            for first in stride(from: 0, to: outputs, by: most) {
                let own = min(most, outputs - first)
                lanes_sort_frames(
                    frames + first * factor * channels, channels, factor,
                    (own + 2 * reach - 1) * factor, phases.start, room)
                makeOutputs(results + first * channels, samples: own * channels)
            }
        }
        return outputs
    }

    /// Computes outputs from the sorted frames, rounded up to whole groups.
    private func makeOutputs(_ outputs: UnsafeMutablePointer<Float>, samples: Int) {
        let group = Int(LANES_GROUP)
        let whole = (samples + group - 1) / group * group
        let furthest = 2 * reach * channels + whole
        precondition(furthest <= room, "all that is read is there")
        arms.withUnsafeBufferPointer { arms in
            weights.withUnsafeBufferPointer { weights in
                // Neither is empty: the factor is above one, so there are phases besides the first.
                guard let first = arms.baseAddress, let weight = weights.baseAddress else { return }
                var filter = LanesLowPass(
                    arms: first, armCount: arms.count, weights: weight, tapCount: reach,
                    centre: reach * channels, centreWeight: centre)
                lanes_low_pass(phases.start, &filter, channels, outputs, whole)
            }
        }
    }

    /// The filter's reach at the lower rate: the wider the transition band, the shorter the filter.
    static func reach(rate: Double, factor: Int) -> Int {
        if factor == 1 { return 0 }
        let way = 1 - 2 * highestHertz / rate
        return max(3, Int((kaiserReach / way).rounded(.up)))
    }

    private static let highestHertz = 6900.0
    /// Gives 58 dB or more at common rates, as measured: 60 at 44.1 kHz, 64 at 48, 59 at 192.
    private static let kaiserReach = 1.87

    /// The weights from the centre outward.
    private static func weights(reach: Int, factor: Int) -> [Float] {
        let beta = 6.2
        let end = reach * factor
        let weights = (0...end).map { position -> Double in
            let x = Double.pi * Double(position) / Double(factor)
            let sinc = position == 0 ? 1 : sin(x) / x
            let place = Double(position) / Double(end + 1)
            return sinc * bessel(beta * (1 - place * place).squareRoot())
        }
        let sum = 2 * weights.reduce(0, +) - weights[0]
        return weights.map { Float($0 / sum) }
    }

    /// The modified Bessel function of order zero, by its power series.
    private static func bessel(_ x: Double) -> Double {
        var term = 1.0
        var sum = 1.0
        for k in 1...30 {
            term *= (x / 2 / Double(k)) * (x / 2 / Double(k))
            sum += term
        }
        return sum
    }
}
