/// A pure function that turns facts into state and orders.
///
/// Given a state and an action (a fact that happened), it changes the state in place and gives the
/// commands that follow from it, in order. It touches nothing else: no clock, no disk, no queue. A
/// command changes no state; what comes of it returns as another action. Commands are plain
/// values, so a test compares them.
///
/// It is `public`, as is what is composed of it, only because inlinable code is specialised across
/// modules where it is public, which halves the cost of an action.
/// - Complexity: of the closure's own making; the wrapper adds one indirect call.
public struct Reducer<State, Action, Command>: Sendable {
    /// Takes a command that follows.
    ///
    /// Commands are handed over one by one rather than in an array, because at millions of actions
    /// a second most of the time would go into making arrays.
    public typealias Order = (Command) -> Void

    @usableFromInline let body: @Sendable (inout State, Action, Order) -> Void

    @inlinable public init(_ body: @escaping @Sendable (inout State, Action, Order) -> Void) {
        self.body = body
    }

    /// A reducer that gives all its commands at once.
    @inlinable public init(_ body: @escaping @Sendable (inout State, Action) -> [Command]) {
        self.body = { state, action, order in
            for command in body(&state, action) { order(command) }
        }
    }

    /// Applies one action and hands over the commands that follow.
    @inlinable public func callAsFunction(_ state: inout State, _ action: Action, _ order: Order) {
        body(&state, action, order)
    }

    /// Applies one action and returns the commands that follow.
    @inlinable public func callAsFunction(_ state: inout State, _ action: Action) -> [Command] {
        var commands: [Command] = []
        body(&state, action) { commands.append($0) }
        return commands
    }
}

extension Reducer {
    /// The reducer that changes nothing and orders nothing: `combine`'s neutral element.
    @inlinable public static var empty: Reducer {
        Reducer { _, _, _ in }
    }

    /// Runs several reducers on one state, each seeing what the one before left.
    ///
    /// Order matters: put children before their parent, so that the parent can react to an action
    /// while it already sees what the child made of it. The commands keep that order.
    @inlinable public static func combine(_ reducers: Reducer...) -> Reducer {
        // One inside the other rather than in a list, which would be counted through at each
        // action.
        reducers.reduce(.empty) { first, second in
            Reducer { state, action, order in
                first(&state, action, order)
                second(&state, action, order)
            }
        }
    }
}
