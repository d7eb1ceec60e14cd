import TestSupport
import Testing

/// The simulation is worth what it finds.
@Suite struct MutationTests {
    @Test(arguments: Mutant.allCases)
    func aPlantedBugIsFoundSoon(_ mutant: Mutant) throws {
        let failure = try #require(mutant.firstFailure(in: 0..<4_000))
        // What was found is shown as it came about.
        #expect(failure.trace.description.contains("a run"))
    }
}
