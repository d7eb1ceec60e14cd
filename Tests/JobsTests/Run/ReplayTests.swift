import Jobs
import ReducerKit
import Synchronization
import TestSupport
import Testing

@Suite struct ReplayTests {
    private typealias Step = (action: JobStore.Action, commands: [JobStore.Command])

    private static let reducer = JobStore.uncheckedReducer

    /// One run, from its first action to the last that it saw.
    private struct Recorded {
        var configuration: JobStore.Configuration
        var steps: [Step] = []
        var end: JobStore.State
    }

    /// Everything that happens in the runs of one seed's world.
    private func recorded(seed: UInt64) throws -> [Recorded] {
        let runs = Mutex<[Recorded]>([])
        let reducer = SimulatedWorld.RunReducer { state, action, order in
            if case .started = action, !state.scan.hasBegun {
                runs.withLock {
                    $0.append(Recorded(configuration: state.configuration, end: state))
                }
            }
            let commands = Self.reducer(&state, action)
            runs.withLock { [state] runs in
                runs[runs.count - 1].steps.append((action, commands))
                runs[runs.count - 1].end = state
            }
            commands.forEach(order)
        }
        var world = SimulatedWorld(seed: seed, reducer: reducer)
        try world.run()
        return runs.withLock { $0 }
    }

    @Test func replayReproducesCommandsAndState() throws {
        for run in try (0..<20).flatMap({ try recorded(seed: $0) }) {
            var replay = Replay(run.configuration)
            for step in run.steps {
                #expect(replay.take(step.action, recorded: step.commands) == [])
            }
            #expect(replay.state == run.end)
            #expect(replay.count == run.steps.count)
            #expect(replay.lastAction == run.steps.last?.action)
        }
    }

    @Test func replayReportsDifferingCommands() throws {
        let run = try #require(try recorded(seed: 1).last)
        let steps = run.steps
        let index = try #require(steps.lastIndex { !$0.commands.isEmpty })
        var replay = Replay(run.configuration)
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

    @Test func actionWithoutRecordedCommandsIsAccepted() {
        var replay = Replay(JobStore.Configuration())
        #expect(
            replay.take(.started([.folder("")]), recorded: nil) == [])
        #expect(replay.lastCommands.count == 1)
    }

    @Test func replayReportsInvariantViolations() {
        let broken = Reducer<JobStore.State, JobStore.Action, JobStore.Command> { state, action in
            if case .ticked = action { state.scheduler.running = -1 }
            return [.finish]
        }
        var replay = Replay(JobStore.Configuration(), reducer: broken)
        #expect(replay.take(.started([]), recorded: [.finish]) == [])
        let sentence = "a job has ended more often than it has begun"
        #expect(replay.take(.ticked(1), recorded: [.finish]) == [.violation(sentence)])
        #expect(
            replay.take(.ticked(2), recorded: [])
                == [.differs(recorded: [], replayed: [.finish]), .violation(sentence)])
    }
}
