import Recordings

/// What is to be done about changes in folders: which are to be listed again, and when.
package struct WatchState: Hashable, Codable, Sendable {
    package var policy: WatchPolicy
    package var nowSeconds = 0.0
    /// Folders in which something has changed, and when they are to be listed at the earliest.
    package var due: [FolderID: Double] = [:]
    /// Folders that could not be listed, and when that is tried again.
    package var retries: [FolderID: Double] = [:]
    /// Why folders are not watched, so that it is told once.
    package var refusals: Set<WatchOutcome> = []
    /// Whether there are folders that went with their disk.
    package var seeksFolders = false
    /// Whether there are folders of which nobody tells.
    package var hasPolled = false
    /// Recordings that were closed after writing, or moved in, since their folder was last listed.
    package var written: [FolderID: Set<Pathname>] = [:]
    /// Recordings to which something else happened since their folder was last listed.
    package var touched: [FolderID: Set<Pathname>] = [:]
    /// What was told of the folder that is being listed, before that was ordered.
    package var underway = Hearsay()
    /// What was told of the folder whose listing came last.
    package var heard = Hearsay()

    /// Names of recordings in a folder, by what was told of them.
    package struct Hearsay: Hashable, Codable, Sendable {
        package var written: Set<Pathname> = []
        package var touched: Set<Pathname> = []
    }

    package init(_ policy: WatchPolicy) { self.policy = policy }

    /// The earlier of two times counts.
    package mutating func expect(_ id: FolderID, atSeconds seconds: Double) {
        due[id] = min(due[id] ?? .infinity, seconds)
    }

    /// Takes what was told of a folder that is to be listed now.
    package mutating func beginListing(_ id: FolderID) {
        due[id] = nil
        underway = Hearsay(
            written: written.removeValue(forKey: id) ?? [],
            touched: touched.removeValue(forKey: id) ?? [])
    }

    /// Keeps that for whoever takes the listing.
    package mutating func endListing() {
        heard = underway
        underway = Hearsay()
    }

    /// Keeps it for the next listing, where this one was of no use.
    package mutating func keepHeard(for id: FolderID) {
        if !heard.written.isEmpty { written[id, default: []].formUnion(heard.written) }
        if !heard.touched.isEmpty { touched[id, default: []].formUnion(heard.touched) }
        heard = Hearsay()
    }

    /// Forgets all about a folder.
    package mutating func forget(_ id: FolderID) {
        due[id] = nil
        retries[id] = nil
        written[id] = nil
        touched[id] = nil
    }

    /// Folders whose time has come, in no order; each is named once.
    package mutating func takeDue() -> [FolderID] {
        let ids = due.filter { $0.value <= nowSeconds }.map(\.key)
        let again = retries.filter { $0.value <= nowSeconds }.map(\.key)
        for id in ids { due[id] = nil }
        for id in again { retries[id] = nil }
        return Array(Set(ids + again))
    }
}
