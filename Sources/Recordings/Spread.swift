/// What a series of figures comes to: the middle one, and how far they lie apart.
package struct Spread: Hashable, Codable, Sendable {
    /// The middle one, or halfway between the two in the middle.
    package var median: Double
    package var lowest: Double
    package var highest: Double

    /// `nil` of no figures.
    package init?(of figures: [Double]) {
        let sorted = figures.sorted()
        guard let first = sorted.first, let last = sorted.last else { return nil }
        let middle = sorted.count / 2
        median =
            sorted.count.isMultiple(of: 2)
            ? (sorted[middle - 1] + sorted[middle]) / 2 : sorted[middle]
        lowest = first
        highest = last
    }

    /// Whether the two have figures between the same bounds, so that one may be the other.
    package func overlaps(_ other: Spread) -> Bool {
        lowest <= other.highest && other.lowest <= highest
    }
}
