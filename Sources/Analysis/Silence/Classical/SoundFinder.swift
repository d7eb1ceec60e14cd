import Recordings

/// Finds the stretches of frames that hold sound.
///
/// All its constants lean to keeping: a pause kept is a small loss, a syllable cut a great one.
struct SoundFinder {
    let activity: Activity
    let thresholds: ActivityThresholds
    private let joints: SegmentPostprocessing
    private let windows: SlidingWindows
    /// Speech under this level is not looked for, by window; a bird may well sing so softly.
    private let gateDBFS: [Float]
    private let hasGate: Bool

    /// A run goes on while the score is over this part of the threshold.
    private static let holdShare: Float = 0.3
    /// Frames over the threshold that make a run sound.
    private static let leastFramesOver = 6
    /// Frames of them that are sure.
    private static let leastFramesSure = 3
    /// How far the gate lies below the loud passages around.
    private static let rangeDecibels: Float = 35
    private static let gateHopFrames = 3000
    /// Upper bands so far above their floor prolong a run.
    private static let fricativeDecibels: Float = 2.5
    private static let longestFricativeFrames = 25

    init(_ activity: Activity, _ thresholds: ActivityThresholds, _ recipe: SilenceRecipe) {
        self.activity = activity
        self.thresholds = thresholds
        joints = SegmentPostprocessing(recipe, frames: activity.frames)
        windows = SlidingWindows(frames: activity.frames, hop: SoundFinder.gateHopFrames)
        let range = SoundFinder.rangeDecibels + Float(recipe.sensitivityDecibels)
        hasGate = recipe.activity == .speech
        gateDBFS = SoundFinder.loudLevels(activity, windows).map { $0 - range }
    }

    /// The stretches, in order and apart, with a margin on both sides.
    func find() -> [Range<Int>] {
        var runs = runs()
        if let lasting = activity.lasting {
            runs = (runs + lasting.runs(in: activity.track)).sorted {
                $0.lowerBound < $1.lowerBound
            }
        }
        return joints.stretches(of: runs.map(prolonged))
    }

    /// Runs over the lower of two thresholds that are often enough over the upper one: hysteresis,
    /// as edges in images are followed (Canny, IEEE PAMI 8, 1986).
    private func runs() -> [Range<Int>] {
        var result: [Range<Int>] = []
        var start = 0
        var framesOver = 0
        var framesSure = 0
        for frame in 0...activity.frames {
            if frame < activity.frames, isAboveGate(frame) {
                let score = activity.score(at: frame)
                let threshold = thresholds.value(at: frame)
                if score > threshold { framesOver += 1 }
                if score > thresholds.sureValue(at: frame) { framesSure += 1 }
                if score > SoundFinder.holdShare * threshold { continue }
            }
            if framesOver >= SoundFinder.leastFramesOver,
                framesSure >= SoundFinder.leastFramesSure
            {
                result.append(start..<frame)
            }
            start = frame + 1
            framesOver = 0
            framesSure = 0
        }
        return result
    }

    /// Whether a frame is loud enough to be looked at.
    func isAboveGate(_ frame: Int) -> Bool {
        guard !activity.track.isDigitalSilence(at: frame) else { return false }
        return !hasGate
            || activity.track.levelDBFS(at: frame) > windows.interpolated(gateDBFS, at: frame)
    }

    /// The run with the weak hiss before and behind it, as in "s" and "f".
    private func prolonged(_ run: Range<Int>) -> Range<Int> {
        func isFricative(_ frame: Int) -> Bool {
            activity.high(at: frame) > SoundFinder.fricativeDecibels && isAboveGate(frame)
        }
        let reach = SoundFinder.longestFricativeFrames
        var start = run.lowerBound
        while start > max(0, run.lowerBound - reach), isFricative(start - 1) { start -= 1 }
        var end = run.upperBound
        while end < min(activity.frames, run.upperBound + reach), isFricative(end) { end += 1 }
        return start..<end
    }

    /// The level of the loud passages in the minute around or in the whole recording, whichever is
    /// lower; far below it no sound is looked for.
    private static func loudLevels(_ activity: Activity, _ windows: SlidingWindows) -> [Float] {
        func loud(_ range: Range<Int>) -> Float {
            let histogram = activity.track.levelHistogram(range)
            return histogram.total > 0 ? Float(histogram.percentile(0.97)) : 0
        }
        let whole = loud(0..<activity.frames)
        return windows.ranges.map { min(whole, loud($0)) }
    }
}
