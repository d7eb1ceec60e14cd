import Recordings

/// Which file is where, so that one that was renamed or moved is known again.
///
/// Kept in memory only: a file system gives the number of a file that is gone to another one.
package struct FileIdentityIndex: Hashable, Codable, Sendable {
    package struct Location: Hashable, Codable, Sendable {
        package var folder: FolderID
        package var name: Pathname
        /// When it was not there any more; `nil` while it is.
        var goneSeconds: Double?
    }

    /// So long after it was last seen a file is known again.
    package static let memorySeconds = 30.0

    private var locations: [UInt64: Location] = [:]
    private var files: [FolderID: [UInt64]] = [:]
    /// Files that are not where they were, in the order in which they went.
    private var departures: [UInt64] = []

    /// Where a file was seen last, if that is not where it is seen now.
    func origin(of identity: UInt64, as name: Pathname, in folder: FolderID) -> Location? {
        guard let location = locations[identity], location.folder != folder || location.name != name
        else {
            return nil
        }
        return location
    }

    /// Takes in which files are in a folder; those that were elsewhere stay there until they are
    /// found to be gone from it.
    mutating func note(
        _ recordings: some Sequence<ScannedFile>, in folder: FolderID, nowSeconds: Double
    ) {
        expel(before: nowSeconds - FileIdentityIndex.memorySeconds)
        var here: [UInt64] = []
        for scanned in recordings {
            guard let identity = scanned.identity else { continue }
            here.append(identity)
            if locations[identity] == nil || locations[identity]?.goneSeconds != nil
                || locations[identity]?.folder == folder
            {
                locations[identity] = Location(folder: folder, name: scanned.name)
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
    mutating func forget(_ folder: FolderID, nowSeconds: Double) {
        note(EmptyCollection(), in: folder, nowSeconds: nowSeconds)
    }

    private mutating func depart(
        _ identity: UInt64, from folder: FolderID, _ nowSeconds: Double
    ) {
        guard locations[identity]?.folder == folder, locations[identity]?.goneSeconds == nil else {
            return
        }
        locations[identity]?.goneSeconds = nowSeconds
        departures.append(identity)
    }

    private mutating func expel(before seconds: Double) {
        let old = departures.prefix {
            (locations[$0]?.goneSeconds).map { $0 < seconds } ?? true
        }
        guard !old.isEmpty else { return }
        for identity in old where locations[identity]?.goneSeconds != nil {
            locations[identity] = nil
        }
        departures.removeFirst(old.count)
    }
}
