import Recordings

/// The state of a run that continues once all work is done.
package struct Watch: Hashable, Codable, Sendable {
    package var policy: WatchPolicy
    var nowSeconds = 0.0
    /// Folders with changes, and the earliest time to list each again.
    package private(set) var due: [FolderID: Double] = [:]
    /// Folders that could not be listed, and when to retry.
    package var retries: [FolderID: Double] = [:]
    /// Why folders are not watched, so that each reason is announced once.
    var refusals: Set<WatchOutcome> = []
    /// Whether any folders went missing with their disk.
    var seeksFolders = false
    /// Whether any folders must be polled.
    var hasPolled = false
    /// Events of each folder since it was last listed.
    var events: [FolderID: PendingEvents] = [:]
    /// Events of the folder being listed, from before its listing was ordered.
    private var underway = PendingEvents()
    /// Recordings that are incomplete.
    package var incomplete = PendingFileTable()
    /// When recordings went missing whose outputs are to be pruned.
    var missingSince: [FolderID: [Pathname: Double]] = [:]

    init(_ policy: WatchPolicy) { self.policy = policy }

    /// Schedules a listing of a folder; the earlier of two times counts.
    mutating func expect(_ id: FolderID, atSeconds seconds: Double) {
        due[id] = min(due[id] ?? .infinity, seconds)
    }

    /// Sets aside the events of a folder that is about to be listed.
    mutating func beginListing(_ id: FolderID) {
        due[id] = nil
        underway = events.removeValue(forKey: id) ?? PendingEvents()
    }

    /// Returns those events, for the processing of the listing.
    mutating func endListing() -> PendingEvents {
        defer { underway = PendingEvents() }
        return underway
    }

    /// Restores events for the next listing, if this one was of no use.
    mutating func keep(_ told: PendingEvents, for id: FolderID) {
        guard told != PendingEvents() else { return }
        events[id, default: PendingEvents()].written.formUnion(told.written)
        events[id, default: PendingEvents()].touched.formUnion(told.touched)
    }

    /// Forgets a folder that is gone.
    mutating func forget(_ id: FolderID) {
        due[id] = nil
        retries[id] = nil
        events[id] = nil
        missingSince[id] = nil
    }

    /// Removes and returns the folders that are due, in no order and without duplicates.
    mutating func takeDue() -> [FolderID] {
        let ids = due.filter { $0.value <= nowSeconds }.map(\.key)
        let again = retries.filter { $0.value <= nowSeconds }.map(\.key)
        for id in ids { due[id] = nil }
        for id in again { retries[id] = nil }
        return Array(Set(ids + again))
    }
}

/// Events of a folder's recordings since it was last listed.
package struct PendingEvents: Hashable, Codable, Sendable {
    /// Files that were closed after writing, or moved in.
    var written: Set<Pathname> = []
    /// Files with any other event.
    var touched: Set<Pathname> = []
}
