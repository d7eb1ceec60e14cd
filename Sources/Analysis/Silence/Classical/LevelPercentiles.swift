/// At each frame the level that a fifth of the six seconds around do not reach, smoothed over most
/// of a second: of the means of ten frames, like the floors of bands (`NoiseFloor`).
///
/// Memory: two bytes a frame; 100 kB more until it is made.
struct LevelPercentiles {
    /// In hundredths of a decibel.
    private let floors: [Int16]

    /// Of the frames that are heard.
    init(of heard: Range<Int>, _ level: (Int) -> Float) {
        floors = FloorTracker(heard.lazy.map(level)).floors
    }

    /// The floor at a frame, counted from the first that is heard.
    subscript(frame: Int) -> Float { Float(floors[frame]) / 100 }
}

/// Takes in levels and finds their floors.
private struct FloorTracker {
    /// In hundredths of a decibel.
    private(set) var floors: [Int16] = []
    private var levels = SlidingMean(before: 5, after: 4)
    private var smoothed = SlidingMean(before: 45, after: 45)
    private var window = SlidingPercentiles(lanes: 1, stride: 1)
    /// Means that come into the window together, and what is read off meanwhile.
    private var means: [Float] = []
    private var found: [Float] = []
    /// How many of the next moves ask for a floor, the last ones.
    private var asked = 0

    /// Levels in the window before and after the one in the middle.
    static let reach = 300
    private static let share: Float = 0.2
    private static let meansAtOnce = 4096

    /// Of levels that are all that is heard.
    init(_ levelsDBFS: some Collection<Float>) {
        floors.reserveCapacity(levelsDBFS.count)
        means.reserveCapacity(FloorTracker.meansAtOnce)
        for level in levelsDBFS {
            if let mean = levels.add(level) { means.append(mean) }
            if means.count == FloorTracker.meansAtOnce { slide() }
        }
        while let mean = levels.finish() { means.append(mean) }
        slide()
        // Around the last ones there are fewer.
        let count = window.end
        for place in max(0, count - FloorTracker.reach)..<count { move(to: place, come: nil) }
        readOff()
        while let floor = smoothed.finish() { append(floor) }
    }

    /// Moves the window on over the means.
    private mutating func slide() {
        let first = window.end
        means.withUnsafeBufferPointer { window.hold($0) }
        for number in first..<window.end { move(to: number - FloorTracker.reach, come: number) }
        means.removeAll(keepingCapacity: true)
        readOff()
        window.forget(before: window.end - 2 * FloorTracker.reach - 1)
    }

    /// Moves the window to a place, and asks for the floor there, if it is one.
    private mutating func move(to place: Int, come: Int?) {
        let last = place - FloorTracker.reach - 1
        _ = window.move(
            come: come, gone: last >= 0 ? last : nil, share: place >= 0 ? FloorTracker.share : nil)
        if place >= 0 { asked += 1 }
    }

    /// Carries out the moves, and smooths the floors that were asked for.
    private mutating func readOff() {
        let moves = window.moveCount
        if found.count < moves { found = Array(repeating: 0, count: moves) }
        found.withUnsafeMutableBufferPointer { window.run($0) }
        // None is asked for before the window is half full, and then each time.
        for place in (moves - asked)..<moves {
            if let floor = smoothed.add(found[place]) { append(floor) }
        }
        asked = 0
    }

    private mutating func append(_ floor: Float) {
        floors.append(Int16(Decibels.rounded(floor * 100)))
    }
}

/// The mean of the levels around each, of fewer at the ends: `MovingMean` for single levels.
private struct SlidingMean {
    private let after: Int
    /// The last levels, in steps of 1/256 dB, zero where there are none, round and round.
    private var latest: [Int32]
    private var place = 0
    private var sum: Int32 = 0
    /// Levels that have come, and those that have been put in their places, or none for them.
    private var added = 0
    private var placed = 0

    init(before: Int, after: Int) {
        self.after = after
        latest = Array(repeating: 0, count: before + 1 + after)
    }

    /// Takes in the next level, and gives the mean around the one that came `after` before.
    mutating func add(_ level: Float) -> Float? {
        added += 1
        return put(Int32(Decibels.rounded(level * 256)))
    }

    /// The next of the means that are left when no more come.
    mutating func finish() -> Float? {
        while placed < added + after {
            if let mean = put(0) { return mean }
        }
        return nil
    }

    private mutating func put(_ steps: Int32) -> Float? {
        sum += steps - latest[place]
        latest[place] = steps
        place = place + 1 < latest.count ? place + 1 : 0
        placed += 1
        let count = min(added, placed) - max(0, placed - latest.count)
        return placed > after ? 1 / Float(max(1, count)) * (Float(sum) / 256) : nil
    }
}
