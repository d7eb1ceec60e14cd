/// The mean of the rows around each one, of fewer at the ends.
///
/// Rows are taken to the nearest 1/256 dB, whose sums are exact up to 65,536 dB: a mean depends on
/// the rows around it alone, and not on what has passed through before.
struct MovingMean {
    /// How many rows before and after each count.
    private let before: Int
    private let after: Int
    /// The latest rows, each at its place by the remainder of its number.
    private var latest: [Row] = []
    private var sum = BandRow(repeating: 0)
    /// How many rows are in the sum, and how many there would be if all counted.
    private var count = 0
    private var length = 0
    /// Rows that have come, and means that have gone.
    private var added = 0
    private var given = 0

    private struct Row {
        /// Zeros where it does not count.
        var levels: BandRow
        var count: Int
    }

    struct Mean {
        /// Zeros where nothing counts.
        var row: BandRow
        /// How many of the rows around count, and how many do not.
        var count: Int
        var missing: Int
    }

    init(before: Int, after: Int) {
        self.before = before
        self.after = after
    }

    /// Takes in the next row, `nil` for one that does not count, and gives the mean around the one
    /// that lies `after` rows before it.
    mutating func add(_ row: BandRow?) -> Mean? {
        let levels = (row ?? BandRow(repeating: 0)).mapEights { Decibels.rounded($0 * 256) / 256 }
        let row = Row(levels: levels, count: row == nil ? 0 : 1)
        sum = sum + row.levels
        count += row.count
        length += 1
        if latest.count <= before + after {
            latest.append(row)
        } else {
            latest[added % latest.count] = row
        }
        added += 1
        return added > after ? next() : nil
    }

    /// The next of the means that are left when there are no more rows.
    mutating func finish() -> Mean? { given < added ? next() : nil }

    private mutating func next() -> Mean {
        let mean = Mean(
            row: (1 / Float(max(1, count))) * sum, count: count, missing: length - count)
        if given >= before {
            let row = latest[(given - before) % latest.count]
            sum = sum - row.levels
            count -= row.count
            length -= 1
        }
        given += 1
        return mean
    }
}
