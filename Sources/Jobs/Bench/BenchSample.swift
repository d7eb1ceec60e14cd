/// Decides which of many recordings are measured: always the same of the same ones.
package enum BenchSample {
    /// So many are looked at, and no more.
    package static let mostLookedAt = 100

    /// Places in a list of so many, in an order in which each beginning is spread evenly over it.
    ///
    /// Of a long list not all of them. Multiples of the golden ratio never come close to each
    /// other, so those with the smallest fractions lie evenly too.
    package static func places(in count: Int) -> [Int] {
        let looked = min(count, mostLookedAt)
        return (0..<looked).sorted { fraction($0) < fraction($1) }.map { $0 * count / looked }
    }

    private static func fraction(_ number: Int) -> Double {
        (Double(number) * 0.618_033_988_749_895).truncatingRemainder(dividingBy: 1)
    }

    /// The places of those that are taken, as long as there is room for their sound.
    ///
    /// One that is longer than the room left is passed over; where all are, the shortest is taken.
    /// - Parameter lengths: of the sound, in the order in which they were looked at.
    package static func chosen(of lengths: [Double], limitSeconds: Double) -> [Int] {
        var room = limitSeconds
        let chosen = lengths.indices.filter { place in
            guard lengths[place] <= room else { return false }
            room -= lengths[place]
            return true
        }
        guard chosen.isEmpty, let shortest = lengths.indices.min(by: { lengths[$0] < lengths[$1] })
        else { return chosen }
        return [shortest]
    }
}
