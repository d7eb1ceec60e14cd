import Recordings

/// Decides when a waiting job may start.
///
/// Capacity is state, a limit and a count, so that what starts when is a table test.
package struct Scheduler: Hashable, Codable, Sendable {
    package var limit: Int
    package var running = 0
    /// The first job that may still be waiting; those before it have been started.
    package var cursor = 0

    package init(limit: Int) {
        self.limit = limit
    }

    package var hasFreeSlot: Bool { running < limit }

    /// The next job to start, in the order in which they were found; `nil` where none waits or no
    /// slot is free.
    /// - Complexity: O(1), amortised over a run.
    package mutating func claim(from jobs: JobTable) -> RecordingID? {
        guard hasFreeSlot else { return nil }
        while cursor < jobs.count {
            let id = RecordingID(cursor)
            cursor += 1
            if case .waiting = jobs[id].phase {
                running += 1
                return id
            }
        }
        return nil
    }

    /// Whether a job is waiting behind the cursor.
    package func hasWaiting(in jobs: JobTable) -> Bool { cursor < jobs.count }
}
