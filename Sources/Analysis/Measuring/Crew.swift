/// Those who carry out pieces of work that do not hang on each other.
///
/// This room knows of no threads: whoever has some says how a crew shares its pieces. What comes of
/// them does not depend on who carries out which.
package struct Crew: Sendable {
    /// Calls what it is given with each number below a count once.
    package typealias CarryingOut =
        @Sendable (_ count: Int, _ piece: @Sendable (Int) -> Void) -> Void

    /// How many pieces are carried out at once at the most.
    let workers: Int
    private let carryOut: CarryingOut

    /// - Parameter carryOut: In any order, and at once if it can; returns when all are done.
    package init(workers: Int, carryOut: @escaping CarryingOut) {
        precondition(workers > 0, "somebody works")
        self.workers = workers
        self.carryOut = carryOut
    }

    /// One who carries out one piece after another.
    package static let alone = Crew(workers: 1) { count, piece in
        for number in 0..<count { piece(number) }
    }

    /// What comes of so many pieces, in their order.
    func map<Result: Sendable>(_ count: Int, _ piece: @Sendable (Int) -> Result) -> [Result] {
        [Result](unsafeUninitializedCapacity: count) { results, initialized in
            // Each piece writes to a place of its own, and all have when they are carried out.
            nonisolated(unsafe) let places = results
            carryOut(count) { places.initializeElement(at: $0, to: piece($0)) }
            initialized = count
        }
    }
}

extension Range<Int> {
    /// The same in stretches of a length that follow each other, the last one as long as it is.
    func cut(every length: Int) -> [Range<Int>] {
        stride(from: lowerBound, to: upperBound, by: length).map {
            $0..<Swift.min(upperBound, $0 + length)
        }
    }
}
