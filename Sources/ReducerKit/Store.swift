/// Holds a state, changes it by actions alone, and tells its subscribers.
///
/// Not thread-safe: whoever owns it confines it to one queue, as `Driver` does.
///
/// Subscribers see the state as it now is, lent for the length of the call. They are never handed
/// the one before: keeping it would make every collection in the state be copied at the next
/// action, and a store of a million elements a million times slower. Take small derived values.
package final class Store<State, Action, Command> {
    package private(set) var state: State
    private let reducer: Reducer<State, Action, Command>
    private var subscribers: [(State) -> Void] = []
    private var isReducing = false

    package init(initialState: State, reducer: Reducer<State, Action, Command>) {
        self.state = initialState
        self.reducer = reducer
    }

    /// Applies an action, tells the subscribers, and returns the commands that follow.
    @discardableResult
    package func send(_ action: Action) -> [Command] {
        let commands = reduce(action)
        notify()
        return commands
    }

    /// Applies an action without telling anyone; `notify` must follow once the batch is through.
    package func reduce(_ action: Action) -> [Command] {
        var commands: [Command] = []
        reduce(action) { commands.append($0) }
        return commands
    }

    /// As `reduce(_:)`, handing each command over.
    package func reduce(_ action: Action, _ order: (Command) -> Void) {
        precondition(!isReducing, "an action was sent while another was being reduced")
        isReducing = true
        defer { isReducing = false }
        reducer(&state, action, order)
    }

    /// Tells every subscriber the state, in the order in which they came.
    package func notify() {
        for subscriber in subscribers { subscriber(state) }
    }
}

// MARK: - Subscribers

extension Store {
    /// Calls `body` with the state after every change.
    package func subscribe(_ body: @escaping (State) -> Void) { subscribers.append(body) }

    /// Calls `body` with a value derived from the state: now, and whenever it has changed.
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
