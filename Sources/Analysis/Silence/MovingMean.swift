import CLanes

/// A moving mean of levels, over fewer levels at the ends.
///
/// Levels are rounded to 1/256 dB, so that sums are exact up to 65,536 dB: a mean depends only on
/// the levels it covers, not on earlier ones. Adding many levels at once is fastest.
struct MovingMean {
    /// The means available so far, and the number of levels in each.
    private(set) var means: [BandRow] = []
    private(set) var counts: [Count] = []

    /// The number of levels before and after the centre of each mean.
    private let before: Int
    private let after: Int
    /// The levels in the sum (zero if excluded), with room for the next ones.
    private var levels: [BandRow]
    private var kinds: [Kind]
    private var sum = BandRow.zero
    private var count = Count()
    /// Levels that are or were in the sum, including padding at the end.
    private var placed = 0
    private var shares: [Float] = []

    struct Count: Hashable {
        /// The number of included and of excluded levels.
        var own = 0
        var missing = 0
    }

    private enum Kind {
        case none, own, missing
    }

    init(before: Int, after: Int) {
        (self.before, self.after) = (before, after)
        levels = Array(repeating: .zero, count: before + 1 + after)
        kinds = Array(repeating: .none, count: before + 1 + after)
    }

    /// Adds the next levels, which are zero if excluded.
    mutating func add(_ rows: ArraySlice<BandRow>, areMissing: ArraySlice<Bool>) {
        precondition(rows.count == areMissing.count, "of each it is known whether it counts")
        kinds.append(contentsOf: areMissing.lazy.map { $0 ? .missing : .own })
        put(rows)
    }

    /// Adds levels, none of them excluded.
    mutating func add(_ rows: [BandRow]) {
        add(rows[...], areMissing: Array(repeating: false, count: rows.count)[...])
    }

    /// Computes the remaining means at the end.
    mutating func finish() {
        kinds.append(contentsOf: repeatElement(.none, count: after))
        put(Array(repeating: .zero, count: after)[...])
    }

    /// Discards the available means.
    mutating func forget() {
        means.removeAll(keepingCapacity: true)
        counts.removeAll(keepingCapacity: true)
    }

    /// Appends rows to those held; as many old ones leave the sum.
    private mutating func put(_ rows: ArraySlice<BandRow>) {
        let (length, number) = (before + 1 + after, rows.count)
        shares.removeAll(keepingCapacity: true)
        shares.reserveCapacity(number)
        counts.reserveCapacity(counts.count + number)
        // The first rows have no mean yet.
        let early = max(0, min(number, after - placed))
        for index in 0..<number {
            note(kinds[length + index], 1)
            note(kinds[index], -1)
            shares.append(1 / Float(max(1, count.own)))
            if index >= early { counts.append(count) }
        }
        kinds.removeFirst(number)
        placed += number
        let known = means.count
        means.append(contentsOf: repeatElement(.zero, count: number))
        if levels.count < length + number {
            levels.append(contentsOf: repeatElement(.zero, count: number))
        }
        moveSum(rows, length, from: known)
        means.removeSubrange(known..<known + early)
    }

    private mutating func note(_ kind: Kind, _ change: Int) {
        if kind == .own { count.own += change }
        if kind == .missing { count.missing += change }
    }

    /// Writes the mean of the last `length` rows after each new row.
    private mutating func moveSum(_ rows: ArraySlice<BandRow>, _ length: Int, from known: Int) {
        let shares = shares
        rows.withUnsafeLanes { rows in
            levels.withUnsafeMutableLanes { levels in
                sum.withUnsafeMutableLanes { sum in
                    means.withUnsafeMutableLanes {
                        // There is room for the rows in both.
                        lanes_moving_means(
                            rows, shares.count, length, shares, levels, sum,
                            $0 + known * BandRow.count)
                    }
                }
                levels.update(
                    from: levels + shares.count * BandRow.count, count: length * BandRow.count)
            }
        }
    }
}
