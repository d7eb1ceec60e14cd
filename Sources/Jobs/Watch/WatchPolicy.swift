/// The settings of a watch: how it learns of new recordings, and how long it waits until they are
/// complete.
package struct WatchPolicy: Hashable, Codable, Sendable {
    /// How long a recording's size and time must be unchanged, if no event says that it was closed.
    package var settleSeconds: Double
    /// How long an incomplete recording is waited for, counted from its last change.
    package var giveUpSeconds: Double
    /// Polling interval; `nil` if the system reports changes.
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

    /// Polling interval for a folder whose changes the system cannot report.
    package static let fallbackPollSeconds = 5.0
    /// Delay before a suspected change is checked: such events seldom come alone.
    package static let suspicionSeconds = 0.3
    /// Delay before the retry of a folder that could not be listed.
    package static let retrySeconds = 5.0

    /// Minimum time between two listings of a folder with this many recordings, so that a busy
    /// folder is not listed all the time.
    package static func listingPauseSeconds(recordings: Int) -> Double {
        0.2 + Double(recordings) * 50e-6
    }

    /// Minimum time between two manifests of a folder with this many entries.
    package static func manifestPauseSeconds(entries: Int) -> Double {
        max(1, Double(entries) / 5000)
    }
}
