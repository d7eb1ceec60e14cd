import ReducerKit

/// A run made again from the actions that were recorded of it; it touches nothing.
///
/// As every decision is a pure function, the same actions must lead to the same commands.
package struct Replay: Sendable {
    /// What is not as it should be about one action.
    package enum Finding: Hashable, Sendable {
        /// It leads to other commands than it did.
        case differs(recorded: [JobStore.Command], replayed: [JobStore.Command])
        /// It leaves a state that can never be.
        case violation(String)
    }

    package typealias JobReducer = Reducer<JobStore.State, JobStore.Action, JobStore.Command>

    package private(set) var state: JobStore.State
    /// Actions so far.
    package private(set) var count = 0
    package private(set) var lastAction: JobStore.Action?
    /// What the last action led to now.
    package private(set) var lastCommands: [JobStore.Command] = []
    private let reducer: JobReducer

    package init(
        _ configuration: JobStore.Configuration, reducer: JobReducer = JobStore.uncheckedReducer
    ) {
        state = JobStore.State(configuration: configuration)
        self.reducer = reducer
    }

    /// Reduces one more action and says what is wrong with what follows; empty where nothing is.
    /// - Parameter recorded: what it led to when it happened; `nil` where nobody knows.
    package mutating func take(
        _ action: JobStore.Action, recorded: [JobStore.Command]?
    ) -> [Finding] {
        count += 1
        lastAction = action
        lastCommands = reducer(&state, action)
        var findings: [Finding] = []
        if let recorded, recorded != lastCommands {
            findings.append(.differs(recorded: recorded, replayed: lastCommands))
        }
        if let sentence = state.violation { findings.append(.violation(sentence)) }
        return findings
    }
}
