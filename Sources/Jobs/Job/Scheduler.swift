import Recordings

/// Decides when a waiting job may start.
///
/// Capacity is plain state, a limit and a count, so that scheduling can be tested by tables.
package struct Scheduler: Hashable, Codable, Sendable {
    /// A job that pauses before its retry.
    package struct Rest: Hashable, Codable, Sendable {
        package var id: RecordingID
        package var seconds: Double
        /// End of the pause; `nil` until the first tick.
        package var untilSeconds: Double?

        package init(id: RecordingID, seconds: Double, untilSeconds: Double? = nil) {
            self.id = id
            self.seconds = seconds
            self.untilSeconds = untilSeconds
        }
    }

    package var limit: Int
    /// Number of jobs that have a slot.
    package var running = 0
    /// The first job that may still be waiting; those before it have been started.
    package var cursor = 0
    /// Jobs to retry, whose pause is over.
    package var rested: [RecordingID] = []
    package var resting: [Rest] = []

    package init(limit: Int) {
        self.limit = limit
    }

    package var hasFreeSlot: Bool { running < limit }

    /// The next job to start: a retry, or else the first waiting one in the order of discovery;
    /// `nil` if none waits or no slot is free.
    /// - Complexity: O(1), amortised over a run.
    package mutating func claim(from jobs: JobTable) -> RecordingID? {
        guard hasFreeSlot else { return nil }
        if !rested.isEmpty {
            running += 1
            return rested.removeFirst()
        }
        while cursor < jobs.count {
            let id = RecordingID(cursor)
            cursor += 1
            if jobs.isWaiting(id) {
                running += 1
                return id
            }
        }
        return nil
    }

    /// Whether any job waits to start or pauses before a retry.
    package func hasWaiting(in jobs: JobTable) -> Bool {
        cursor < jobs.count || !rested.isEmpty || !resting.isEmpty
    }

    /// Schedules the retry of a job after a pause.
    package mutating func rest(_ id: RecordingID, seconds: Double) {
        resting.append(Rest(id: id, seconds: seconds))
    }

    /// Removes a job that will not be started.
    package mutating func forget(_ id: RecordingID) {
        rested.removeAll { $0 == id }
        resting.removeAll { $0.id == id }
    }

    /// Ends pauses that are over; a pause begins with the first tick after it was scheduled, so
    /// that none is too short.
    package mutating func tick(_ nowSeconds: Double) {
        guard !resting.isEmpty else { return }
        for index in resting.indices where resting[index].untilSeconds == nil {
            resting[index].untilSeconds = nowSeconds + resting[index].seconds
        }
        rested += resting.filter { $0.isOver(nowSeconds) }.map(\.id)
        resting.removeAll { $0.isOver(nowSeconds) }
    }
}

extension Scheduler.Rest {
    fileprivate func isOver(_ nowSeconds: Double) -> Bool {
        untilSeconds.map { $0 <= nowSeconds } ?? false
    }
}
