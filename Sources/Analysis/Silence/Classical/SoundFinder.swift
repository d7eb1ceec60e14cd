import Recordings

/// Finds the stretches of frames that contain sound.
///
/// All constants favour retention: a retained pause costs little, a lost syllable much.
struct SoundFinder {
    let activity: Activity
    let thresholds: ActivityThresholds
    private let joints: SegmentPostprocessing
    private let windows: SlidingWindows
    /// By window, the level below which speech is ignored; birds may be this soft.
    private let gateDBFS: [Float]
    private let hasGate: Bool

    /// A run continues while the score exceeds this fraction of the threshold.
    private static let holdShare: Float = 0.3
    /// Frames above the threshold that make a run sound.
    private static let leastFramesOver = 6
    /// Of these, the frames that must be certain.
    private static let leastFramesSure = 3
    /// The distance of the gate below the surrounding loud passages.
    private static let rangeDecibels: Float = 35
    private static let gateHopFrames = 3000
    /// Upper bands this far above their floor extend a run.
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

    /// The stretches, sorted and disjoint, with margins on both sides.
    func find() -> [Range<Int>] {
        var runs = runs()
        if let lasting = activity.lasting {
            runs = (runs + lasting.runs(in: activity.track)).sorted {
                $0.lowerBound < $1.lowerBound
            }
        }
        return joints.stretches(of: runs.map(prolonged))
    }

    /// Runs above the lower of two thresholds that often enough exceed the upper one: hysteresis,
    /// as in edge detection (Canny, IEEE PAMI 8, 1986).
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

    /// Whether a frame is loud enough to be considered.
    func isAboveGate(_ frame: Int) -> Bool {
        guard !activity.track.isDigitalSilence(at: frame) else { return false }
        return !hasGate
            || activity.track.levelDBFS(at: frame) > windows.interpolated(gateDBFS, at: frame)
    }

    /// Extends a run by weak fricatives before and after it, such as "s" and "f".
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

    /// The level of loud passages in the surrounding minute or the entire recording, whichever is
    /// lower; sound far below it is ignored.
    private static func loudLevels(_ activity: Activity, _ windows: SlidingWindows) -> [Float] {
        func loud(_ range: Range<Int>) -> Float {
            let histogram = activity.track.levelHistogram(range)
            return histogram.total > 0 ? Float(histogram.percentile(0.97)) : 0
        }
        let whole = loud(0..<activity.frames)
        return windows.ranges.map { min(whole, loud($0)) }
    }
}
