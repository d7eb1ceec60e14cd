import Recordings

/// A recording that a run has not finished, as an open page lists it.
package struct ReportPending: Encodable, Equatable, Sendable {
    package enum State: String, Encodable, Sendable {
        case working, queued, waiting
    }

    var name: String
    /// As in its row.
    var file: String
    var state: State
    /// Why it is waited for.
    var note: String?

    package init(_ pending: WatchFacts.Pending, _ links: ReportLinks) {
        let recording = pending.path.lastComponent
        name = recording.displayText
        file = links.recording(recording)
        switch pending.standing {
        case .workedOn: state = .working
        case .queued: state = .queued
        case .awaited(let failure, let seconds):
            state = .waiting
            note = WatchView.reason(failure, seconds: seconds)
        }
    }
}
