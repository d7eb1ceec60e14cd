extension JobStore {
    /// The sources of actions that a run listens to.
    package enum Subscription: Hashable, Codable, Sendable {
        /// Control-C, termination and the loss of the terminal, as `stopRequested`.
        case stopSignals
        /// Clock ticks, as `ticked`, at this rate.
        case ticks(perSecond: Int)
        /// Changes in folders that were listed, as `scan(.noticed)` and `scan(.overflowed)`.
        case folderChanges
    }

    /// The subscriptions that the state needs.
    package static func subscriptions(of state: State) -> Set<Subscription> {
        guard !state.isFinished else { return [] }
        var wanted: Set<Subscription> = [.stopSignals]
        if state.needsTime { wanted.insert(.ticks(perSecond: 5)) }
        if state.watch?.wantsEvents == true { wanted.insert(.folderChanges) }
        return wanted
    }
}

extension JobStore.State {
    /// Whether the run needs clock ticks.
    fileprivate var needsTime: Bool {
        if configuration.showsProgress || !scheduler.resting.isEmpty || scan.hasRests {
            return true
        }
        // An outcome waits for others to join its commit group until the next tick at most.
        if scheduler.running > 0 { return true }
        return awaitsExports || watch?.needsTime == true || (watch != nil && !folders.isEmpty)
    }
}
