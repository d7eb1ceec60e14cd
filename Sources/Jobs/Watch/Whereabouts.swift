import Recordings

/// Which file is where, so that one that was renamed or moved is known again.
///
/// Kept in memory only: a file system gives the number of a file that is gone to another one.
package struct Whereabouts: Hashable, Codable, Sendable {
    package struct Spot: Hashable, Codable, Sendable {
        package var folder: FolderID
        package var name: Pathname
        /// When it was not there any more; `nil` while it is.
        package var goneSeconds: Double?
    }

    /// So long after it was last seen a file is known again.
    package static let memorySeconds = 30.0

    private var spots: [UInt64: Spot] = [:]
    private var files: [FolderID: [UInt64]] = [:]
    /// Files that are not where they were, in the order in which they went.
    private var departures: [UInt64] = []

    package init() {}

    package var count: Int { spots.count }

    /// Where a file was seen last, if that is not where it is seen now.
    package func origin(of identity: UInt64, as name: Pathname, in folder: FolderID) -> Spot? {
        guard let spot = spots[identity], spot.folder != folder || spot.name != name else {
            return nil
        }
        return spot
    }

    /// Takes in which files are in a folder; those that were elsewhere stay there until they are
    /// found to be gone from it.
    package mutating func note(
        _ recordings: some Sequence<Sighting>, in folder: FolderID, nowSeconds: Double
    ) {
        expel(before: nowSeconds - Whereabouts.memorySeconds)
        var here: [UInt64] = []
        for sighting in recordings {
            guard let identity = sighting.identity else { continue }
            here.append(identity)
            if spots[identity] == nil || spots[identity]?.goneSeconds != nil
                || spots[identity]?.folder == folder
            {
                spots[identity] = Spot(folder: folder, name: sighting.name, goneSeconds: nil)
            }
        }
        let before = files[folder] ?? []
        // Most of the time they are the same.
        if before != here {
            let present = Set(here)
            for identity in before where !present.contains(identity) {
                depart(identity, from: folder, nowSeconds)
            }
        }
        files[folder] = here.isEmpty ? nil : here
    }

    /// Forgets a folder.
    package mutating func forget(_ folder: FolderID, nowSeconds: Double) {
        note(EmptyCollection(), in: folder, nowSeconds: nowSeconds)
    }

    private mutating func depart(
        _ identity: UInt64, from folder: FolderID, _ nowSeconds: Double
    ) {
        guard spots[identity]?.folder == folder, spots[identity]?.goneSeconds == nil else { return }
        spots[identity]?.goneSeconds = nowSeconds
        departures.append(identity)
    }

    private mutating func expel(before seconds: Double) {
        let isOld = { (identity: UInt64, spots: [UInt64: Spot]) in
            (spots[identity]?.goneSeconds).map { $0 < seconds } ?? true
        }
        let old = departures.prefix { isOld($0, spots) }
        guard !old.isEmpty else { return }
        for identity in old where spots[identity]?.goneSeconds != nil { spots[identity] = nil }
        departures.removeFirst(old.count)
    }
}
