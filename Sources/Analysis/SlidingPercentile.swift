/// The values in a sliding window, kept in order, so that any rank can be read off.
struct SlidingPercentile {
    private var sorted: [Float] = []

    mutating func insert(_ value: Float) {
        sorted.insert(value, at: place(of: value))
    }

    /// Removes a value that was inserted before.
    mutating func remove(_ value: Float) {
        sorted.remove(at: place(of: value))
    }

    /// The value below which a share of all lies, from 0 to 1; `nil` of nothing.
    func value(atShare share: Float) -> Float? {
        guard let last = sorted.indices.last else { return nil }
        let rank = share * Float(last)
        let below = Int(rank)
        let above = min(below + 1, last)
        let weight = rank - Float(below)
        return sorted[below] + weight * (sorted[above] - sorted[below])
    }

    /// The first place whose value is not below `value`.
    private func place(of value: Float) -> Int {
        var low = 0
        var high = sorted.count
        while low < high {
            let middle = (low + high) / 2
            if sorted[middle] < value { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
