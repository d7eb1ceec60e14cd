/// Random numbers that are the same on every machine for the same seed.
///
/// SplitMix64, after Steele, Lea and Flood, "Fast Splittable Pseudorandom Number Generators"
/// (2014).
package struct SeededGenerator: RandomNumberGenerator, Sendable {
    private var state: UInt64

    package init(seed: UInt64) {
        state = seed
    }

    package mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var word = state
        word = (word ^ (word >> 30)) &* 0xbf58_476d_1ce4_e5b9
        word = (word ^ (word >> 27)) &* 0x94d0_49bb_1331_11eb
        return word ^ (word >> 31)
    }

    /// Whether something that happens so many times in a hundred happens now.
    package mutating func chance(percent: Int) -> Bool {
        Int.random(in: 0..<100, using: &self) < percent
    }

    /// So many samples of noise, as loud as they can be.
    ///
    /// Here because what asks for them is not optimised, and they are many.
    package mutating func noise(_ count: Int) -> [Int32] {
        (0..<count).map { _ in Int32.random(in: .min ... .max, using: &self) }
    }

    package mutating func noise(_ count: Int) -> [Int16] {
        (0..<count).map { _ in Int16.random(in: .min ... .max, using: &self) }
    }

    /// One of several; there must be one.
    package mutating func pick<Choices: Collection>(_ choices: Choices) -> Choices.Element {
        guard let choice = choices.randomElement(using: &self) else {
            preconditionFailure("there is nothing to pick from")
        }
        return choice
    }
}
