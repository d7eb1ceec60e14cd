/// How far a frame must stand above its floor to be sound, for every frame.
///
/// A part of the way from the lower to the higher of the two modes that the scores have, in the
/// whole recording and in the ten seconds around. Where there is but one mode, the threshold is so
/// high that only what is beyond doubt passes.
struct ActivityThresholds {
    /// The thresholds of the whole recording, and those of the windows.
    private let whole: Pair
    private let local: [Float]
    private let localSure: [Float]
    private let windows: SlidingWindows
    /// How much lower the thresholds lie than they would.
    private let caution: Float

    private struct Pair {
        /// Over this is sound.
        var sound: Float
        /// Over this is sound without a doubt: half of the way to the higher mode.
        var sure: Float
    }

    /// Modes closer than this, in deviations, are one.
    private static let leastSeparation = 0.9
    private static let highest = 10.0
    private static let lowest = 1.5
    private static let wayToHighMode = 0.32
    private static let wayToSure = 0.5
    /// A quiet speaker beside a loud one need not come up to the middle.
    private static let highestSure = 12.0
    private static let localShare: Float = 0.6
    private static let hopFrames = 500
    /// Fewer frames than this say nothing of modes.
    private static let fewestFrames = 100.0
    /// Whatever the caution, what does not stand out at all is no sound.
    private static let lowestWithCaution: Float = 0.5

    /// - Parameter caution: Decibels by which the thresholds are lowered.
    init(_ activity: Activity, caution: Double) {
        let whole = ActivityThresholds.thresholds(activity.scoreHistogram(0..<activity.frames))
        windows = SlidingWindows(frames: activity.frames, hop: ActivityThresholds.hopFrames)
        let pairs = windows.ranges.map { range -> Pair in
            let histogram = activity.scoreHistogram(range)
            if histogram.total < ActivityThresholds.fewestFrames { return whole }
            return ActivityThresholds.thresholds(histogram)
        }
        self.whole = whole
        self.caution = Float(caution)
        local = pairs.map(\.sound)
        localSure = pairs.map(\.sure)
    }

    /// How far this frame must stand above its floor.
    func value(at frame: Int) -> Float {
        lowered(mixed(whole.sound, local, at: frame))
    }

    /// How far this frame must stand above its floor to be sound without a doubt.
    func sureValue(at frame: Int) -> Float {
        max(value(at: frame), lowered(mixed(whole.sure, localSure, at: frame)))
    }

    private func mixed(_ whole: Float, _ local: [Float], at frame: Int) -> Float {
        let share = ActivityThresholds.localShare
        return (1 - share) * whole + share * windows.interpolated(local, at: frame)
    }

    private func lowered(_ threshold: Float) -> Float {
        max(ActivityThresholds.lowestWithCaution, threshold - caution)
    }

    private static func thresholds(_ histogram: DecibelHistogram) -> Pair {
        let mixture = GaussianMixture(histogram)
        let distance = mixture.high.mean - mixture.low.mean
        let sure = Float(min(highestSure, mixture.low.mean + wayToSure * distance))
        if mixture.separation < leastSeparation { return Pair(sound: Float(highest), sure: sure) }
        let sound = mixture.low.mean + wayToHighMode * distance
        return Pair(sound: Float(max(lowest, min(highest, sound))), sure: sure)
    }
}
