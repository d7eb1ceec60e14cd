import Jobs
import TestSupport
import Testing

@Suite struct SimulationTests {
    static let seeds: Range<UInt64> = 0..<500

    @Test func whateverTheWorldAnswersARunKeepsItsPromises() {
        for seed in Self.seeds {
            var world = SimulatedWorld(seed: seed)
            do {
                try world.run()
            } catch {
                Issue.record("\(error)")
                return
            }
        }
    }

    /// A world in which nothing goes wrong would prove nothing.
    @Test func theSeedsBringAboutEverythingThatCanHappen() throws {
        var sum = Summary()
        var interrupted = 0
        var ignored = 0
        for seed in Self.seeds {
            var world = SimulatedWorld(seed: seed)
            try world.run()
            let summary = world.state.summary
            sum.upToDate += summary.upToDate
            sum.done += summary.done
            sum.failed += summary.failed
            sum.planned += summary.planned
            sum.silent += summary.silent
            sum.trimmed += summary.trimmed
            sum.foldersFailed += summary.foldersFailed
            sum.manifestsFailed += summary.manifestsFailed
            interrupted += summary.settled < summary.recordings ? 1 : 0
            ignored += world.state.ignoredAnswers
        }
        let counts = [
            sum.upToDate, sum.done, sum.failed, sum.planned, sum.silent, sum.trimmed,
            sum.foldersFailed, sum.manifestsFailed, interrupted, ignored,
        ]
        #expect(counts.allSatisfy { $0 >= 30 }, "\(counts)")
    }
}
