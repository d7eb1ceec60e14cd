/// How far a frame must stand above its floor to be sound, for every frame.
///
/// A part of the way from the lower to the higher of the two modes that the scores have, in the
/// whole recording and in the ten seconds around. Where there is but one mode, the threshold is so
/// high that only what is beyond doubt passes.
struct ActivityThresholds {
    /// The modes of the whole recording.
    let mixture: GaussianMixture

    /// The threshold of the whole recording, and those of the windows.
    private let whole: Float
    private let local: [Float]
    private let windows: SlidingWindows

    /// Modes closer than this, in deviations, are one.
    static let leastSeparation = 0.9
    private static let highest = 10.0
    private static let lowest = 1.5
    private static let wayToHighMode = 0.28
    private static let localShare: Float = 0.6
    private static let hopFrames = 500
    /// Fewer frames than this say nothing of modes.
    private static let fewestFrames = 100.0

    init(_ activity: Activity) {
        let mixture = GaussianMixture(activity.scoreHistogram(0..<activity.frames))
        let whole = ActivityThresholds.threshold(mixture)
        windows = SlidingWindows(frames: activity.frames, hop: ActivityThresholds.hopFrames)
        local = windows.ranges.map { range -> Float in
            let histogram = activity.scoreHistogram(range)
            if histogram.total < ActivityThresholds.fewestFrames { return whole }
            return ActivityThresholds.threshold(GaussianMixture(histogram))
        }
        self.mixture = mixture
        self.whole = whole
    }

    /// How far this frame must stand above its floor.
    func value(at frame: Int) -> Float {
        let share = ActivityThresholds.localShare
        return (1 - share) * whole + share * windows.interpolated(local, at: frame)
    }

    private static func threshold(_ mixture: GaussianMixture) -> Float {
        if mixture.separation < leastSeparation { return Float(highest) }
        let distance = mixture.high.mean - mixture.low.mean
        return Float(max(lowest, min(highest, mixture.low.mean + wayToHighMode * distance)))
    }
}
