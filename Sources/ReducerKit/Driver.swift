import DequeModule
import Dispatch
import Synchronization

/// Runs a store: takes actions from any thread, carries commands out, keeps subscriptions running.
///
/// One serial queue owns the state. For each batch of actions that has arrived it will
/// *reduce* all of them → *refresh the subscriptions* from the new state → *tell the observers*
/// once → *interpret the commands* in order. Answers of commands come back into the same inbox as
/// every other action, and are reduced in the next batch, never inside this one.
///
/// `@unchecked Sendable`, because: `store`, `subscriptions` and the closures over them are touched
/// only on `queue` (each entry checks it), and `inbox` is a mutex.
package final class Driver<
    State, Action: Sendable, Command: Sendable, Subscription: Hashable & Sendable
>: @unchecked Sendable {
    /// Hands an action in; callable from any thread, at any time, as often as needed.
    package typealias Send = @Sendable (Action) -> Void

    /// The far side of the switch: what is done about a command and for a subscription.
    package struct Surroundings: Sendable {
        /// Carries out a command, on the driver's queue: anything slow belongs elsewhere.
        ///
        /// What is sent answers the command: at the end of what was done about it, with nothing
        /// held and not from an observer, as the thread that answers goes on with what follows.
        package var interpret: @Sendable (Command, @escaping Send) -> Void
        /// Starts a source of actions and returns what ends it.
        package var start: @Sendable (Subscription, @escaping Send) -> @Sendable () -> Void

        package init(
            interpret: @escaping @Sendable (Command, @escaping Send) -> Void,
            start: @escaping @Sendable (Subscription, @escaping Send) -> @Sendable () -> Void
        ) {
            self.interpret = interpret
            self.start = start
        }
    }

    private struct Inbox: Sendable {
        var actions = Deque<Action>()
        var isDraining = false
    }

    private let queue: DispatchQueue
    private let inbox = Mutex(Inbox())
    private let store: Store<State, Action, Command>
    private var subscriptions = SubscriptionSet<Subscription>()
    private let wantedSubscriptions: @Sendable (State) -> Set<Subscription>
    private let surroundings: Surroundings

    package init(
        label: String,
        initialState: sending State,
        reducer: Reducer<State, Action, Command>,
        subscriptions: @escaping @Sendable (State) -> Set<Subscription>,
        surroundings: Surroundings
    ) {
        self.queue = DispatchQueue(label: label)
        self.store = Store(initialState: initialState, reducer: reducer)
        self.wantedSubscriptions = subscriptions
        self.surroundings = surroundings
    }

    /// The only door from outside: queues an action behind those that arrived before it.
    package func send(_ action: Action) {
        if takeIn(action) { queue.async { self.drain() } }
    }

    /// The same door, from its inside: to wake a thread for what follows from an answer would take
    /// longer than most of it.
    private func answer(_ action: Action) {
        guard takeIn(action) else { return }
        dispatchPrecondition(condition: .notOnQueue(queue))
        queue.sync { drain() }
    }

    /// Whether nobody drains the inbox, so that whoever brings this is to.
    private func takeIn(_ action: Action) -> Bool {
        inbox.withLock { inbox in
            inbox.actions.append(action)
            defer { inbox.isDraining = true }
            return !inbox.isDraining
        }
    }

    /// Calls `body`, on the driver's queue, with a derived value: now, and whenever it has changed.
    package func observe<Value: Equatable & Sendable>(
        _ derive: @escaping @Sendable (State) -> Value,
        _ body: @escaping @Sendable (Value) -> Void
    ) {
        queue.async { self.store.subscribe(to: derive, body) }
    }

    /// Reads something out of the state between two batches; not from the driver's own queue.
    package func read<Value: Sendable>(_ body: @Sendable (State) -> Value) -> Value {
        dispatchPrecondition(condition: .notOnQueue(queue))
        return queue.sync { body(store.state) }
    }

    private func drain() {
        dispatchPrecondition(condition: .onQueue(queue))
        while let batch = nextBatch() {
            var commands: [Command] = []
            for action in batch { store.reduce(action) { commands.append($0) } }
            subscriptions.refresh(to: wantedSubscriptions(store.state)) {
                surroundings.start($0, send)
            }
            store.notify()
            for command in commands { surroundings.interpret(command, answer) }
        }
    }

    /// All that has arrived; `nil`, and the drain is over, when that is nothing.
    private func nextBatch() -> Deque<Action>? {
        inbox.withLock { inbox in
            guard !inbox.actions.isEmpty else {
                inbox.isDraining = false
                return nil
            }
            defer { inbox.actions = [] }
            return inbox.actions
        }
    }
}
