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

/// Takes in levels and finds their floors: in the first lane of rows, whose others are zero.
private struct FloorTracker {
    /// In hundredths of a decibel.
    private(set) var floors: [Int16] = []
    private var levels = MovingMean(before: 5, after: 4)
    private var smoothed = MovingMean(before: 45, after: 45)
    private var window = SlidingPercentiles(lanes: 1, stride: BandRow.count)
    /// What is read off by moves that are carried out together.
    private var found: [BandRow] = []
    /// How many of the next moves ask for a floor, the last ones.
    private var asked = 0

    /// Levels in the window before and after the one in the middle.
    static let reach = 300
    private static let share: Float = 0.2
    private static let levelsAtOnce = 512

    /// Of levels that are all that is heard.
    init(_ levelsDBFS: some Collection<Float>) {
        floors.reserveCapacity(levelsDBFS.count)
        var rows: [BandRow] = []
        for level in levelsDBFS {
            var row = BandRow.zero
            row[0] = level
            rows.append(row)
            if rows.count == FloorTracker.levelsAtOnce { take(&rows) }
        }
        take(&rows)
        levels.finish()
        slide()
        // Around the last ones there are fewer.
        let count = window.end
        for place in max(0, count - FloorTracker.reach)..<count { move(to: place, come: nil) }
        readOff()
        smoothed.finish()
        appendFloors()
    }

    private mutating func take(_ rows: inout [BandRow]) {
        levels.add(rows)
        rows.removeAll(keepingCapacity: true)
        slide()
    }

    /// Moves the window on over the means that are known of levels.
    private mutating func slide() {
        let first = window.end
        levels.means.withUnsafeLanes { [count = levels.means.count * BandRow.count] in
            window.hold(UnsafeBufferPointer(start: $0, count: count))
        }
        levels.forget()
        for number in first..<window.end { move(to: number - FloorTracker.reach, come: number) }
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
        let lacking = max(0, moves - found.count)
        found.append(contentsOf: repeatElement(.zero, count: lacking))
        found.withUnsafeMutableLanes { [count = found.count * BandRow.count] in
            window.run(UnsafeMutableBufferPointer(start: $0, count: count))
        }
        // None is asked for before the window is half full, and then each time.
        smoothed.add(Array(found[(moves - asked)..<moves]))
        asked = 0
        appendFloors()
    }

    private mutating func appendFloors() {
        floors += smoothed.means.map { Int16(Decibels.rounded($0[0] * 100)) }
        smoothed.forget()
    }
}
