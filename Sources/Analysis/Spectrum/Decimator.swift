import CLanes
import Glibc

/// Brings a sample rate down by a whole factor to between 16 and 32 kHz, through a low-pass.
///
/// The low-pass is a sinc under a Kaiser window, symmetric, so that nothing is shifted in time:
/// flat to 6.9 kHz, above which nothing is looked for by itself, and down by 58 dB where sound
/// would fold back below that. Rates under 32 kHz stay.
///
/// Frames are sorted by their place within the factor, their phase (Crochiere and Rabiner,
/// "Multirate Digital Signal Processing", 1983), so that what neighbouring outputs read lies side
/// by side. Of a sinc that is cut at half the lower rate every `factor`th weight is zero, and each
/// of the others serves the two frames on either side of the centre.
struct Decimator {
    /// Frames that become one.
    let factor: Int
    /// What is ready, known by its place at the lower rate.
    var output: FrameQueue

    private let channels: Int
    /// Frames before the first one, at the lower rate, that are taken to be like it.
    private let lead: Int
    /// Rates that stay need none.
    private let lowPass: LowPass?
    /// The frames that outputs still need.
    private var rest: FrameQueue

    /// - Parameter lead: So many frames at the lower rate before the first one are held ready.
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

    /// Samples of the lower rate on either side that an output depends on.
    static func reach(sampleRateHertz: Int) -> Int {
        let factor = factor(sampleRateHertz: sampleRateHertz)
        return LowPass.reach(rate: Double(sampleRateHertz) / Double(factor), factor: factor)
    }

    /// Takes in whole frames, and makes the outputs that need no later ones.
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
        // Outputs that read what was left before want no more of these frames than so many; all
        // further ones are made of the frames where they are.
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

/// A sinc under a Kaiser window, sorted by phases.
private struct LowPass {
    /// So many samples of outputs are made of what is sorted at once, which is to stay in the
    /// innermost cache; but where there are many channels, so many outputs that the frames that
    /// they share with those before are few.
    private static let samplesAtOnce = 16 * Int(LANES_GROUP)
    /// Outputs that are made at once.
    private let most: Int

    /// Frames of a phase that an output reads on either side.
    let reach: Int
    private let factor: Int
    private let channels: Int
    /// Of each phase but the first where the two frames lie that its first weight serves, in
    /// samples from the first that is read; and the weights from the centre on.
    private let arms: [LanesArm]
    private let weights: [Float]
    private let centre: Float
    /// Frames phase by phase, `room` samples each.
    private let phases: AlignedNumbers<Float>
    private let room: Int

    init(reach: Int, factor: Int, channels: Int) {
        let weights = LowPass.weights(reach: reach, factor: factor)
        self.reach = reach
        self.factor = factor
        self.channels = channels
        centre = weights[0]
        most = max(LowPass.samplesAtOnce / channels, 8 * reach)
        // Whole groups are made, and there is room behind the last frame of a phase for what that
        // reads. In whole lines.
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

    /// Makes the outputs for which all is among `count` frames, each the same whichever it stands
    /// beside, and returns how many; the first is centred `reach * factor` frames behind the first.
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

    /// Of the frames that are sorted, so many outputs and what is missing to a whole group.
    private func makeOutputs(_ outputs: UnsafeMutablePointer<Float>, samples: Int) {
        let group = Int(LANES_GROUP)
        let whole = (samples + group - 1) / group * group
        let furthest = 2 * reach * channels + whole
        precondition(furthest <= room, "all that is read is there")
        arms.withUnsafeBufferPointer { arms in
            weights.withUnsafeBufferPointer { weights in
                // There are some of both: a factor has phases beside the first.
                guard let first = arms.baseAddress, let weight = weights.baseAddress else { return }
                var filter = LanesLowPass(
                    arms: first, armCount: arms.count, weights: weight, tapCount: reach,
                    centre: reach * channels, centreWeight: centre)
                lanes_low_pass(phases.start, &filter, channels, outputs, whole)
            }
        }
    }

    /// So many frames at the lower rate: the wider the way from what passes to what folds back onto
    /// it, the shorter the low-pass.
    static func reach(rate: Double, factor: Int) -> Int {
        if factor == 1 { return 0 }
        let way = 1 - 2 * highestHertz / rate
        return max(3, Int((kaiserReach / way).rounded(.up)))
    }

    private static let highestHertz = 6900.0
    /// For 58 dB and more, by what comes out at usual rates: 60 at 44.1 kHz, 64 at 48, 59 at 192.
    private static let kaiserReach = 1.87

    /// The weights from the centre on.
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
