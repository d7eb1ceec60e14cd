/// At each frame the level that a fifth of the six seconds around do not reach, smoothed over most
/// of a second: of the means of ten frames, like the floors of bands (`NoiseFloor`).
///
/// Memory: two bytes a frame.
struct LevelFloors {
    /// In hundredths of a decibel.
    private let floors: [Int16]

    /// Levels in the window before and after the one in the middle.
    private static let reach = 300
    private static let share: Float = 0.2

    init(_ levelsDBFS: some Collection<Float>) {
        let levels = LevelFloors.means(Array(levelsDBFS), before: 5, after: 4)
        let floors = LevelFloors.percentiles(levels)
        self.floors = LevelFloors.means(floors, before: 45, after: 45)
            .map { Int16(Decibels.rounded($0 * 100)) }
    }

    /// The floor at a frame.
    subscript(frame: Int) -> Float { Float(floors[frame]) / 100 }

    /// What a share of the levels around each does not reach, of fewer at the ends.
    private static func percentiles(_ levels: [Float]) -> [Float] {
        var window = SlidingPercentiles(lanes: 1, stride: 1)
        levels.withUnsafeBufferPointer { window.hold($0) }
        for place in 0..<min(reach, levels.count) {
            _ = window.move(come: place, gone: nil, share: nil)
        }
        var floors = [Float](repeating: 0, count: levels.count)
        // Somewhat more than the moves that came before the first of them.
        var found = [Float](repeating: 0, count: 4096)
        found.withUnsafeMutableBufferPointer { window.run($0) }
        for start in stride(from: 0, to: levels.count, by: found.count) {
            let own = start..<min(start + found.count, levels.count)
            for place in own {
                let (next, last) = (place + reach, place - reach - 1)
                _ = window.move(
                    come: next < levels.count ? next : nil, gone: last >= 0 ? last : nil,
                    share: share)
            }
            found.withUnsafeMutableBufferPointer { window.run($0) }
            floors.replaceSubrange(own, with: found[..<own.count])
        }
        return floors
    }

    /// The mean of the levels around each, of fewer at the ends; to the nearest 1/256 dB, whose
    /// sums are exact (`MovingMean`).
    private static func means(_ levels: [Float], before: Int, after: Int) -> [Float] {
        let steps = levels.map { Int32(Decibels.rounded($0 * 256)) }
        var (sum, count): (Int32, Int) = (0, 0)
        for step in steps.prefix(after) { (sum, count) = (sum + step, count + 1) }
        return steps.indices.map { place in
            let (next, last) = (place + after, place - before - 1)
            if next < steps.count { (sum, count) = (sum + steps[next], count + 1) }
            if last >= 0 { (sum, count) = (sum - steps[last], count - 1) }
            return Float(sum) / 256 / Float(count)
        }
    }
}
