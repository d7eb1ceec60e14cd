/// What a series of figures comes to: the middle one, and how far they lie apart.
package struct MedianAndRange: Hashable, Encodable, Sendable {
    /// The middle one, or halfway between the two in the middle.
    package var median: Double
    package var lowest: Double
    package var highest: Double

    /// Of one figure at least.
    package init(of figures: [Double]) {
        precondition(!figures.isEmpty, "no figures have no median")
        let sorted = figures.sorted()
        median = (sorted[(sorted.count - 1) / 2] + sorted[sorted.count / 2]) / 2
        lowest = sorted[0]
        highest = sorted[sorted.count - 1]
    }
}
