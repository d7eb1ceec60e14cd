import ReducerKit
import Synchronization
import TestSupport
import Testing

/// The tools of the other tests, which must be able to fail.
@Suite struct TestStoreTests {
    typealias Store = TestStore<Counter.State, Counter.Action, Counter.Command>

    private func store() -> Store {
        Store(
            initialState: Counter.State(), reducer: Counter.reducer,
            awaitsAnswer: { if case .say(let count) = $0 { count } else { nil } },
            answers: { if case .added(let number) = $0, number < 0 { -number } else { nil } })
    }

    /// Whether `body` records exactly these issues, by a part of their words.
    private func expectIssues(_ words: [String], _ body: () -> Void) {
        let heard = Mutex<[String]>([])
        withKnownIssue {
            body()
        } matching: { issue in
            heard.withLock { $0.append(issue.comments.map(\.rawValue).joined()) }
            return true
        }
        let seen = heard.withLock { $0 }
        #expect(seen.count == words.count, "\(seen)")
        for (issue, part) in zip(seen.sorted(), words.sorted()) {
            #expect(issue.contains(part))
        }
    }

    @Test func unexpectedStateIsReported() {
        expectIssues(["-   - count: 2\n+   - count: 1"]) {
            store().send(.added(1), expecting: { $0.count = 2 }, commands: [.say(1)])
        }
    }

    @Test func unexpectedCommandsAreReported() {
        expectIssues(["+     - say: 1"]) {
            store().send(.added(1), expecting: { $0.count = 1 })
        }
    }

    @Test func unansweredAndDoublyAnsweredCommandsAreReported() {
        let store = store()
        store.skip(.added(3))
        expectIssues(["3 was never answered"]) { store.finish() }
        // Answers the first with what says nothing new: the count is zero again.
        store.skip(.added(-3))
        expectIssues(["0 was never answered"]) { store.finish() }
        store.skip(.added(-3))
        expectIssues(["0 was never", "-3 was never", "3 was answered though"]) { store.finish() }
    }

    @Test func finishPassesWhenEveryCommandIsAnswered() {
        let quiet = Reducer<Int, Int, Int> { state, action in
            state += action
            return action > 0 ? [action] : []
        }
        let store = TestStore(
            initialState: 0, reducer: quiet, awaitsAnswer: { Int?($0) },
            answers: { $0 < 0 ? -$0 : nil })
        store.send(5, expecting: { $0 = 5 }, commands: [5])
        store.send(-5, expecting: { $0 = 0 })
        store.send(5, expecting: { $0 = 5 }, commands: [5])
        store.send(-5, expecting: { $0 = 0 })
        store.finish()
    }

    @Test func differenceShowsMissingAndExtraLines() {
        #expect(difference(expected: [1, 2], actual: [1, 2]).isEmpty)
        let lines = difference(
            expected: ["a", "b", "c", "d", "e"], actual: ["a", "b", "x", "d", "e"])
        let expected = ["    - \"b\"", "-   - \"c\"", "+   - \"x\"", "    - \"d\""]
        #expect(lines.split(separator: "\n").map(String.init) == expected)
    }

    @Test func seededGeneratorMatchesSplitMix64Reference() {
        var generator = SeededGenerator(seed: 1_234_567)
        // From the reference implementation of SplitMix64.
        #expect(generator.next() == 6_457_827_717_110_365_317)
        #expect(generator.next() == 3_203_168_211_198_807_973)
    }
}
