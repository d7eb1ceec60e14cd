import DequeModule
import Dispatch
import Synchronization

/// Runs a store: accepts actions from any thread, executes commands, maintains subscriptions.
///
/// One serial queue owns the state. For each batch of actions it will
/// *reduce* all of them → *refresh the subscriptions* from the new state → *notify the observers*
/// once → *interpret the commands* in order. Answers to commands enter the same inbox as all other
/// actions, and are reduced in the next batch, never within the current one.
///
/// `@unchecked Sendable` because `store`, `subscriptions` and the closures over them are accessed
/// only on `queue` (each entry point checks it), and `inbox` is a mutex.
package final class Driver<
    State, Action: Sendable, Command: Sendable, Subscription: Hashable & Sendable
>: @unchecked Sendable {
    /// Sends an action; callable from any thread, any number of times.
    package typealias Send = @Sendable (Action) -> Void

    /// The side effects: executing commands and running subscriptions.
    package struct Surroundings: Sendable {
        /// Executes a command on the driver's queue; run slow work elsewhere.
        ///
        /// Call `Send` to answer the command as the last step of its work, holding no lock and not
        /// from an observer: the answering thread then processes the next batches itself.
        package var interpret: @Sendable (Command, @escaping Send) -> Void
        /// Starts a source of actions and returns the closure that stops it.
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

    /// Queues an action after those that arrived before it; the only entry point from outside.
    package func send(_ action: Action) {
        if takeIn(action) { queue.async { self.drain() } }
    }

    /// Queues the answer to a command and drains on the caller's thread: waking another thread
    /// would take longer than most of what follows.
    private func answer(_ action: Action) {
        guard takeIn(action) else { return }
        dispatchPrecondition(condition: .notOnQueue(queue))
        queue.sync { drain() }
    }

    /// Appends an action; `true` if nobody is draining the inbox, so that the caller has to.
    private func takeIn(_ action: Action) -> Bool {
        inbox.withLock { inbox in
            inbox.actions.append(action)
            defer { inbox.isDraining = true }
            return !inbox.isDraining
        }
    }

    /// Calls `body` on the driver's queue with a derived value: now, and whenever it changes.
    package func observe<Value: Equatable & Sendable>(
        _ derive: @escaping @Sendable (State) -> Value,
        _ body: @escaping @Sendable (Value) -> Void
    ) {
        queue.async { self.store.subscribe(to: derive, body) }
    }

    /// Reads a value from the state between two batches; not from the driver's own queue.
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

    /// All actions that have arrived; `nil` if there are none, which ends the drain.
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
