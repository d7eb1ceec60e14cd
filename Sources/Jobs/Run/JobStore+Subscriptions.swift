extension JobStore {
    /// The sources of actions that a run listens to.
    package enum Subscription: Hashable, Codable, Sendable {
        /// Control-C, termination and the loss of the terminal, as `stopRequested`.
        case stopSignals
        /// The time, as `ticked`, so many times a second.
        case ticks(perSecond: Int)
        /// Changes in folders that were listed, as `scan(.noticed)` and `scan(.overflowed)`.
        case folderChanges
    }

    /// Which of them the state asks for.
    package static func subscriptions(of state: State) -> Set<Subscription> {
        guard !state.isFinished else { return [] }
        var wanted: Set<Subscription> = [.stopSignals]
        if state.needsTime { wanted.insert(.ticks(perSecond: 5)) }
        if state.watch?.wantsEvents == true { wanted.insert(.folderChanges) }
        return wanted
    }
}

extension JobStore.State {
    /// Whether something is to happen when time has passed.
    fileprivate var needsTime: Bool {
        if configuration.showsProgress || !scheduler.resting.isEmpty || scan.hasRests {
            return true
        }
        // What has ended waits for company no longer than that.
        if scheduler.running > 0 { return true }
        return watch?.needsTime == true || (watch != nil && !folders.isEmpty)
    }
}
