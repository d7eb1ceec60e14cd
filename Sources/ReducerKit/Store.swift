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
    private var subscribers: [SubscriberID: (State) -> Void] = [:]
    private var nextSubscriber = 0
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
        guard !subscribers.isEmpty else { return }
        for id in subscribers.keys.sorted() {
            // One may have been removed by another just now.
            subscribers[id]?(state)
        }
    }
}

// MARK: - Subscribers

/// Names a subscriber of a store, to remove it by.
package struct SubscriberID: Hashable, Comparable, Sendable {
    fileprivate let number: Int

    package static func < (left: SubscriberID, right: SubscriberID) -> Bool {
        left.number < right.number
    }
}

extension Store {
    /// Calls `body` with the state after every change, until it is removed.
    @discardableResult
    package func subscribe(_ body: @escaping (State) -> Void) -> SubscriberID {
        let id = SubscriberID(number: nextSubscriber)
        nextSubscriber += 1
        subscribers[id] = body
        return id
    }

    /// Calls `body` with a value derived from the state: now, and whenever it has changed.
    @discardableResult
    package func subscribe<Value: Equatable>(
        to derive: @escaping (State) -> Value, _ body: @escaping (Value) -> Void
    ) -> SubscriberID {
        var last = derive(state)
        body(last)
        return subscribe { state in
            let value = derive(state)
            guard value != last else { return }
            last = value
            body(value)
        }
    }

    /// Removes a subscriber; one that is gone already does no harm.
    package func unsubscribe(_ id: SubscriberID) {
        subscribers[id] = nil
    }
}

// MARK: - Scoped views

/// A view of a store: part of its state, part of its actions.
///
/// It holds no state of its own, so it can never disagree with its store.
package struct ScopedStore<State, Action, Command> {
    private let read: () -> State
    private let write: (Action) -> [Command]
    private let observe: (@escaping (State) -> Void) -> SubscriberID
    private let remove: (SubscriberID) -> Void

    fileprivate init(
        read: @escaping () -> State,
        write: @escaping (Action) -> [Command],
        observe: @escaping (@escaping (State) -> Void) -> SubscriberID,
        remove: @escaping (SubscriberID) -> Void
    ) {
        self.read = read
        self.write = write
        self.observe = observe
        self.remove = remove
    }

    package var state: State { read() }

    /// Sends one of this view's actions to the store behind it.
    @discardableResult
    package func send(_ action: Action) -> [Command] { write(action) }

    /// Calls `body` with this view's state: now, and whenever it has changed.
    @discardableResult
    package func subscribe(_ body: @escaping (State) -> Void) -> SubscriberID
    where State: Equatable { observe(body) }

    package func unsubscribe(_ id: SubscriberID) { remove(id) }
}

extension Store {
    /// The part of this store that someone needs to see and may ask of.
    package func scope<Part: Equatable, PartAction>(
        state part: @escaping (State) -> Part,
        action embed: @escaping (PartAction) -> Action
    ) -> ScopedStore<Part, PartAction, Command> {
        ScopedStore(
            read: { part(self.state) },
            write: { self.send(embed($0)) },
            observe: { self.subscribe(to: part, $0) },
            remove: unsubscribe)
    }
}
