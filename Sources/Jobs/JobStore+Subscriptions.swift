extension JobStore {
    /// The sources of actions that a run listens to.
    package enum Subscription: Hashable, Codable, Sendable {
        /// Control-C and termination, as `stopRequested`.
        case stopSignals
        /// The time, as `ticked`, so many times a second.
        case ticks(perSecond: Int)
    }

    /// Which of them the state asks for.
    package static func subscriptions(of state: State) -> Set<Subscription> {
        guard !state.isFinished else { return [] }
        let needsTime = state.configuration.showsProgress || !state.scheduler.resting.isEmpty
        return needsTime ? [.stopSignals, .ticks(perSecond: 5)] : [.stopSignals]
    }
}
