/// The level floor at each frame: the 20th percentile of the surrounding six seconds, smoothed over
/// nearly a second; from means of ten frames, like the floors of bands (`NoiseFloor`).
///
/// Memory: two bytes per frame, plus 100 kB while computing.
struct LevelPercentiles {
    /// In hundredths of a decibel.
    private let floors: [Int16]

    /// The floors of the frames heard.
    init(of heard: Range<Int>, _ level: (Int) -> Float) {
        floors = FloorTracker(heard.lazy.map(level)).floors
    }

    /// The floor at a frame, numbered from the first frame heard.
    subscript(frame: Int) -> Float { Float(floors[frame]) / 100 }
}

/// Computes the floors of levels, in the first lane of rows whose other lanes are zero.
private struct FloorTracker {
    /// In hundredths of a decibel.
    private(set) var floors: [Int16] = []
    private var levels = MovingMean(before: 5, after: 4)
    private var smoothed = MovingMean(before: 45, after: 45)
    private var window = SlidingPercentiles(lanes: 1, stride: BandRow.count)
    /// The values found by moves that are executed together.
    private var found: [BandRow] = []
    /// The number of queued moves that request a floor, always the last ones.
    private var asked = 0

    /// Levels in the window on either side of its centre.
    static let reach = 300
    private static let share: Float = 0.2
    private static let levelsAtOnce = 512

    /// Computes the floors of all the levels.
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
        // The last levels have fewer around them.
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

    /// Moves the window over the available mean levels.
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

    /// Moves the window's centre to `place`, and requests the floor there if there is a level.
    private mutating func move(to place: Int, come: Int?) {
        let last = place - FloorTracker.reach - 1
        _ = window.move(
            come: come, gone: last >= 0 ? last : nil, share: place >= 0 ? FloorTracker.share : nil)
        if place >= 0 { asked += 1 }
    }

    /// Executes the moves, and smooths the requested floors.
    private mutating func readOff() {
        let moves = window.moveCount
        let lacking = max(0, moves - found.count)
        found.append(contentsOf: repeatElement(.zero, count: lacking))
        found.withUnsafeMutableLanes { [count = found.count * BandRow.count] in
            window.run(UnsafeMutableBufferPointer(start: $0, count: count))
        }
        // Requests start when the window is half full, and then never stop.
        smoothed.add(Array(found[(moves - asked)..<moves]))
        asked = 0
        appendFloors()
    }

    private mutating func appendFloors() {
        floors += smoothed.means.map { Int16(Decibels.rounded($0[0] * 100)) }
        smoothed.forget()
    }
}
