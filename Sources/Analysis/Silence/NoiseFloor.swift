/// Estimates the noise floor of each band at each frame: a low percentile of the ten seconds around
/// it, smoothed over nearly a second.
///
/// Consumes the levels of frames in order, and returns their floors in order about 5.5 seconds
/// later, as floors depend on the future too. Digital silence is excluded. The result does not
/// depend on where the recording starts, except near its start, and in the cleanest recordings,
/// whose floor depends on the loudest passage so far.
///
/// Memory: some 300 bytes per level in the window.
struct NoiseFloor {
    /// Smooths levels first: single frames vary too much for a percentile.
    private var levels = MovingMean(before: 5, after: 4)
    private var smoothed = MovingMean(before: 45, after: 45)

    /// The levels in the window, plus those that have left it since the last cleanup; one per row
    /// held.
    private var window: [Level] = []
    /// The levels that are not entirely digital silence.
    private var percentiles: SlidingPercentiles
    /// Frames averaged into the levels in the window, and digital silence among them.
    private var frames = 0
    private var silentFrames = 0
    /// `nil` as long as all is digital silence.
    private var loudestDBFS: Float?

    /// The values that the queued moves request, in order.
    private var asked: [Asked] = []
    private var found: [BandRow] = []
    /// The floor of the current window, if it was requested.
    private var current: BandRow?
    /// The number of floors so far, before smoothing.
    private var given = 0

    /// Levels in the window on either side of its centre.
    private static let reach = 500
    private static let length = 2 * reach + 1
    private static let share: Float = 0.3
    /// The length from which on a recording is likely to have pauses.
    private static let lengthWithPauses: Float = 300
    /// The greatest distance of a floor below the loudest level so far, deeper than the noise of
    /// rooms and recorders in one band, so that clean recordings look alike at any gain.
    private let depth = BandRow { $0 == BandRow.voice ? 71 : 77 }

    /// Counts for a level: the frames it averages, and the digital silence among them.
    private struct Level {
        var frames: UInt8
        var silentFrames: UInt8

        var hasSound: Bool { silentFrames < frames }
    }

    private struct Asked {
        /// Whether the window has any value.
        var isFound: Bool
        var loudestDBFS: Float
        /// The number of levels so far.
        var added: Int
    }

    /// For the first `lanes` lanes of each row; floors of other lanes are undefined.
    init(lanes: Int) {
        percentiles = SlidingPercentiles(lanes: lanes, stride: BandRow.count)
    }

    /// The floors available so far.
    var known: [BandRow] { smoothed.means }

    /// Discards the available floors.
    mutating func forget() { smoothed.forget() }

    /// Adds the levels of the next frames, which are zero in digital silence.
    mutating func add(_ rows: ArraySlice<BandRow>, areSilent: ArraySlice<Bool>) {
        if rows.isEmpty { return }
        levels.add(rows, areMissing: areSilent)
        slide()
    }

    /// Marks the end of the frames.
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
    /// Moves the window over the available mean levels.
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
        // The first half window has no window of its own, and shares the first full one.
        let isFull = last >= -1
        let isFound = move(come: level.hasSound ? number : nil, gone: gone, isAsked: isFull)
        if isFull { ask(isFound, added: number + 1) }
    }

    /// Queues a move; returns whether the window then has a value, if requested.
    private mutating func move(come: Int?, gone: Int?, isAsked: Bool) -> Bool {
        let silentShare = Float(silentFrames) / Float(max(1, frames))
        // With much digital silence, or little of anything, there may be no other pause to measure
        // the floor in.
        let length = min(1, Float(window.count) / NoiseFloor.lengthWithPauses)
        let share = max(0.05, NoiseFloor.share * length * (1 - 2 * silentShare))
        return percentiles.move(come: come, gone: gone, share: isAsked ? share : nil)
    }

    private mutating func ask(_ isFound: Bool, added: Int) {
        asked.append(Asked(isFound: isFound, loudestDBFS: loudestDBFS ?? 0, added: added))
    }

    /// Executes the moves, and smooths the requested floors.
    private mutating func readOff() {
        let moves = percentiles.moveCount
        let lacking = moves - found.count
        if lacking > 0 { found.append(contentsOf: repeatElement(.zero, count: lacking)) }
        found.withUnsafeMutableLanes { [count = found.count * BandRow.count] in
            percentiles.run(UnsafeMutableBufferPointer(start: $0, count: count))
        }
        var floors: [BandRow] = []
        // Requests start when the window is full, and then never stop.
        for (asked, place) in zip(asked, (moves - asked.count)...) {
            let lowest = BandRow(repeating: asked.loudestDBFS) - depth
            let floor = asked.isFound ? found[place].raised(to: lowest) : lowest
            // The first floor also applies to all levels before it, the others to one each.
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
