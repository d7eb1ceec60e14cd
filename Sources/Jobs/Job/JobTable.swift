import DequeModule
import ReducerKit

/// The jobs of a run, found by identity in constant time; in a run without end only those from the
/// first unsettled one on.
package struct JobTable: Hashable, Codable, Sendable {
    private var jobs = Deque<Job.State>()
    /// Jobs that were forgotten.
    private var first = 0

    package init() {}

    /// Jobs that there were.
    package var count: Int { first + jobs.count }

    /// Jobs that are kept.
    package var kept: Int { jobs.count }

    /// Adds a job and gives it its identity, which no other ever gets.
    package mutating func append(_ job: Job.State) -> RecordingID {
        jobs.append(job)
        return RecordingID(count - 1)
    }

    /// The job with an identity that this table gave, and that was not forgotten.
    package subscript(id: RecordingID) -> Job.State {
        _read { yield jobs[Int(id.index) - first] }
        _modify { yield &jobs[Int(id.index) - first] }
    }

    /// Whether the job with an identity that this table gave has not begun.
    package func isWaiting(_ id: RecordingID) -> Bool {
        guard contains(id), case .waiting = self[id].phase else { return false }
        return true
    }

    /// Whether there is such a job.
    package func contains(_ id: RecordingID) -> Bool {
        jobs.indices.contains(Int(id.index) - first)
    }

    /// Forgets settled jobs, up to the first that is not.
    package mutating func forgetSettled() {
        while let job = jobs.first, job.phase == .settled {
            jobs.removeFirst()
            first += 1
        }
    }

    /// Identities, ascending.
    package var ids: some Sequence<RecordingID> {
        (first..<count).lazy.map { RecordingID($0) }
    }
}
