/// Whether this build checks what it could also take for granted.
package var isDebugBuild: Bool {
    var isDebug = false
    // The condition of an assert is evaluated in debug builds only.
    assert(
        {
            isDebug = true
            return true
        }())
    return isDebug
}

extension Reducer {
    /// Stops the program with a sentence when an action leaves a state that should not exist.
    ///
    /// - Parameters:
    ///   - enabled: in release builds it is off, unless a simulation asks for it.
    ///   - violation: says what is wrong with a state, or `nil`. Its cost is paid on each action.
    package func checkingInvariants(
        enabled: Bool = isDebugBuild,
        _ violation: @escaping @Sendable (State) -> String?
    ) -> Reducer {
        guard enabled else { return self }
        return Reducer { state, action in
            let commands = self(&state, action)
            if let sentence = violation(state) {
                preconditionFailure("after \(action): \(sentence)")
            }
            return commands
        }
    }

    /// Tells `sink` each action with the commands it led to, changing neither.
    ///
    /// - Parameter announce: is told of the action before it is reduced, so that a trace has it
    ///   even where reducing it stops the program.
    package func tracing(
        announcing announce: @escaping @Sendable (Action) -> Void = { _ in },
        to sink: @escaping @Sendable (Action, [Command]) -> Void
    ) -> Reducer {
        Reducer { state, action in
            announce(action)
            let commands = self(&state, action)
            sink(action, commands)
            return commands
        }
    }

    /// Puts an entry before the commands of every action that is worth remembering.
    ///
    /// - Parameter entry: the command that records the action, given the state it led to; `nil`
    ///   where there is nothing to record.
    package func journaling(
        _ entry: @escaping @Sendable (Action, State) -> Command?
    ) -> Reducer {
        Reducer { state, action in
            let commands = self(&state, action)
            guard let record = entry(action, state) else { return commands }
            return [record] + commands
        }
    }
}
