import CLanes

/// The mean of the levels around each, of fewer at the ends.
///
/// They are taken to the nearest 1/256 dB, whose sums are exact up to 65,536 dB: a mean depends on
/// what is around it alone, and not on what has passed through before. Many at a time cost the
/// least.
struct MovingMean {
    /// The means that are known and that nobody has taken yet, and of how many levels each.
    private(set) var means: [BandRow] = []
    private(set) var counts: [Count] = []

    /// How many levels before and after each its mean is of.
    private let before: Int
    private let after: Int
    /// The levels in the sum, zero where they do not count, and room for those that come.
    private var levels: [BandRow]
    private var kinds: [Kind]
    private var sum = BandRow.zero
    private var count = Count()
    /// Levels that are in the sum or were, and those that stand for none at the end.
    private var placed = 0
    private var shares: [Float] = []

    struct Count: Hashable {
        /// How many of those around count, and how many do not.
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

    /// Takes in the next levels, which are zero where they do not count.
    mutating func add(_ rows: ArraySlice<BandRow>, areMissing: ArraySlice<Bool>) {
        precondition(rows.count == areMissing.count, "of each it is known whether it counts")
        kinds.append(contentsOf: areMissing.lazy.map { $0 ? .missing : .own })
        put(rows)
    }

    /// Takes in levels all of which count.
    mutating func add(_ rows: [BandRow]) {
        add(rows[...], areMissing: Array(repeating: false, count: rows.count)[...])
    }

    /// Gives the means that are left when no more come.
    mutating func finish() {
        kinds.append(contentsOf: repeatElement(.none, count: after))
        put(Array(repeating: .zero, count: after)[...])
    }

    /// Forgets the means that are known.
    mutating func forget() {
        means.removeAll(keepingCapacity: true)
        counts.removeAll(keepingCapacity: true)
    }

    /// Puts rows behind those that are held, of which as many fall out of the sum.
    private mutating func put(_ rows: ArraySlice<BandRow>) {
        let (length, number) = (before + 1 + after, rows.count)
        shares.removeAll(keepingCapacity: true)
        shares.reserveCapacity(number)
        counts.reserveCapacity(counts.count + number)
        // Around the first ones there is nothing yet.
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

    /// Writes the mean of each of the last `length` rows, while more come in.
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
