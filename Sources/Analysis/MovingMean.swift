/// What means are taken of: levels in decibels, one or a row of them.
protocol Averaged {
    static var zero: Self { get }
    static func + (left: Self, right: Self) -> Self
    static func - (left: Self, right: Self) -> Self
    static func * (factor: Float, levels: Self) -> Self
    /// To the nearest 1/256 dB, of levels up to 16,384 dB.
    var nearestStep: Self { get }
}

extension BandRow: Averaged {
    static var zero: BandRow { BandRow(repeating: 0) }
    var nearestStep: BandRow { mapEights { Decibels.rounded($0 * 256) / 256 } }
}

extension Float: Averaged {
    var nearestStep: Float { Decibels.rounded(self * 256) / 256 }
}

/// The mean of the levels around each, of fewer at the ends.
///
/// They are taken to the nearest 1/256 dB, whose sums are exact up to 65,536 dB: a mean depends on
/// what is around it alone, and not on what has passed through before.
struct MovingMean<Value: Averaged> {
    /// How many before and after each count.
    private let before: Int
    private let after: Int
    /// Those that are in the sum, round and round: the oldest, and the place of the next to come.
    private var latest: [Entry] = []
    private var oldest = 0
    private var place = 0
    private var sum = Value.zero
    /// How many are in the sum, and how many there would be if all counted.
    private var count = 0
    private var length = 0
    /// Levels that have come, and means that have gone.
    private var added = 0
    private var given = 0

    private struct Entry {
        /// Zero where they do not count.
        var levels: Value
        var count: Int
    }

    struct Mean {
        /// Zero where nothing counts.
        var levels: Value
        /// How many of those around count, and how many do not.
        var count: Int
        var missing: Int
    }

    init(before: Int, after: Int) {
        self.before = before
        self.after = after
    }

    /// Takes in the next levels, `nil` for some that do not count, and gives the mean around those
    /// that came `after` before.
    mutating func add(_ levels: Value?) -> Mean? {
        let entry = Entry(levels: (levels ?? .zero).nearestStep, count: levels == nil ? 0 : 1)
        sum = sum + entry.levels
        count += entry.count
        length += 1
        if place == latest.count {
            latest.append(entry)
        } else {
            latest[place] = entry
        }
        place = following(place)
        added += 1
        return added > after ? next() : nil
    }

    /// The next of the means that are left when no more come.
    mutating func finish() -> Mean? { given < added ? next() : nil }

    private mutating func next() -> Mean {
        let mean = Mean(
            levels: (1 / Float(max(1, count))) * sum, count: count, missing: length - count)
        if given >= before {
            let entry = latest[oldest]
            oldest = following(oldest)
            sum = sum - entry.levels
            count -= entry.count
            length -= 1
        }
        given += 1
        return mean
    }

    private func following(_ place: Int) -> Int { place < before + after ? place + 1 : 0 }
}
