import TestSupport
import Testing

@Suite struct SimulationTests {
    static let seeds: Range<UInt64> = 0..<2_500

    /// And the seeds bring about everything that can happen: a world in which nothing goes wrong
    /// would prove nothing.
    @Test func faultyRunsEndLikeAnUndisturbedRun() {
        let expected = Set(SimulatedEvent.allCases).subtracting(SimulatedEvent.ofWatchedWorlds)
        run(Self.seeds, isWatched: false, expecting: expected)
    }

    @Test func watchedTreeEndsLikeASingleFinalRun() throws {
        let others: Set<SimulatedEvent> = [
            .powerLoss, .kill, .signal, .changed, .vanished, .missing, .back, .pruned, .unmounted,
        ]
        let events = try #require(
            run(
                0..<1000, isWatched: true,
                expecting: SimulatedEvent.ofWatchedWorlds.union(others).subtracting([.decodedAgain])
            ))
        // A recording that has another name now is seldom done anew.
        let again = events[.decodedAgain, default: 0] - events[.adoptionFailed, default: 0]
        #expect(events[.moved, default: 0] > 3 * again)
    }

    /// - Returns: how often each event happened; `nil` where something was wrong.
    @discardableResult
    private func run(
        _ seeds: Range<UInt64>, isWatched: Bool, expecting expected: Set<SimulatedEvent>
    ) -> [SimulatedEvent: Int]? {
        var events: [SimulatedEvent: Int] = [:]
        for seed in seeds {
            var world = SimulatedWorld(seed: seed, isWatched: isWatched)
            do {
                try world.run()
            } catch {
                Issue.record("\(error)")
                return nil
            }
            events.merge(world.events, uniquingKeysWith: +)
        }
        for event in SimulatedEvent.allCases where expected.contains(event) {
            #expect(events[event, default: 0] >= 30, "\(event): \(events[event, default: 0])")
        }
        return events
    }

    @Test func sameSeedReproducesTheSameRuns() throws {
        for seed in Self.seeds.prefix(20) {
            var one = SimulatedWorld(seed: seed, isWatched: seed % 2 == 0, isTracing: true)
            var other = SimulatedWorld(seed: seed, isWatched: seed % 2 == 0, isTracing: true)
            try one.run()
            try other.run()
            #expect(one.trace.description == other.trace.description)
        }
    }
}
