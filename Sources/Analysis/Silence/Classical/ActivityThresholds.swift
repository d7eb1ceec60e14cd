/// The thresholds of each frame: how far it must stand above its floor to be sound.
///
/// A threshold lies between the two modes of the scores, in the entire recording and in the
/// surrounding ten seconds. If there is only one mode, the threshold is so high that only
/// unmistakable sound passes.
struct ActivityThresholds {
    /// The thresholds of the entire recording, and of each window.
    private let whole: Pair
    private let local: [Float]
    private let localSure: [Float]
    private let windows: SlidingWindows
    /// The decibels by which all thresholds are lowered.
    private let caution: Float

    private struct Pair {
        /// Scores above this are sound.
        var sound: Float
        /// Scores above this are certainly sound: halfway to the higher mode.
        var sure: Float
    }

    /// Modes closer than this, in deviations, count as one.
    private static let leastSeparation = 0.9
    private static let highest = 10.0
    private static let lowest = 1.5
    private static let wayToHighMode = 0.32
    private static let wayToSure = 0.5
    /// A quiet speaker beside a loud one may not reach the middle.
    private static let highestSure = 12.0
    private static let localShare: Float = 0.6
    private static let hopFrames = 500
    /// The minimum number of frames for fitting modes.
    private static let fewestFrames = 100.0
    /// Whatever the caution, frames that do not stand out at all are not sound.
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

    /// The threshold for a frame to be sound.
    func value(at frame: Int) -> Float {
        lowered(mixed(whole.sound, local, at: frame))
    }

    /// The threshold for a frame to be certainly sound.
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
