/// A pure function that turns facts into state and orders.
///
/// Given a state and an action (a fact that happened), it changes the state in place and returns
/// the commands that follow from it, in order. It touches nothing else: no clock, no disk, no
/// queue. A command changes no state; what comes of it returns as another action. Commands are
/// plain values, so a test compares them.
///
/// - Complexity: of the closure's own making; the wrapper adds one indirect call.
package struct Reducer<State, Action, Command>: Sendable {
    private let body: @Sendable (inout State, Action) -> [Command]

    package init(_ body: @escaping @Sendable (inout State, Action) -> [Command]) {
        self.body = body
    }

    /// Applies one action and returns the commands that follow.
    package func callAsFunction(_ state: inout State, _ action: Action) -> [Command] {
        body(&state, action)
    }
}

extension Reducer {
    /// The reducer that changes nothing and orders nothing: `combine`'s neutral element.
    package static var empty: Reducer {
        Reducer { _, _ in [] }
    }

    /// Runs several reducers on one state, each seeing what the one before left.
    ///
    /// Order matters: put children before their parent, so that the parent can react to an action
    /// while it already sees what the child made of it. The commands keep that order.
    package static func combine(_ reducers: Reducer...) -> Reducer {
        Reducer { state, action in
            var commands: [Command] = []
            for reducer in reducers {
                let more = reducer(&state, action)
                // The common case, one reducer answering, hands its array on without a copy.
                if commands.isEmpty { commands = more } else { commands += more }
            }
            return commands
        }
    }
}
