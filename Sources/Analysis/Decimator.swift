import CLanes

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

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
    private let lowPass: LowPass
    /// Phase by phase the frames that outputs still need, `phaseRoom` samples each.
    private var phases: [Float]
    private let phaseRoom: Int
    /// Frames in all phases together.
    private var held = 0

    /// - Parameters:
    ///   - lead: So many frames at the lower rate before the first one are held ready.
    ///   - mostFrames: No more are consumed at once, but for so much as the lead and the low-pass
    ///     reach over.
    ///   - place: Where the first frame lies, at the lower rate, if others lie before it; the first
    ///     output is that for which there is all that the low-pass looks at.
    init(
        sampleRateHertz: Int, channels: Int, lead: Int, mostFrames: Int, place: Int? = nil
    ) {
        factor = Decimator.factor(sampleRateHertz: sampleRateHertz)
        self.channels = channels
        self.lead = lead
        let reach = Decimator.reach(sampleRateHertz: sampleRateHertz)
        // The low-pass reads and writes whole groups, and reads more around them, so there is room
        // behind the last frame of a phase. Before its first lies another phase: of the one that
        // comes before all others it reads the centre alone.
        phaseRoom =
            (lead + 2 * reach + mostFrames / factor + 2) * channels + LowPass.group + LowPass.spare
        lowPass = LowPass(reach: reach, factor: factor, channels: channels, room: phaseRoom)
        phases = Array(repeating: 0, count: phaseRoom * factor)
        output = FrameQueue(start: place.map { $0 + reach } ?? -lead, channels: channels)
        precondition(output.start >= 0 || place == nil, "only the beginning has nothing before it")
    }

    static func factor(sampleRateHertz: Int) -> Int { max(1, sampleRateHertz / 16_000) }

    /// Samples of the lower rate on either side that an output depends on.
    static func reach(sampleRateHertz: Int) -> Int {
        let factor = factor(sampleRateHertz: sampleRateHertz)
        return LowPass.reach(rate: Double(sampleRateHertz) / Double(factor), factor: factor)
    }

    /// Takes in whole frames, and makes the outputs that need no later ones.
    mutating func consume(_ frames: ArraySlice<Float>) {
        guard frames.count >= channels else { return }
        let first = frames.prefix(channels)
        let isFirst = output.end == -lead && held == 0
        if factor == 1 {
            if isFirst { output.append(repeating: first, count: lead) }
            output.append(frames)
            return
        }
        if isFirst {
            for _ in 0..<(lead + lowPass.reach) * factor {
                first.withUnsafeBufferPointer { sort($0) }
            }
        }
        frames.withUnsafeBufferPointer { sort($0) }
        filter()
    }

    /// Puts each frame behind those of its phase.
    private mutating func sort(_ frames: UnsafeBufferPointer<Float>) {
        let (factor, channels, count) = (factor, channels, frames.count / channels)
        let (first, phaseRoom) = (held, phaseRoom)
        precondition(
            ((first + count) / factor + 1) * channels
                <= phaseRoom - LowPass.group - LowPass.spare,
            "no more come than was agreed")
        phases.withUnsafeMutableBufferPointer { phases in
            // Neither is empty, so both have addresses.
            guard let from = frames.baseAddress, let to = phases.baseAddress else { return }
            lanes_sort_frames(from, channels, factor, first, count, to, phaseRoom)
        }
        held += count
    }

    /// Makes the outputs whose last frame is there, and forgets what no later one reads.
    private mutating func filter() {
        let outputs = held / factor - 2 * lowPass.reach + 1
        guard outputs > 0 else { return }
        let samples = outputs * channels
        let lowPass = lowPass
        output.append(count: outputs, spare: LowPass.group) { results in
            phases.withUnsafeBufferPointer { lowPass.run($0, into: results, count: samples) }
        }
        let kept = (held / factor + 1) * channels - samples
        let phaseRoom = phaseRoom
        phases.withUnsafeMutableBufferPointer { phases in
            for start in stride(from: 0, to: phases.count, by: phaseRoom) {
                for index in start..<start + kept { phases[index] = phases[index &+ samples] }
            }
        }
        held -= outputs * factor
    }
}

/// A sinc under a Kaiser window, sorted by phases.
private struct LowPass {
    /// So many outputs are made at once.
    static let group = Int(LANES_GROUP)
    /// So many samples around them are read for nothing.
    static let spare = Int(LANES_SPARE)

    /// Frames of a phase that an output reads on either side.
    let reach: Int
    private let channels: Int
    /// Of each phase but the first where the two frames lie that its first weight serves, in
    /// samples from the first that is read; and the weights from the centre on.
    private let arms: [LanesArm]
    private let weights: [Float]
    private let centre: Float

    /// - Parameter room: Samples from one phase to the next.
    init(reach: Int, factor: Int, channels: Int, room: Int) {
        let weights = LowPass.weights(reach: reach, factor: factor)
        self.reach = reach
        self.channels = channels
        centre = weights[0]
        let phases = 1..<max(2, factor)
        arms = phases.map { phase in
            LanesArm(
                before: (factor - phase) * room + (reach - 1) * channels,
                after: phase * room + reach * channels)
        }
        self.weights = phases.flatMap { phase in
            (0..<reach).map { tap in weights[factor * tap + phase] }
        }
    }

    /// Makes `count` outputs, and what is missing to a whole group, each the same whichever it
    /// stands beside; the first is centred `reach` frames behind the first sample of the first
    /// phase.
    func run(
        _ phases: UnsafeBufferPointer<Float>, into outputs: UnsafeMutablePointer<Float>, count: Int
    ) {
        let whole = (count + LowPass.group - 1) / LowPass.group * LowPass.group
        let furthest = (arms.last?.after ?? 0) + reach * channels + whole + LowPass.spare
        precondition(furthest <= phases.count, "all that is read is there")
        arms.withUnsafeBufferPointer { arms in
            weights.withUnsafeBufferPointer { weights in
                // There are some of all: a rate that needs no low-pass gets none.
                guard let first = arms.baseAddress, let weight = weights.baseAddress,
                    let phases = phases.baseAddress
                else { return }
                var filter = LanesLowPass(
                    arms: first, armCount: arms.count, weights: weight, tapCount: reach,
                    centre: reach * channels, centreWeight: centre)
                lanes_low_pass(phases, &filter, channels, outputs, whole)
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
