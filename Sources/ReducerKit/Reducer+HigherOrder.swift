/// Whether this build evaluates `assert`.
public var holdsAsserts: Bool {
    var holds = false
    // `assert` evaluates its condition only in unoptimised builds.
    assert(
        {
            holds = true
            return true
        }())
    return holds
}

extension Reducer {
    /// Stops the program with a message when an action violates an invariant of the state.
    ///
    /// - Parameters:
    ///   - enabled: by default only in builds that evaluate `assert`; a simulation may turn it on.
    ///   - violation: describes what is wrong with a state, or returns `nil`; runs for each action.
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

    /// Reports each action and its commands to `sink`, and changes neither.
    ///
    /// - Parameter announce: called before the action is reduced, so that a trace includes it
    ///   even if reducing it stops the program.
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

    /// Appends a journal command to the commands of every action worth recording.
    ///
    /// - Parameter entry: the command that records the action, given the state after it; `nil`
    ///   if there is nothing to record.
    @inlinable public func journaling(
        _ entry: @escaping @Sendable (Action, State) -> Command?
    ) -> Reducer {
        Reducer { state, action, order in
            self(&state, action, order)
            if let record = entry(action, state) { order(record) }
        }
    }
}
