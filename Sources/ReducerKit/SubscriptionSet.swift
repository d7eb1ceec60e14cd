/// The running sources of actions, synchronised with those the state requests.
package struct SubscriptionSet<Subscription: Hashable> {
    /// Stops a running source; called once.
    package typealias Stop = () -> Void

    private var running: [Subscription: Stop] = [:]

    package init() {}

    /// The running subscriptions.
    package var current: Set<Subscription> { Set(running.keys) }

    /// Stops sources no longer wanted, then starts new ones; the rest are unaffected.
    package mutating func refresh(
        to wanted: Set<Subscription>, start: (Subscription) -> Stop
    ) {
        for (subscription, stop) in running where !wanted.contains(subscription) {
            running[subscription] = nil
            stop()
        }
        for subscription in wanted where running[subscription] == nil {
            running[subscription] = start(subscription)
        }
    }
}
