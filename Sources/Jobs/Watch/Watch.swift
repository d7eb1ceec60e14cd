import Recordings

/// What a run knows and waits for because it goes on when all is done.
package struct Watch: Hashable, Codable, Sendable {
    package var policy: WatchPolicy
    var nowSeconds = 0.0
    /// Folders in which something has changed, and when they are to be listed at the earliest.
    package private(set) var due: [FolderID: Double] = [:]
    /// Folders that could not be listed, and when that is tried again.
    package var retries: [FolderID: Double] = [:]
    /// Why folders are not watched, so that it is told once.
    var refusals: Set<WatchOutcome> = []
    /// Whether there are folders that went with their disk.
    var seeksFolders = false
    /// Whether there are folders of which nobody tells.
    var hasPolled = false
    /// What was told of folders since they were last listed.
    var events: [FolderID: PendingEvents] = [:]
    /// What was told of the folder that is being listed, before that was ordered.
    private var underway = PendingEvents()
    /// Recordings that are not complete.
    package var incomplete = PendingFileTable()
    /// Which file is where.
    var identities = FileIdentityIndex()
    /// What was in recordings that are gone.
    var missing = MissingByDigest()
    /// When recordings went whose outputs are to go too.
    var missingSince: [FolderID: [Pathname: Double]] = [:]

    init(_ policy: WatchPolicy) { self.policy = policy }

    /// Has a folder listed at that time; the earlier of two counts.
    mutating func expect(_ id: FolderID, atSeconds seconds: Double) {
        due[id] = min(due[id] ?? .infinity, seconds)
    }

    /// Takes what was told of a folder that is to be listed now.
    mutating func beginListing(_ id: FolderID) {
        due[id] = nil
        underway = events.removeValue(forKey: id) ?? PendingEvents()
    }

    /// Gives that to whoever takes the listing.
    mutating func endListing() -> PendingEvents {
        defer { underway = PendingEvents() }
        return underway
    }

    /// Keeps it for the next listing, where this one was of no use.
    mutating func keep(_ told: PendingEvents, for id: FolderID) {
        guard told != PendingEvents() else { return }
        events[id, default: PendingEvents()].written.formUnion(told.written)
        events[id, default: PendingEvents()].touched.formUnion(told.touched)
    }

    /// Takes in which files are in a folder; those that are about to be known again stay where they
    /// were.
    mutating func noteFiles(in id: FolderID, _ recordings: [ScannedFile]) {
        let settled = recordings.lazy.filter { [incomplete] in
            incomplete[id, $0.name]?.isMoving != true
        }
        identities.note(settled, in: id, nowSeconds: nowSeconds)
    }

    /// Forgets a folder that is gone.
    mutating func forget(_ id: FolderID) {
        due[id] = nil
        retries[id] = nil
        events[id] = nil
        identities.forget(id, nowSeconds: nowSeconds)
        missingSince[id] = nil
    }

    /// Folders whose time has come, in no order; each is named once.
    mutating func takeDue() -> [FolderID] {
        let ids = due.filter { $0.value <= nowSeconds }.map(\.key)
        let again = retries.filter { $0.value <= nowSeconds }.map(\.key)
        for id in ids { due[id] = nil }
        for id in again { retries[id] = nil }
        return Array(Set(ids + again))
    }
}

/// Recordings of a folder that the system told of since it was last listed.
package struct PendingEvents: Hashable, Codable, Sendable {
    /// Those that were closed after writing, or moved in.
    var written: Set<Pathname> = []
    /// Those to which something else happened.
    var touched: Set<Pathname> = []
}
