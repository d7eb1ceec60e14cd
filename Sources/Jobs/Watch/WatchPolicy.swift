/// What keeps a run going on after everything that was there is done: how it learns of what lands,
/// and how long it waits until that is complete.
package struct WatchPolicy: Hashable, Codable, Sendable {
    /// So long size and time of a recording must stand still, where nothing says that it was
    /// closed.
    package var settleSeconds: Double
    /// So long a recording that is not complete is waited for, from its last change on.
    package var giveUpSeconds: Double
    /// Pause between two looks at a folder; `nil` where the system tells of changes.
    package var pollSeconds: Double?
    /// Whether the run ends once nothing is left to do or to wait for.
    package var endsWhenIdle: Bool

    package init(
        settleSeconds: Double = 2, giveUpSeconds: Double = 600, pollSeconds: Double? = nil,
        endsWhenIdle: Bool = false
    ) {
        self.settleSeconds = settleSeconds
        self.giveUpSeconds = giveUpSeconds
        self.pollSeconds = pollSeconds
        self.endsWhenIdle = endsWhenIdle
    }

    /// Pause between two looks at a folder of which the system cannot tell.
    package static let fallbackPollSeconds = 5.0
    /// What is only suspected is looked at after so long: it seldom comes alone.
    package static let suspicionSeconds = 0.3
    /// A folder that could not be listed is tried again after so long.
    package static let retrySeconds = 5.0

    /// The shortest time between two listings of a folder with so many recordings, so that a folder
    /// in which much lands does not spend its time on being listed.
    package static func listingPauseSeconds(recordings: Int) -> Double {
        0.2 + Double(recordings) * 50e-6
    }

    /// The shortest time between two manifests of a folder with so many entries.
    package static func manifestPauseSeconds(entries: Int) -> Double {
        max(1, Double(entries) / 5000)
    }
}
