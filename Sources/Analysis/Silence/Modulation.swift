/// Measures the level modulation of the voice bands around each frame, in decibels.
///
/// The level of speech rises and falls about four times a second (Houtgast and Steeneken, JASA 77,
/// 1985). That of noise hardly changes, however loud: even amplified by a gain control, or beside a
/// floor measured elsewhere. As in long-term spectral variability (Ghosh, Tsiartas and Narayanan,
/// IEEE TASLP 19, 2011), the measure is the spread over half a second, after removing a linear
/// trend.
struct Modulation {
    /// The deviation from a straight line over half a second, the highest nearby.
    let decibels: [Float]

    /// Frames on each side for fitting the line.
    private static let reach = 25
    /// Frames on each side for taking the highest, so that words keep their edges.
    private static let spread = 15
    /// Levels further below the highest are raised to this, in hundredths, as they hold nothing of
    /// interest.
    private static let depth = 6600

    /// For levels in hundredths of a decibel.
    ///
    /// Sums are integers, so that they can slide without drift.
    init(levels: [Int16]) {
        let lowest = Int(levels.max() ?? 0) - Modulation.depth
        let smooth = Modulation.sumsOfFive(levels.map { max(lowest, Int($0)) })
        let reach = Modulation.reach
        let count = 2 * reach + 1
        guard let first = smooth.first, let last = smooth.last else {
            decibels = []
            return
        }
        let padded =
            Array(repeating: first, count: reach) + smooth + Array(repeating: last, count: reach)
        var sum = 0
        var moment = 0
        var squares = 0
        for place in 0..<count {
            sum += padded[place]
            moment += (place - reach) * padded[place]
            squares += padded[place] * padded[place]
        }
        let placeSquares = Double(reach * (reach + 1) * count) / 3
        var deviations = [Float](repeating: 0, count: smooth.count)
        for frame in smooth.indices {
            let mean = Double(sum) / Double(count)
            let slant = Double(moment) * Double(moment) / placeSquares
            let variance = (Double(squares) - slant) / Double(count) - mean * mean
            // Each sum covers five frames, in hundredths.
            deviations[frame] = Float(max(0, variance).squareRoot() / 500)
            guard frame + count < padded.count else { break }
            let oldest = padded[frame]
            let newest = padded[frame + count]
            moment += -sum + oldest + reach * oldest + reach * newest
            sum += newest - oldest
            squares += newest * newest - oldest * oldest
        }
        decibels = Modulation.highest(of: deviations)
    }

    private static func sumsOfFive(_ levels: [Int]) -> [Int] {
        let last = levels.count - 1
        return levels.indices.map { frame in
            (frame - 2...frame + 2).reduce(0) { $0 + levels[max(0, min(last, $1))] }
        }
    }

    private static func highest(of values: [Float]) -> [Float] {
        values.indices.map { frame in
            values[max(0, frame - spread)...min(values.count - 1, frame + spread)]
                .reduce(0) { max($0, $1) }
        }
    }
}
