/// Holds a state, changes it only by actions, and notifies its subscribers.
///
/// Not thread-safe: the owner confines it to one queue, as `Driver` does.
///
/// Subscribers borrow the current state during the call and never receive the previous one:
/// retaining that would copy every collection in the state at the next action, and make a store of
/// a million elements a million times slower. Derive small values.
package final class Store<State, Action, Command> {
    package private(set) var state: State
    private let reducer: Reducer<State, Action, Command>
    private var subscribers: [(State) -> Void] = []
    private var isReducing = false

    package init(initialState: State, reducer: Reducer<State, Action, Command>) {
        self.state = initialState
        self.reducer = reducer
    }

    /// Applies an action, notifies the subscribers, and returns the resulting commands.
    @discardableResult
    package func send(_ action: Action) -> [Command] {
        let commands = reduce(action)
        notify()
        return commands
    }

    /// Applies an action without notifying; call `notify` after the batch.
    package func reduce(_ action: Action) -> [Command] {
        var commands: [Command] = []
        reduce(action) { commands.append($0) }
        return commands
    }

    /// Like `reduce(_:)`, passing each command to `order`.
    package func reduce(_ action: Action, _ order: (Command) -> Void) {
        precondition(!isReducing, "an action was sent while another was being reduced")
        isReducing = true
        defer { isReducing = false }
        reducer(&state, action, order)
    }

    /// Calls every subscriber with the state, in order of subscription.
    package func notify() {
        for subscriber in subscribers { subscriber(state) }
    }
}

// MARK: - Subscribers

extension Store {
    /// Calls `body` with the state after every change.
    package func subscribe(_ body: @escaping (State) -> Void) { subscribers.append(body) }

    /// Calls `body` with a derived value: now, and whenever it changes.
    package func subscribe<Value: Equatable>(
        to derive: @escaping (State) -> Value, _ body: @escaping (Value) -> Void
    ) {
        var last = derive(state)
        body(last)
        subscribe { state in
            let value = derive(state)
            guard value != last else { return }
            last = value
            body(value)
        }
    }
}
