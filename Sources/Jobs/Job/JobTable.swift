import DequeModule
import ReducerKit

/// The jobs of a run, by identity in constant time; a watch retains only those from the first
/// unsettled one on.
package struct JobTable: Hashable, Codable, Sendable {
    private var jobs = Deque<Job.State>()
    /// Number of jobs that were forgotten.
    private var first = 0
    /// Number of jobs before the first unsettled one, forgotten ones included.
    private var settled = 0

    package init() {}

    /// Number of jobs ever added.
    package var count: Int { first + jobs.count }

    /// Number of jobs retained.
    package var kept: Int { jobs.count }

    /// Adds a job and returns its identity, which is never reused.
    package mutating func append(_ job: Job.State) -> RecordingID {
        jobs.append(job)
        return RecordingID(count - 1)
    }

    /// The job with this identity, which must be in the table and not forgotten.
    package subscript(id: RecordingID) -> Job.State {
        _read { yield jobs[Int(id.index) - first] }
        _modify { yield &jobs[Int(id.index) - first] }
    }

    /// Whether the job with this identity is retained and has not started.
    package func isWaiting(_ id: RecordingID) -> Bool {
        guard contains(id), case .waiting = self[id].phase else { return false }
        return true
    }

    /// Whether the job with this identity is retained.
    package func contains(_ id: RecordingID) -> Bool {
        jobs.indices.contains(Int(id.index) - first)
    }

    /// Passes over settled jobs, up to the first unsettled one.
    package mutating func passSettled() {
        while settled < count, jobs[settled - first].phase == .settled { settled += 1 }
    }

    /// Forgets the settled jobs that were passed over.
    package mutating func forgetSettled() {
        jobs.removeFirst(settled - first)
        first = settled
    }

    /// Identities from the first unsettled job on, ascending.
    package var unsettled: some Sequence<RecordingID> {
        (settled..<count).lazy.map { RecordingID($0) }
    }

    /// Identities, ascending.
    package var ids: some Sequence<RecordingID> {
        (first..<count).lazy.map { RecordingID($0) }
    }
}
