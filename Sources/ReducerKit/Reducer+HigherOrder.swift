/// Whether this build checks what it could also take for granted.
public var holdsAsserts: Bool {
    var holds = false
    // The condition of an assert is evaluated where nothing is optimised.
    assert(
        {
            holds = true
            return true
        }())
    return holds
}

extension Reducer {
    /// Stops the program with a sentence when an action leaves a state that should not exist.
    ///
    /// - Parameters:
    ///   - enabled: where asserts are not held it is off, unless a simulation asks for it.
    ///   - violation: says what is wrong with a state, or `nil`. Its cost is paid on each action.
    @inlinable public func checkingInvariants(
        enabled: Bool = holdsAsserts,
        _ violation: @escaping @Sendable (State) -> String?
    ) -> Reducer {
        guard enabled else { return self }
        return Reducer { state, action, order in
            self(&state, action, order)
            if let sentence = violation(state) {
                preconditionFailure("after \(action): \(sentence)")
            }
        }
    }

    /// Tells `sink` each action with the commands it led to, changing neither.
    ///
    /// - Parameter announce: is told of the action before it is reduced, so that a trace has it
    ///   even where reducing it stops the program.
    public func tracing(
        announcing announce: @escaping @Sendable (Action) -> Void = { _ in },
        to sink: @escaping @Sendable (Action, [Command]) -> Void
    ) -> Reducer {
        Reducer { state, action, order in
            announce(action)
            let commands = self(&state, action)
            sink(action, commands)
            commands.forEach(order)
        }
    }

    /// Puts an entry behind the commands of every action that is worth remembering.
    ///
    /// - Parameter entry: the command that records the action, given the state it led to; `nil`
    ///   where there is nothing to record.
    @inlinable public func journaling(
        _ entry: @escaping @Sendable (Action, State) -> Command?
    ) -> Reducer {
        Reducer { state, action, order in
            self(&state, action, order)
            if let record = entry(action, state) { order(record) }
        }
    }
}
