import CLanes

/// The speech network's inputs from a track: 28 numbers per frame, all around ±1, as integer
/// multiples of `unit`.
///
/// In order: the rise of each of the twenty bands above its floor; the score of all bands together,
/// raw and relative to its threshold; the level relative to loud passages, to quiet ones, and to
/// its own six-second floor; periodicity; the upper bands; the share of bands that the sample rate
/// lacks. Loud, quiet and threshold are taken from the surrounding minute, so that an hour looks to
/// the network like half a minute.
///
/// Frames outside the given range have no influence.
struct SpeechInputs {
    private let smooth: SmoothedTrack
    private let windows: SlidingWindows
    /// By window: the levels exceeded by 3 % and 90 % of frames, and the score between the modes.
    private var loud: [Float] = []
    private var quiet: [Float] = []
    private var thresholds: [Float] = []
    private let floors: LevelPercentiles

    static let count = 28
    static let unit = 1 / stepsToOne
    private static let stepsToOne = Float(1 << LANES_INPUT_BITS)
    private static let hopFrames = 3000

    init(_ track: ActivityTrack, _ heard: Range<Int>) {
        precondition(track.keepsBands, "the network needs the bands")
        precondition(
            ActivityTrack.highestBandDecibels <= 10 * NetworkLayers.largestInput,
            "no band is larger than an input may be")
        let smooth = SmoothedTrack(track: track, heard: heard)
        self.smooth = smooth
        windows = SlidingWindows(frames: heard.count, hop: SpeechInputs.hopFrames)
        floors = LevelPercentiles(of: heard, smooth.level)
        // Adjacent windows share a half.
        var last: SmoothedTrack.Histograms?
        for first in stride(from: heard.lowerBound, to: heard.upperBound, by: windows.hop) {
            let half = smooth.histograms(first..<min(heard.upperBound, first + windows.hop))
            if let last { add(Window(last.joined(half))) }
            last = half
        }
        // A track of at most half a window also gets a window.
        if thresholds.isEmpty { add(Window(last ?? SmoothedTrack.Histograms())) }
    }

    private var track: ActivityTrack { smooth.track }
    private var heard: Range<Int> { smooth.heard }

    private mutating func add(_ window: Window) {
        loud.append(window.loud)
        quiet.append(window.quiet)
        thresholds.append(window.threshold)
    }

    /// Writes the inputs of a range of frames, numbered from the first heard frame, one frame after
    /// the other; zeros for frames outside the track.
    func fill(_ range: Range<Int>, into inputs: UnsafeMutableBufferPointer<Int16>) {
        precondition(inputs.count >= range.count * SpeechInputs.count, "there is room for all")
        let first = heard.lowerBound
        let frames = (first + range.lowerBound..<first + range.upperBound).clamped(to: heard)
        let before = (frames.lowerBound - first - range.lowerBound) * SpeechInputs.count
        let behind = before + frames.count * SpeechInputs.count
        inputs[..<before].update(repeating: 0)
        inputs[behind...].update(repeating: 0)
        let scores = smooth.scores(frames)
        let levels = smooth.smoothed(frames, reach: 1, smooth.level)
        let highs = smooth.smoothed(frames, reach: 1) { track.highRise(at: $0) }
        fillBands(frames, inputs, from: before)
        for (place, frame) in frames.enumerated() {
            let start = before + place * SpeechInputs.count
            let row = UnsafeMutableBufferPointer(
                rebasing: inputs[start..<start + SpeechInputs.count])
            let (score, level) = (scores[place], levels[place])
            func usual(_ values: [Float]) -> Float {
                windows.interpolated(values, at: frame - first)
            }
            row[20] = steps(score / 10)
            row[21] = steps((score - usual(thresholds)) / 10)
            row[22] = steps((level - usual(loud)) / 10)
            row[23] = steps((level - usual(quiet)) / 10)
            row[24] = steps((level - floors[frame - first]) / 10)
            row[25] = steps(4 * (max(0, track.periodicity(at: frame)) - 0.4))
            row[26] = steps(highs[place] / 10)
            row[27] = steps(Float(ActivityTrack.bandsPerFrame - track.bandCount) / 5)
        }
    }

    /// Writes the rise of the bands above their floors, for some frames, from `place` on.
    private func fillBands(
        _ frames: Range<Int>, _ inputs: UnsafeMutableBufferPointer<Int16>, from place: Int
    ) {
        let bands = ActivityTrack.bandsPerFrame
        track.bands[frames.lowerBound * bands..<frames.upperBound * bands]
            .withUnsafeBufferPointer { bytes in
                // Without frames there is nothing to write.
                guard let first = bytes.baseAddress, let rows = inputs.baseAddress else { return }
                lanes_widen_rows(
                    first, frames.count, bands,
                    ActivityTrack.lowestBandDecibels / 10 * SpeechInputs.stepsToOne,
                    ActivityTrack.bandStepDecibels / 10 * SpeechInputs.stepsToOne,
                    SpeechInputs.count, rows + place)
            }
    }

    /// Rounds to steps, clamped to the largest input that the network is made for.
    private func steps(_ value: Float) -> Int16 {
        let largest = NetworkLayers.largestInput
        let scaled = max(-largest, min(largest, value)) * SpeechInputs.stepsToOne
        // Adding 1.5 × 2²³ rounds away the fraction.
        return Int16(truncatingIfNeeded: (scaled + 0x1.8p23).bitPattern)
    }
}

extension SpeechInputs {
    /// The statistics of a window.
    private struct Window {
        let loud: Float
        let quiet: Float
        let threshold: Float

        init(_ histograms: SmoothedTrack.Histograms) {
            let levels = histograms.levels
            let isSilent = levels.total == 0
            loud = isSilent ? SmoothedTrack.silenceDBFS : Float(levels.percentile(0.97))
            quiet = isSilent ? SmoothedTrack.silenceDBFS : Float(levels.percentile(0.1))
            threshold = Window.threshold(histograms.scores)
        }

        private static let highestThreshold = 8.0

        /// The score between the modes, as in the classical detector; high if there is only one
        /// mode.
        private static func threshold(_ scores: DecibelHistogram) -> Float {
            let mixture = GaussianMixture(scores)
            guard mixture.separation >= 0.9 else { return Float(highestThreshold) }
            let distance = mixture.high.mean - mixture.low.mean
            return Float(max(1.5, min(highestThreshold, mixture.low.mean + 0.28 * distance)))
        }
    }
}

extension ActivityTrack {
    /// The speech network's inputs for all frames, 28 numbers each, for training.
    package func speechInputs() -> [Float] {
        let inputs = SpeechInputs(self, 0..<frames)
        let steps = [Int16](unsafeUninitializedCapacity: frames * SpeechInputs.count) {
            inputs.fill(0..<frames, into: $0)
            $1 = frames * SpeechInputs.count
        }
        return steps.map { Float($0) * SpeechInputs.unit }
    }
}
