/// How much the level of the bands of voices wavers around each frame, in decibels.
///
/// Speech rises and falls some four times a second (Houtgast and Steeneken, JASA 77, 1985), noise
/// hardly ever, however loud it is: after a gain control has brought it up, and beside a floor that
/// was taken elsewhere. As in long-term spectral variability (Ghosh, Tsiartas and Narayanan, IEEE
/// TASLP 19, 2011), what counts is the spread over half a second; a steady rise or fall is taken
/// off first.
struct Modulation {
    /// Deviation from a straight line over half a second, the highest in the neighbourhood.
    let decibels: [Float]

    /// Frames on each side that the line is laid through.
    private static let reach = 25
    /// Frames on each side within which the highest counts, so that words keep their edges.
    private static let spread = 15
    /// Levels so far below the highest are raised to that, in hundredths: what is in there is
    /// nothing.
    private static let depth = 6600

    /// Of levels in hundredths of a decibel.
    ///
    /// Whole numbers all the way to the sums, so that they can slide without drifting.
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
            // Five frames of hundredths were summed up.
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
