/// A pure function from a state and an action to a new state and commands.
///
/// Given a state and an action (a fact that happened), it mutates the state in place and emits
/// commands in order. It has no side effects: no clock, no disk, no queue. Commands change no
/// state; their results return as actions. They are plain values, so tests can compare them.
///
/// It and what is composed of it are `public` only because inlinable code must be public to be
/// specialised across modules, which halves the cost of an action.
/// - Complexity: that of the closure, plus one indirect call.
public struct Reducer<State, Action, Command>: Sendable {
    /// Receives one command.
    ///
    /// Commands are emitted one by one because at millions of actions per second, allocating arrays
    /// would take most of the time.
    public typealias Order = (Command) -> Void

    @usableFromInline let body: @Sendable (inout State, Action, Order) -> Void

    @inlinable public init(_ body: @escaping @Sendable (inout State, Action, Order) -> Void) {
        self.body = body
    }

    /// A reducer that returns all its commands in an array.
    @inlinable public init(_ body: @escaping @Sendable (inout State, Action) -> [Command]) {
        self.body = { state, action, order in
            for command in body(&state, action) { order(command) }
        }
    }

    /// Applies one action and passes each resulting command to `order`.
    @inlinable public func callAsFunction(_ state: inout State, _ action: Action, _ order: Order) {
        body(&state, action, order)
    }

    /// Applies one action and returns the resulting commands.
    @inlinable public func callAsFunction(_ state: inout State, _ action: Action) -> [Command] {
        var commands: [Command] = []
        body(&state, action) { commands.append($0) }
        return commands
    }
}

extension Reducer {
    /// The reducer without effect: the identity of `combine`.
    @inlinable public static var empty: Reducer {
        Reducer { _, _, _ in }
    }

    /// Runs several reducers in order on one state; each sees the changes of those before it.
    ///
    /// Put children before their parent, so that the parent reacts to an action after the child has
    /// handled it. The commands have the same order.
    @inlinable public static func combine(_ reducers: Reducer...) -> Reducer {
        // Nested closures instead of an array, which would be iterated (and reference-counted) for
        // each action.
        reducers.reduce(.empty) { first, second in
            Reducer { state, action, order in
                first(&state, action, order)
                second(&state, action, order)
            }
        }
    }
}
