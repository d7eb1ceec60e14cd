/// At each frame the level that a fifth of the six seconds around do not reach, smoothed over most
/// of a second: of the means of ten frames, like the floors of bands (`NoiseFloor`).
///
/// Memory: two bytes a frame.
struct LevelFloors {
    /// In hundredths of a decibel.
    private var floors: [Int16] = []
    private var levels = MovingMean<Float>(before: 5, after: 4)
    private var smoothed = MovingMean<Float>(before: 45, after: 45)

    private var window = SlidingPercentiles(lanes: 1, capacity: 2 * reach + 1)
    /// Levels that have come into the window, that have left it, and floors that it has given.
    private var added = 0
    private var removed = 0
    private var given = 0

    /// Levels in the window before and after the one in the middle.
    private static let reach = 300
    private static let share: Float = 0.2

    init(_ levelsDBFS: some Collection<Float>) {
        floors.reserveCapacity(levelsDBFS.count)
        for level in levelsDBFS { levels.add(level).map { slide(to: $0.levels) } }
        while let mean = levels.finish() { slide(to: mean.levels) }
        while given < added { give() }
        while let mean = smoothed.finish() { append(mean.levels) }
    }

    /// The floor at a frame.
    subscript(frame: Int) -> Float { Float(floors[frame]) / 100 }

    private mutating func slide(to level: Float) {
        removeLevels(before: added - 2 * LevelFloors.reach)
        window.insert(level)
        added += 1
        if added > LevelFloors.reach { give() }
    }

    /// Gives the next floor to be smoothed, of fewer levels at the ends of the recording.
    private mutating func give() {
        removeLevels(before: given - LevelFloors.reach)
        given += 1
        guard let floor = window.value(atShare: LevelFloors.share) else { return }
        smoothed.add(floor).map { append($0.levels) }
    }

    private mutating func removeLevels(before first: Int) {
        while removed < first {
            window.removeFirst()
            removed += 1
        }
    }

    private mutating func append(_ floor: Float) { floors.append(Int16((floor * 100).rounded())) }
}
