/// The noise floor of each band at every frame: a low percentile of the ten seconds around it,
/// smoothed over most of a second.
///
/// Takes the levels of frames in order, and gives their floors in the same order, about 5.5 seconds
/// later: so they know the future as well as the past. Digital silence is left out. All frames are
/// treated alike: it does not matter which of them is the first, but for what lies near it, and for
/// the cleanest recordings, whose floor hangs on the loudest passage so far.
///
/// Memory: some 300 bytes for each level in the window.
struct NoiseFloor {
    /// Single frames waver too much to take a percentile of them.
    private var levels = MovingMean(before: 5, after: 4)
    private var smoothed = MovingMean(before: 45, after: 45)

    /// The levels in the window, and those that have left it since they were last sorted out; as
    /// many as rows are held.
    private var window: [Level] = []
    /// Those that are not only digital silence.
    private var percentiles: SlidingPercentiles
    /// Frames that the levels in the window are means of, and of digital silence between them.
    private var frames = 0
    private var silentFrames = 0
    /// `nil` while all is digital silence.
    private var loudestDBFS: Float?

    /// What is to be read off by the next moves of the window, in their order.
    private var asked: [Asked] = []
    private var found: [BandRow] = []
    /// The floor that the window as it is leads to, where it was asked for.
    private var current: BandRow?
    /// How many floors there were so far, before they were smoothed.
    private var given = 0

    /// Levels in the window before and after the one in the middle.
    private static let reach = 500
    private static let length = 2 * reach + 1
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

    private struct Asked {
        /// Whether anything can be read off.
        var isFound: Bool
        var loudestDBFS: Float
        /// How many levels had come.
        var added: Int
    }

    /// Of so many lanes of each row; what it says of the others means nothing.
    init(lanes: Int) {
        percentiles = SlidingPercentiles(lanes: lanes, stride: BandRow.count)
    }

    /// The floors that are known and that nobody has taken yet.
    var known: [BandRow] { smoothed.means }

    /// Forgets the floors that are known.
    mutating func forget() { smoothed.forget() }

    /// Takes in the levels of the next frames, zero in digital silence.
    mutating func add(_ rows: ArraySlice<BandRow>, areSilent: ArraySlice<Bool>) {
        if rows.isEmpty { return }
        levels.add(rows, areMissing: areSilent)
        slide()
    }

    /// Takes note that there are no more frames.
    mutating func finish() {
        levels.finish()
        slide()
        let added = percentiles.end
        if given < added, current == nil {
            ask(move(come: nil, gone: nil, isAsked: true), added: added)
            readOff()
        }
        if let current { smooth(Array(repeating: current, count: added - given)) }
        smoothed.finish()
    }
}

// MARK: - The window

extension NoiseFloor {
    /// Moves the window on over the means that are known of levels.
    private mutating func slide() {
        let number = percentiles.end
        levels.means.withUnsafeLanes { [count = levels.means.count * BandRow.count] in
            percentiles.hold(UnsafeBufferPointer(start: $0, count: count))
        }
        for (index, count) in levels.counts.enumerated() {
            let level = Level(
                frames: UInt8(count.own + count.missing), silentFrames: UInt8(count.missing))
            slide(to: level, levels.means[index][BandRow.whole], number + index)
        }
        levels.forget()
        readOff()
        window.removeFirst(max(0, window.count - NoiseFloor.length))
        percentiles.forget(before: percentiles.end - window.count)
    }

    private mutating func slide(to level: Level, _ levelDBFS: Float, _ number: Int) {
        window.append(level)
        frames += Int(level.frames)
        silentFrames += Int(level.silentFrames)
        let last = number - NoiseFloor.length
        var gone: Int?
        if last >= 0 {
            let level = window[window.count - 1 - NoiseFloor.length]
            frames -= Int(level.frames)
            silentFrames -= Int(level.silentFrames)
            gone = level.hasSound ? last : nil
        }
        if level.hasSound { loudestDBFS = max(loudestDBFS ?? -.infinity, levelDBFS) }
        // The first half window has no window of its own, and shares the first whole one.
        let isFull = last >= -1
        let isFound = move(come: level.hasSound ? number : nil, gone: gone, isAsked: isFull)
        if isFull { ask(isFound, added: number + 1) }
    }

    /// Whether anything can be read off behind this move, if that is asked.
    private mutating func move(come: Int?, gone: Int?, isAsked: Bool) -> Bool {
        let silentShare = Float(silentFrames) / Float(max(1, frames))
        // Where much is digital silence, there may be no other pause to take the floor from.
        let share = max(0.05, NoiseFloor.share * (1 - 2 * silentShare))
        return percentiles.move(come: come, gone: gone, share: isAsked ? share : nil)
    }

    private mutating func ask(_ isFound: Bool, added: Int) {
        asked.append(Asked(isFound: isFound, loudestDBFS: loudestDBFS ?? 0, added: added))
    }

    /// Carries out the moves, and smooths the floors that were asked for.
    private mutating func readOff() {
        let moves = percentiles.moveCount
        let lacking = moves - found.count
        if lacking > 0 { found.append(contentsOf: repeatElement(.zero, count: lacking)) }
        found.withUnsafeMutableLanes { [count = found.count * BandRow.count] in
            percentiles.run(UnsafeMutableBufferPointer(start: $0, count: count))
        }
        var floors: [BandRow] = []
        // None is asked for before the window is full, and then each time.
        for (asked, place) in zip(asked, (moves - asked.count)...) {
            let lowest = BandRow(repeating: asked.loudestDBFS) - depth
            let floor = asked.isFound ? found[place].raised(to: lowest) : lowest
            // The first is also that of all levels before it, the others are of one each.
            let wanted = asked.added - NoiseFloor.reach - given
            while floors.count < wanted { floors.append(floor) }
            current = floor
        }
        asked.removeAll(keepingCapacity: true)
        smooth(floors)
    }

    private mutating func smooth(_ floors: [BandRow]) {
        if floors.isEmpty { return }
        given += floors.count
        smoothed.add(floors)
    }
}
