extension ArraySlice<Double> {
    /// What lies at a share of them, from 0 to 1, and between two of them in proportion; there must
    /// be one.
    ///
    /// Sorts them each time, and is here because what asks for it is not optimised.
    package func percentile(_ share: Double) -> Double {
        let sorted = sorted()
        let rank = share * Double(count - 1)
        let (low, high) = (sorted[Int(rank)], sorted[Int(rank.rounded(.up))])
        return low + (rank - rank.rounded(.down)) * (high - low)
    }
}
