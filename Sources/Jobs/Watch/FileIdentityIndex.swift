import Recordings

/// Maps file identities to locations, to recognise a renamed or moved file.
///
/// In memory only: a file system reuses the inode number of a deleted file.
package struct FileIdentityIndex: Hashable, Codable, Sendable {
    package struct Location: Hashable, Codable, Sendable {
        package var folder: FolderID
        package var name: Pathname
        /// When it was found missing; `nil` while it is there.
        var goneSeconds: Double?
    }

    /// How long a file is recognised after it was found missing.
    package static let memorySeconds = 30.0

    private var locations: [UInt64: Location] = [:]
    private var files: [FolderID: [UInt64]] = [:]
    /// Files that left their location, in the order in which they left.
    private var departures: [UInt64] = []

    /// The last known location of a file, if it differs from the present one.
    func origin(of identity: UInt64, as name: Pathname, in folder: FolderID) -> Location? {
        guard let location = locations[identity], location.folder != folder || location.name != name
        else {
            return nil
        }
        return location
    }

    /// Records which files a folder holds; a file known elsewhere keeps that location until a
    /// listing finds it missing there.
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
        // The list is usually unchanged.
        if before != here {
            let present = Set(here)
            for identity in before where !present.contains(identity) {
                depart(identity, from: folder, nowSeconds)
            }
        }
        files[folder] = here.isEmpty ? nil : here
    }

    /// Records that a folder holds no files any more.
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
