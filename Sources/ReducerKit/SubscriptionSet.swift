/// The sources of actions that are running, kept equal to the ones the state asks for.
package struct SubscriptionSet<Subscription: Hashable> {
    /// Ends a running source; called once.
    package typealias Stop = () -> Void

    private var running: [Subscription: Stop] = [:]

    package init() {}

    /// What is running now.
    package var current: Set<Subscription> { Set(running.keys) }

    /// Stops what is no longer wanted, then starts what is new; the rest goes on undisturbed.
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
