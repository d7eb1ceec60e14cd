import ReducerKit

/// Replays the recorded actions of a run, without side effects.
///
/// As every decision is a pure function, the same actions must lead to the same commands.
package struct Replay: Sendable {
    /// A problem that one action revealed.
    package enum Finding: Hashable, Sendable {
        /// Its commands differ from the recorded ones.
        case differs(recorded: [JobStore.Command], replayed: [JobStore.Command])
        /// Its state violates an invariant.
        case violation(String)
    }

    package typealias JobReducer = Reducer<JobStore.State, JobStore.Action, JobStore.Command>

    package private(set) var state: JobStore.State
    /// Number of actions replayed so far.
    package private(set) var count = 0
    package private(set) var lastAction: JobStore.Action?
    /// The commands of the last action in this replay.
    package private(set) var lastCommands: [JobStore.Command] = []
    private let reducer: JobReducer

    package init(
        _ configuration: JobStore.Configuration, reducer: JobReducer = JobStore.uncheckedReducer
    ) {
        state = JobStore.State(configuration: configuration)
        self.reducer = reducer
    }

    /// Reduces one more action and returns the problems found; empty if there are none.
    /// - Parameter recorded: the commands recorded for it; `nil` if unknown.
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
