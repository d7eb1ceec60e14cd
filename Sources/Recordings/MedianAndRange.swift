/// Median, minimum and maximum of a series.
package struct MedianAndRange: Hashable, Encodable, Sendable {
    /// The middle value, or the mean of the two middle ones.
    package var median: Double
    package var lowest: Double
    package var highest: Double

    /// Summarises at least one value.
    package init(of figures: [Double]) {
        precondition(!figures.isEmpty, "no figures have no median")
        let sorted = figures.sorted()
        median = (sorted[(sorted.count - 1) / 2] + sorted[sorted.count / 2]) / 2
        lowest = sorted[0]
        highest = sorted[sorted.count - 1]
    }
}
