import Foundation
import ReducerKit
import Synchronization
import TestSupport
import Testing

@Suite struct HigherOrderTests {
    private static func checked(enabled: Bool) -> Reducer<
        Counter.State, Counter.Action, Counter.Command
    > {
        Counter.reducer.checkingInvariants(enabled: enabled) {
            $0.count < 0 ? "a count is below zero" : nil
        }
    }

    /// Else much that is tested would be taken for granted.
    @Test(.enabled(if: ProcessInfo.processInfo.environment["HOLDS_ASSERTS"] != nil))
    func testBuildEnablesAsserts() {
        #expect(holdsAsserts)
    }

    @Test func invariantViolationStopsTheProgram() async {
        let result = await #expect(
            processExitsWith: .failure, observing: [\.standardErrorContent]
        ) {
            var state = Counter.State()
            _ = HigherOrderTests.checked(enabled: true)(&state, .added(-1))
        }
        guard holdsAsserts else { return }
        let words = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(words.contains("after added(-1): a count is below zero"))
    }

    @Test func validStatePassesInvariantCheck() {
        let store = TestStore(
            initialState: Counter.State(), reducer: Self.checked(enabled: true))
        store.send(.added(1), expecting: { $0.count = 1 }, commands: [.say(1)])
    }

    @Test func invariantCheckCanBeTurnedOff() {
        let store = TestStore(
            initialState: Counter.State(), reducer: Self.checked(enabled: false))
        store.send(.added(-1), expecting: { $0.count = -1 }, commands: [.say(-1)])
    }

    @Test func tracingReportsEachActionWithItsCommands() {
        let actions = Mutex<[Counter.Action]>([])
        let said = Mutex<[[Counter.Command]]>([])
        let reducer = Counter.reducer.tracing { action, commands in
            actions.withLock { $0.append(action) }
            said.withLock { $0.append(commands) }
        }
        let store = TestStore(initialState: Counter.State(), reducer: reducer)
        store.send(.added(1), expecting: { $0.count = 1 }, commands: [.say(1)])
        store.send(.cleared, expecting: { $0.count = 0 }, commands: [.say(0)])
        #expect(actions.withLock { $0 } == [.added(1), .cleared])
        #expect(said.withLock { $0 } == [[.say(1)], [.say(0)]])
    }

    @Test func tracingAnnouncesEachActionBeforeItIsReduced() async {
        let result = await #expect(
            processExitsWith: .failure, observing: [\.standardOutputContent]
        ) {
            let say: @Sendable (String) -> Void = {
                FileHandle.standardOutput.write(Data("\($0)\n".utf8))
            }
            let reducer = HigherOrderTests.checked(enabled: true).tracing(
                announcing: { say("announced \($0)") }, to: { say("led to \($1)") })
            var state = Counter.State()
            _ = reducer(&state, .added(1))
            _ = reducer(&state, .added(-2))
        }
        let words = String(decoding: result?.standardOutputContent ?? [], as: UTF8.self)
        let lines = words.split(separator: "\n")
        #expect(lines.first == "announced added(1)")
        #expect(lines.last == "announced added(-2)")
        #expect(lines.count == 3)
    }

    @Test func journalEntryFollowsCommandsAndSeesNewState() {
        let reducer = Counter.reducer.journaling { action, state in
            if case .added = action { .say(1_000 + state.count) } else { nil }
        }
        let store = TestStore(initialState: Counter.State(), reducer: reducer)
        store.send(.added(2), expecting: { $0.count = 2 }, commands: [.say(2), .say(1_002)])
        store.send(.cleared, expecting: { $0.count = 0 }, commands: [.say(0)])
    }
}
