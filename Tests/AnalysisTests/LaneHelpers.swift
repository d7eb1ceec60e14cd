import TestSupport
import Testing

/// So many numbers in a range, the same each time.
func numbers(_ count: Int, _ range: ClosedRange<Float>, seed: UInt64 = 7) -> [Float] {
    var random = SeededGenerator(seed: seed)
    return (0..<count).map { _ in Float.random(in: range, using: &random) }
}

/// Holds what two loops have made of the same numbers against each other.
func expectSame(
    _ one: [Float], _ other: [Float], sourceLocation: SourceLocation = #_sourceLocation
) {
    let areSame = one.map(\.bitPattern) == other.map(\.bitPattern)
    #expect(areSame, sourceLocation: sourceLocation)
}
