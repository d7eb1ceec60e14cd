import ReducerKit

/// All jobs of a run, found by identity in constant time.
package struct JobTable: Hashable, Codable, Sendable {
    private var jobs: [Job.State] = []

    package init() {}

    package var count: Int { jobs.count }

    /// Adds a job and gives it its identity.
    package mutating func append(_ job: Job.State) -> RecordingID {
        jobs.append(job)
        return RecordingID(jobs.count - 1)
    }

    /// The job with an identity that this table gave.
    package subscript(id: RecordingID) -> Job.State {
        _read { yield jobs[Int(id.index)] }
        _modify { yield &jobs[Int(id.index)] }
    }

    /// Makes room for so many more.
    package mutating func reserve(_ more: Int) {
        // Growing to just what is needed, again and again, would copy all of them each time.
        if jobs.count + more > jobs.capacity {
            jobs.reserveCapacity(max(jobs.count + more, jobs.capacity * 2))
        }
    }

    /// Whether the job with an identity that this table gave has not begun.
    package func isWaiting(_ id: RecordingID) -> Bool {
        if case .waiting = jobs[Int(id.index)].phase { true } else { false }
    }

    /// Whether there is such a job.
    package func contains(_ id: RecordingID) -> Bool {
        jobs.indices.contains(Int(id.index))
    }

    /// Identities, ascending.
    package var ids: some Sequence<RecordingID> { jobs.indices.lazy.map { RecordingID($0) } }
}

extension JobTable: KeyedElements {
    package mutating func update<Result>(
        _ id: RecordingID, _ body: (inout Job.State) -> Result
    ) -> Result? {
        guard contains(id) else { return nil }
        return body(&jobs[Int(id.index)])
    }
}
