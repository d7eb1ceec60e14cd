import Jobs
import ReducerKit
import Synchronization
import TestSupport
import Testing

@Suite struct ReplayTests {
    private typealias Step = (action: JobStore.Action, commands: [JobStore.Command])

    private static let reducer = JobStore.uncheckedReducer

    /// Everything that happens in one seed's world, and how it ends.
    private func recorded(
        seed: UInt64
    ) throws -> (
        configuration: JobStore.Configuration, steps: [Step], end: JobStore.State
    ) {
        let steps = Mutex<[Step]>([])
        let reducer = Self.reducer.tracing { action, commands in
            steps.withLock { $0.append((action, commands)) }
        }
        var world = SimulatedWorld(seed: seed, reducer: reducer)
        let configuration = world.state.configuration
        try world.run()
        return (configuration, steps.withLock { $0 }, world.state)
    }

    @Test func theSameActionsLeadToTheSameCommandsAndTheSameState() throws {
        for seed: UInt64 in 0..<100 {
            let (configuration, steps, end) = try recorded(seed: seed)
            var replay = Replay(configuration)
            for step in steps {
                #expect(replay.take(step.action, recorded: step.commands) == [])
            }
            #expect(replay.state == end)
            #expect(replay.count == steps.count)
            #expect(replay.lastAction == steps.last?.action)
        }
    }

    @Test func findsTheActionThatLeadsToSomethingElse() throws {
        let (configuration, steps, _) = try recorded(seed: 1)
        let index = try #require(steps.lastIndex { !$0.commands.isEmpty })
        var replay = Replay(configuration)
        for step in steps[..<index] {
            #expect(replay.take(step.action, recorded: step.commands) == [])
        }
        let (action, commands) = steps[index]
        let tampered = Array(commands.dropLast())
        #expect(
            replay.take(action, recorded: tampered)
                == [.differs(recorded: tampered, replayed: commands)])
        #expect(replay.count == index + 1)
        #expect(replay.lastCommands == commands)
    }

    @Test func takesAnActionOfWhichNobodyKnowsWhatFollowed() {
        var replay = Replay(JobStore.Configuration())
        #expect(replay.take(.started([.folder("")], journal: JournalContents()), recorded: nil) == [])
        #expect(replay.lastCommands.count == 1)
    }

    @Test func findsAStateThatCanNeverBe() {
        let broken = Reducer<JobStore.State, JobStore.Action, JobStore.Command> { state, action in
            if case .ticked = action { state.scheduler.running = -1 }
            return [.finish]
        }
        var replay = Replay(JobStore.Configuration(), reducer: broken)
        #expect(replay.take(.started([], journal: JournalContents()), recorded: [.finish]) == [])
        let sentence = "a job has ended more often than it has begun"
        #expect(replay.take(.ticked(1), recorded: [.finish]) == [.violation(sentence)])
        #expect(
            replay.take(.ticked(2), recorded: [])
                == [.differs(recorded: [], replayed: [.finish]), .violation(sentence)])
    }
}
