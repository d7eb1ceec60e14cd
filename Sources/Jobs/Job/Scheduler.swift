import Recordings

/// Decides when a waiting job may start.
///
/// Capacity is state, a limit and a count, so that what starts when is a table test.
package struct Scheduler: Hashable, Codable, Sendable {
    /// A job that waits for time to pass before it is tried again.
    package struct Rest: Hashable, Codable, Sendable {
        package var id: RecordingID
        package var seconds: Double
        /// When it is over; `nil` until the time is known.
        package var untilSeconds: Double?

        package init(id: RecordingID, seconds: Double, untilSeconds: Double? = nil) {
            self.id = id
            self.seconds = seconds
            self.untilSeconds = untilSeconds
        }
    }

    package var limit: Int
    /// Jobs that have a place.
    package var running = 0
    /// The first job that may still be waiting; those before it have been started.
    package var cursor = 0
    /// Jobs to be tried again, whose rest is over.
    package var rested: [RecordingID] = []
    package var resting: [Rest] = []

    package init(limit: Int) {
        self.limit = limit
    }

    package var hasFreeSlot: Bool { running < limit }

    /// The next job to start: one that is tried again, or else the first in the order in which they
    /// were found; `nil` where none waits or no slot is free.
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

    /// Whether a job is waiting, or resting.
    package func hasWaiting(in jobs: JobTable) -> Bool {
        cursor < jobs.count || !rested.isEmpty || !resting.isEmpty
    }

    /// Lets a job wait before it is tried again.
    package mutating func rest(_ id: RecordingID, seconds: Double) {
        resting.append(Rest(id: id, seconds: seconds))
    }

    /// Lets go of a job that will not be started.
    package mutating func forget(_ id: RecordingID) {
        rested.removeAll { $0 == id }
        resting.removeAll { $0.id == id }
    }

    /// Takes in the time: rests begin with the first tick that they see, so that none is shorter
    /// than it should be.
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
