import ReducerKit
import Testing

/// A store whose every step is spelled out by a test: what changes, and which commands follow.
///
/// ```swift
/// let store = TestStore(initialState: Counter(), reducer: counter)
/// store.send(.tapped, expecting: { $0.count = 1 }, commands: [.click])
/// store.finish()
/// ```
package final class TestStore<State: Equatable, Action, Command: Equatable> {
    package private(set) var state: State
    private let reducer: Reducer<State, Action, Command>
    private let awaitsAnswer: (Command) -> AnyHashable?
    private let answers: (Action) -> AnyHashable?
    /// Orders less answers, by key.
    private var open: [AnyHashable: Int] = [:]
    /// Answers that nothing had asked for, or that came twice.
    private var surplus: [AnyHashable] = []

    /// A store that does not ask whether commands are answered.
    package convenience init(
        initialState: State, reducer: Reducer<State, Action, Command>
    ) {
        self.init(
            initialState: initialState, reducer: reducer,
            awaitsAnswer: { _ in Never?.none }, answers: { _ in Never?.none })
    }

    /// A store that also sees to it that every command with an outcome is answered once.
    ///
    /// - Parameters:
    ///   - awaitsAnswer: the key by which a command's answer is known; `nil` where none is due.
    ///   - answers: the key of what an action answers; `nil` where it answers nothing.
    package init<Key: Hashable & SendableMetatype>(
        initialState: State, reducer: Reducer<State, Action, Command>,
        awaitsAnswer: @escaping (Command) -> Key?, answers: @escaping (Action) -> Key?
    ) {
        self.state = initialState
        self.reducer = reducer
        self.awaitsAnswer = { awaitsAnswer($0).map(AnyHashable.init) }
        self.answers = { answers($0).map(AnyHashable.init) }
    }

    /// Sends an action and compares what follows.
    ///
    /// - Parameters:
    ///   - changes: makes of the state before exactly the state after.
    ///   - commands: those that must follow, in order.
    package func send(
        _ action: Action, expecting changes: (inout State) -> Void = { _ in },
        commands: [Command] = [], sourceLocation: SourceLocation = #_sourceLocation
    ) {
        var expected = state
        changes(&expected)
        let actual = apply(action)
        if state != expected {
            let lines = difference(expected: expected, actual: state)
            Issue.record(
                "after \(action) the state is not as expected:\n\(lines)",
                sourceLocation: sourceLocation)
        }
        if actual != commands {
            let lines = difference(expected: commands, actual: actual)
            Issue.record(
                "after \(action) the commands are not as expected:\n\(lines)",
                sourceLocation: sourceLocation)
        }
    }

    /// Sends an action on the way to what a test is about, and returns the commands.
    @discardableResult
    package func skip(_ action: Action) -> [Command] {
        apply(action)
    }

    /// Fails while a command waits for its answer, or where one was answered more than once.
    package func finish(sourceLocation: SourceLocation = #_sourceLocation) {
        for (key, count) in open where count > 0 {
            Issue.record("\(key) was never answered", sourceLocation: sourceLocation)
        }
        for key in surplus {
            Issue.record(
                "\(key) was answered though no answer was due", sourceLocation: sourceLocation)
        }
    }

    private func apply(_ action: Action) -> [Command] {
        if let key = answers(action) {
            if open[key, default: 0] > 0 {
                open[key, default: 0] -= 1
            } else {
                surplus.append(key)
            }
        }
        let commands = reducer(&state, action)
        for key in commands.compactMap(awaitsAnswer) { open[key, default: 0] += 1 }
        return commands
    }
}
