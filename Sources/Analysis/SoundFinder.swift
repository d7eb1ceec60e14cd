/// Finds the stretches of frames that hold sound.
///
/// All its constants lean to keeping: a pause kept is a small loss, a syllable cut a great one.
struct SoundFinder {
    let activity: Activity
    let thresholds: ActivityThresholds
    private let windows: SlidingWindows
    /// How loud the loud passages of each window are.
    private let loudDBFS: [Float]

    /// A run goes on while the score is over this part of the threshold.
    private static let holdShare: Float = 0.4
    /// Frames over the threshold that make a run sound.
    private static let leastFramesOver = 6
    /// Sound so far below the loud passages around it is not looked for.
    private static let rangeDecibels: Float = 35
    private static let gateHopFrames = 3000
    /// Upper bands so far above their floor prolong a run.
    private static let fricativeDecibels: Float = 2.5
    private static let longestFricativeFrames = 25
    /// Shorter gaps are within words and phrases.
    private static let longestGapFrames = 33
    private static let shortestSoundFrames = 14
    private static let framesBefore = 6
    private static let framesAfter = 8

    init(_ activity: Activity, _ thresholds: ActivityThresholds) {
        self.activity = activity
        self.thresholds = thresholds
        windows = SlidingWindows(frames: activity.frames, hop: SoundFinder.gateHopFrames)
        loudDBFS = SoundFinder.loudLevels(activity, windows)
    }

    /// The stretches, in order and apart, with a margin on both sides.
    func find() -> [Range<Int>] {
        let runs = runs().map(prolonged)
        let phrases = joined(runs, acrossGaps: SoundFinder.longestGapFrames)
            .filter { $0.count >= SoundFinder.shortestSoundFrames }
        return joined(phrases.map(padded), acrossGaps: 0)
    }

    /// `run` with a margin on both sides.
    func padded(_ run: Range<Int>) -> Range<Int> {
        let start = max(0, run.lowerBound - SoundFinder.framesBefore)
        return start..<min(activity.frames, run.upperBound + SoundFinder.framesAfter)
    }

    /// Runs become one where no more than so many frames lie between them.
    func joined(_ runs: [Range<Int>], acrossGaps longestGap: Int) -> [Range<Int>] {
        var result: [Range<Int>] = []
        for run in runs {
            if let last = result.last, run.lowerBound - last.upperBound <= longestGap {
                result[result.count - 1] =
                    last.lowerBound..<max(last.upperBound, run.upperBound)
            } else {
                result.append(run)
            }
        }
        return result
    }

    /// Runs over the lower threshold that are often enough over the upper one.
    private func runs() -> [Range<Int>] {
        var result: [Range<Int>] = []
        var start = 0
        var framesOver = 0
        for frame in 0...activity.frames {
            if frame < activity.frames, mayBeSound(frame) {
                if activity.score(at: frame) > thresholds.value(at: frame) { framesOver += 1 }
                continue
            }
            if framesOver >= SoundFinder.leastFramesOver { result.append(start..<frame) }
            start = frame + 1
            framesOver = 0
        }
        return result
    }

    private func mayBeSound(_ frame: Int) -> Bool {
        isAboveGate(frame)
            && activity.score(at: frame) > SoundFinder.holdShare * thresholds.value(at: frame)
    }

    private func isAboveGate(_ frame: Int) -> Bool {
        let gateDBFS = windows.interpolated(loudDBFS, at: frame) - SoundFinder.rangeDecibels
        return !activity.isDigitalSilence(at: frame) && activity.levelDBFS(at: frame) > gateDBFS
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
            let histogram = activity.levelHistogram(range)
            return histogram.total > 0 ? Float(histogram.percentile(0.97)) : 0
        }
        let whole = loud(0..<activity.frames)
        return windows.ranges.map { min(whole, loud($0)) }
    }
}
