/// Decides which of many recordings are measured: always the same of the same ones.
///
/// They are looked at in an order that is spread evenly over the list, and taken as long as there
/// is room. One that is longer than the room left is passed over; where all are, the shortest is
/// taken.
package struct BenchSample: Sendable {
    /// So many are looked at, and no more.
    package static let mostLookedAt = 100

    /// Sound that is to be measured, at most.
    package let limitSeconds: Double
    /// Places in the list of those that are taken, in the order in which they were looked at.
    package private(set) var chosen: [Int] = []
    package private(set) var seconds = 0.0
    /// The shortest of those that are too long.
    private var tooLong: (place: Int, seconds: Double)?

    package init(limitSeconds: Double) {
        self.limitSeconds = limitSeconds
    }

    /// Places in a list of so many, in an order in which each beginning is spread evenly.
    ///
    /// Of a long list not all of them. The order is that of van der Corput's sequence.
    package static func places(in count: Int) -> [Int] {
        let looked = min(count, mostLookedAt)
        return (0..<looked).map { (reversed($0), $0 * count / looked) }.sorted { $0 < $1 }.map(\.1)
    }

    /// A small number with its 32 bits the other way round.
    private static func reversed(_ number: Int) -> UInt32 {
        var number = UInt32(truncatingIfNeeded: number)
        var result: UInt32 = 0
        for _ in 0..<32 {
            result = result << 1 | number & 1
            number >>= 1
        }
        return result
    }

    /// Takes the recording at a place, or not.
    package mutating func offer(_ place: Int, seconds length: Double) {
        if seconds + length <= limitSeconds {
            chosen.append(place)
            seconds += length
        } else if tooLong.map({ length < $0.seconds }) ?? true {
            tooLong = (place, length)
        }
    }

    /// Makes do with one that is too long where there is nothing else.
    package mutating func settle() {
        guard chosen.isEmpty, let tooLong else { return }
        chosen = [tooLong.place]
        seconds = tooLong.seconds
    }
}
