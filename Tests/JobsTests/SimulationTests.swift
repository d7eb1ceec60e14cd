import TestSupport
import Testing

@Suite struct SimulationTests {
    static let seeds: Range<UInt64> = 0..<2_000

    /// And the seeds bring about everything that can happen: a world in which nothing goes wrong
    /// would prove nothing.
    @Test func whateverBefallsItATreeEndsAsIfNothingHadHappened() {
        var events: [SimulatedEvent: Int] = [:]
        for seed in Self.seeds {
            var world = SimulatedWorld(seed: seed)
            do {
                try world.run()
            } catch {
                Issue.record("\(error)")
                return
            }
            events.merge(world.events, uniquingKeysWith: +)
        }
        for event in SimulatedEvent.allCases {
            #expect(events[event, default: 0] >= 30, "\(event): \(events[event, default: 0])")
        }
    }

    @Test func aSeedAlwaysGivesTheSameRuns() throws {
        for seed in Self.seeds.prefix(20) {
            var one = SimulatedWorld(seed: seed, isTracing: true)
            var other = SimulatedWorld(seed: seed, isTracing: true)
            try one.run()
            try other.run()
            #expect(one.trace.description == other.trace.description)
        }
    }
}
