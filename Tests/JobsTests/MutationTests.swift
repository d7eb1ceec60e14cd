import TestSupport
import Testing

/// The simulation is worth what it finds.
@Suite struct MutationTests {
    @Test(arguments: Mutant.allCases)
    func simulationFindsPlantedBug(_ mutant: Mutant) throws {
        let first = mutant.rarelyShowsBefore
        let failure = try #require(mutant.firstFailure(in: first..<(first + 500)))
        // What was found is shown as it came about.
        #expect(failure.trace.description.contains("a run"))
    }
}

extension Mutant {
    /// Where to begin, for those that it takes several misfortunes at once to show: `simulate
    /// --mutants` looks from the beginning.
    fileprivate var rarelyShowsBefore: UInt64 {
        switch self {
        case .sharingTemporaryNames: 2_500
        default: 0
        }
    }
}
