/// A histogram of values in steps of a quarter of a decibel.
struct DecibelHistogram {
    private(set) var counts: [Double]
    private(set) var total = 0.0

    private let lowest: Float
    private let step: Float

    /// Allocates `steps` steps from `lowest` up; values outside count in the outermost step.
    init(lowest: Float = -30, step: Float = 0.25, steps: Int = 400) {
        self.lowest = lowest
        self.step = step
        counts = Array(repeating: 0, count: steps)
    }

    /// A histogram for levels from -160 to 40 dBFS.
    static var ofLevels: DecibelHistogram { DecibelHistogram(lowest: -160, steps: 800) }

    mutating func add(_ value: Float) {
        let place = (value - lowest) / step
        counts[max(0, min(counts.count - 1, Int(place)))] += 1
        total += 1
    }

    /// Adds the counts of another histogram with the same steps.
    mutating func add(_ other: DecibelHistogram) {
        for index in counts.indices { counts[index] += other.counts[index] }
        total += other.total
    }

    /// The centre of a step.
    func value(_ index: Int) -> Double {
        Double(lowest + (Float(index) + 0.5) * step)
    }

    /// The value below which a share of all values lies.
    func percentile(_ share: Double) -> Double {
        var below = 0.0
        for index in counts.indices {
            below += counts[index]
            if below >= share * total && below > 0 { return value(index) }
        }
        return value(counts.count - 1)
    }
}

/// A mixture of two Gaussians: the floor, and what stands out from it.
///
/// Fitted to a histogram by expectation-maximisation (Dempster, Laird and Rubin, 1977), so the cost
/// does not depend on the number of values.
struct GaussianMixture {
    struct Mode {
        var mean: Double
        var deviation: Double
        var weight: Double
    }

    private(set) var low: Mode
    private(set) var high: Mode

    private static let rounds = 25

    init(_ histogram: DecibelHistogram) {
        low = Mode(mean: histogram.percentile(0.15), deviation: 1.5, weight: 0.5)
        high = Mode(mean: histogram.percentile(0.9), deviation: 3, weight: 0.5)
        guard histogram.total > 0 else { return }
        let used = histogram.counts.indices.filter { histogram.counts[$0] > 0 }
        let values = used.map { histogram.value($0) }
        let counts = used.map { histogram.counts[$0] }
        var ratios = [Float](repeating: 0, count: used.count)
        for _ in 0..<GaussianMixture.rounds {
            improve(values, counts, histogram.total, &ratios)
        }
    }

    /// The distance of the means, relative to the sum of the deviations.
    var separation: Double { (high.mean - low.mean) / (low.deviation + high.deviation) }

    /// - Parameter ratios: A buffer with one number per value.
    private mutating func improve(
        _ values: [Double], _ counts: [Double], _ total: Double, _ ratios: inout [Float]
    ) {
        var lowSums = WeightedSums()
        var highSums = WeightedSums()
        // Uses the ratio of the densities, which is defined even where both underflow.
        for place in ratios.indices {
            ratios[place] = Float(high.exponent(values[place]) - low.exponent(values[place]))
        }
        Decibels.exponentiate(&ratios)
        let odds = high.height / low.height
        for (place, value) in values.enumerated() {
            let share = 1 / (1 + odds * Double(ratios[place]))
            lowSums.add(value, weight: share * counts[place])
            highSums.add(value, weight: (1 - share) * counts[place])
        }
        low = lowSums.mode(of: total, leastDeviation: 0.6)
        high = highSums.mode(of: total, leastDeviation: 1)
    }
}

extension GaussianMixture.Mode {
    /// The density of a mode at a value is `height` times e to the power of `exponent`.
    fileprivate var height: Double { weight / deviation }

    fileprivate func exponent(_ value: Double) -> Double {
        let distance = (value - mean) / deviation
        return -0.5 * distance * distance
    }
}

private struct WeightedSums {
    private var weight = 1e-9
    private var sum = 0.0
    private var sumOfSquares = 0.0

    mutating func add(_ value: Double, weight: Double) {
        self.weight += weight
        sum += weight * value
        sumOfSquares += weight * value * value
    }

    func mode(of total: Double, leastDeviation: Double) -> GaussianMixture.Mode {
        let mean = sum / weight
        let variance = max(0, sumOfSquares / weight - mean * mean)
        return GaussianMixture.Mode(
            mean: mean, deviation: max(leastDeviation, variance.squareRoot()),
            weight: weight / total)
    }
}
