/// The noise floor of each band at every frame: a low percentile of the ten seconds around it,
/// smoothed over most of a second.
///
/// Takes the levels of frames in order, and gives their floors in the same order, about 5.5 seconds
/// later: so they know the future as well as the past. Digital silence is left out. All frames are
/// treated alike: it does not matter which of them is the first, but for what lies near it, and for
/// the cleanest recordings, whose floor hangs on the loudest passage so far.
struct NoiseFloor {
    /// Single frames waver too much to take a percentile of them.
    private var levels = MovingMean<BandRow>(before: 5, after: 4)
    private var smoothed = MovingMean<BandRow>(before: 45, after: 45)

    /// The levels in the window, each at its place by the remainder of its number.
    private var window: [Level] = []
    /// Those that are not only digital silence.
    private var percentiles: SlidingPercentiles
    /// Frames that the levels in the window are means of, and of digital silence between them.
    private var frames = 0
    private var silentFrames = 0
    /// What the window as it is leads to, once it was asked for.
    private var current: BandRow?
    private var added = 0
    /// `nil` while all is digital silence.
    private var loudestDBFS: Float?

    /// Floors as they are before they are smoothed, those from `first` on.
    private var waiting: [BandRow] = []
    private var first = 0
    private var given = 0
    private var isFinished = false

    /// Levels in the window before and after the one in the middle.
    private static let reach = 500
    private static let share: Float = 0.3
    /// No floor lies lower beneath the loudest level so far: lower than what rooms and recorders
    /// leave in one band, so clean recordings look alike, whatever their gain.
    private let depth = BandRow { $0 == BandRow.voice ? 71 : 77 }

    /// What is known of a level besides its lanes: the frames that it is the mean of, and those of
    /// digital silence between them.
    private struct Level {
        var frames: UInt8
        var silentFrames: UInt8

        var hasSound: Bool { silentFrames < frames }
    }

    /// Of so many lanes of each row; what it says of the others means nothing.
    init(lanes: Int) {
        percentiles = SlidingPercentiles(lanes: lanes, capacity: 2 * NoiseFloor.reach + 1)
    }

    /// Takes in the levels of the next frame, `nil` in digital silence.
    mutating func add(_ row: BandRow?) {
        if let mean = levels.add(row) { slide(to: mean) }
    }

    /// Takes note that there are no more frames.
    mutating func finish() {
        while let mean = levels.finish() { slide(to: mean) }
        while given < added { appendFloor() }
        isFinished = true
    }

    /// The floors of the next frame, once they are known.
    mutating func next() -> BandRow? {
        while first < waiting.count {
            first += 1
            if let mean = smoothed.add(waiting[first - 1]) { return mean.levels }
        }
        waiting.removeAll(keepingCapacity: true)
        first = 0
        return isFinished ? smoothed.finish()?.levels : nil
    }
}

// MARK: - The window

extension NoiseFloor {
    private mutating func slide(to mean: MovingMean<BandRow>.Mean) {
        let length = 2 * NoiseFloor.reach + 1
        let level = Level(
            frames: UInt8(mean.count + mean.missing), silentFrames: UInt8(mean.missing))
        if window.count < length {
            window.append(level)
        } else {
            remove(window[added % length])
            window[added % length] = level
        }
        insert(level, mean.levels)
        added += 1
        current = nil
        // The first half window has no window of its own, and shares the first whole one.
        guard window.count == length else { return }
        while given < added - NoiseFloor.reach { appendFloor() }
    }

    private mutating func insert(_ level: Level, _ row: BandRow) {
        frames += Int(level.frames)
        silentFrames += Int(level.silentFrames)
        guard level.hasSound else { return }
        percentiles.insert(row)
        loudestDBFS = max(loudestDBFS ?? -.infinity, row[BandRow.whole])
    }

    /// The first of those that are there.
    private mutating func remove(_ level: Level) {
        frames -= Int(level.frames)
        silentFrames -= Int(level.silentFrames)
        if level.hasSound { percentiles.removeFirst() }
    }

    private mutating func appendFloor() {
        let floor = current ?? floor()
        current = floor
        waiting.append(floor)
        given += 1
    }

    private mutating func floor() -> BandRow {
        let silentShare = Float(silentFrames) / Float(frames)
        // Where much is digital silence, there may be no other pause to take the floor from.
        let share = max(0.05, NoiseFloor.share * (1 - 2 * silentShare))
        let lowest = BandRow(repeating: loudestDBFS ?? 0) - depth
        guard let floor = percentiles.values(atShare: share) else { return lowest }
        return floor.raised(to: lowest)
    }
}
