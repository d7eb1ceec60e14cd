import Recordings

/// Decides when a waiting job may start, and how many workers it gets.
///
/// Capacity is state, a limit and counts, so that what starts when is a table test. Each job has a
/// place. Work on a long recording may take places that nobody else waits for as well; they are
/// lent to it for as long as that work can be shared.
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

    /// Places beside its own that a job has been lent.
    package struct Loan: Hashable, Codable, Sendable {
        package var id: RecordingID
        package var places: Int

        package init(id: RecordingID, places: Int) {
            self.id = id
            self.places = places
        }
    }

    package var limit: Int
    /// Jobs that have a place.
    package var running = 0
    package var loans: [Loan] = []
    /// The first job that may still be waiting; those before it have been started.
    package var cursor = 0
    /// Jobs to be tried again, whose rest is over.
    package var rested: [RecordingID] = []
    package var resting: [Rest] = []

    package init(limit: Int) {
        self.limit = limit
    }

    /// Places that are neither taken nor lent.
    package var freePlaces: Int { limit - running - loans.reduce(0) { $0 + $1.places } }
    package var hasFreeSlot: Bool { freePlaces > 0 }

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

    /// What a job has been lent; `nil` where that is nothing.
    package func places(lentTo id: RecordingID) -> Int? { loans.first { $0.id == id }?.places }

    /// Shares the free places evenly among a job that has been claimed and those that wait to be;
    /// each of these keeps one, as far as they go.
    /// - Returns: how many workers the job may have, `most` at most, its own place included. What
    ///   it has been lent it has until it is taken back.
    /// - Complexity: O(jobs behind the cursor), where a place is free.
    package mutating func lend(
        to id: RecordingID, atMost most: Int = .max, among jobs: JobTable
    ) -> Int {
        let free = freePlaces
        guard free > 0 else { return 1 }
        var waiting = rested.count
        var place = cursor
        while place < jobs.count, waiting < free {
            if jobs.isWaiting(RecordingID(place)) { waiting += 1 }
            place += 1
        }
        let workers = max(1, min(most, (free + 1) / (waiting + 1)))
        if workers > 1 { loans.append(Loan(id: id, places: workers - 1)) }
        return workers
    }

    /// Takes back what a job has been lent, if anything, but for so many places.
    package mutating func takeBack(from id: RecordingID, butFor kept: Int = 0) {
        guard let index = loans.firstIndex(where: { $0.id == id }) else { return }
        loans[index].places = min(loans[index].places, kept)
        if loans[index].places == 0 { loans.remove(at: index) }
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
