import Recordings

/// Recordings that are not complete, as far as can be told, and what was seen of them.
///
/// Only size, time and what a listing pass said of them is known here; the folder's manifest goes
/// on saying what was made of them before.
package struct PendingFileTable: Hashable, Codable, Sendable {
    private var files: [FolderID: [Pathname: PendingFile]] = [:]

    /// Recordings that are waited for, those that are being tried not among them.
    package private(set) var count = 0

    /// Recordings that are not through, tried or not.
    package var all: Int { files.values.reduce(0) { $0 + $1.count } }

    subscript(folder: FolderID, name: Pathname) -> PendingFile? {
        get { files[folder]?[name] }
        set {
            let old = self[folder, name]
            if old == nil, newValue == nil { return }
            count += (newValue?.isTried == false ? 1 : 0) - (old?.isTried == false ? 1 : 0)
            files[folder, default: [:]][name] = newValue
            if files[folder]?.isEmpty == true { files[folder] = nil }
        }
    }

    /// Waits for a recording no more.
    /// - Returns: what was made of it under another name.
    mutating func remove(_ folder: FolderID, _ name: Pathname) -> Folder.Origin? {
        let found = self[folder, name]?.found
        self[folder, name] = nil
        return found
    }

    /// What was made of a file under another name, for whoever sees to it from now on.
    mutating func takeFound(_ folder: FolderID, _ name: Pathname) -> Folder.Origin? {
        guard let found = self[folder, name]?.found else { return nil }
        self[folder, name]?.found = nil
        return found
    }

    /// How many files wait to take over what was made of them in a folder, by folder.
    var holds: [FolderID: Int] {
        var holds: [FolderID: Int] = [:]
        for file in files.values.flatMap(\.values) {
            if let found = file.found { holds[found.folder, default: 0] += 1 }
        }
        return holds
    }

    /// Names of a folder's files, ascending.
    func names(in folder: FolderID) -> [Pathname] {
        (files[folder] ?? [:]).keys.sorted()
    }

    /// So many files at most, whichever come first, in no order.
    /// - Complexity: O(limit).
    func some(_ limit: Int) -> [(folder: FolderID, name: Pathname, file: PendingFile)] {
        files.lazy.flatMap { folder, files in
            files.lazy.map { (folder, $0.key, $0.value) }
        }.prefix(limit).map { $0 }
    }

    /// A file that may have been in another place before, which is being asked.
    struct RenameCandidate {
        var folder: FolderID
        var name: Pathname
        var file: PendingFile
        var origin: FileIdentityIndex.Location
    }

    /// Those that may have been in the given folder before, ascending.
    func renameCandidates(from folder: FolderID) -> [RenameCandidate] {
        guard !files.isEmpty else { return [] }
        return files.sorted { $0.key < $1.key }.flatMap { own, files in
            files.filter { $0.value.origin?.folder == folder }.sorted { $0.key < $1.key }
                .compactMap { name, file in
                    file.origin.map {
                        RenameCandidate(folder: own, name: name, file: file, origin: $0)
                    }
                }
        }
    }
}

/// A recording that nothing has become of yet.
package struct PendingFile: Hashable, Codable, Sendable {
    package var stamp: FileStamp
    /// Since when it has been like this.
    package var sinceSeconds: Double
    /// What was wrong with it at the last attempt; `nil` before the first.
    package var failure: RecordingFailure?
    /// Whether it is being worked on all the same.
    var isTried = false
    /// Whether it is taken as it is.
    var isLast = false
    /// Where the file was before, if that place is being asked.
    var origin: FileIdentityIndex.Location?
    /// The digest of its bytes, where that told of its origin.
    var digest: String?
    /// How often it was asked, or is.
    var asked = 0
    /// Whether it is known to be complete.
    var isClosed = false
    /// What was made of it under another name.
    var found: Folder.Origin?
    /// What was told of it last: that it is waited for, and why.
    var lastReported: Report?

    enum Report: Hashable, Codable, Sendable {
        case waiting
        case failure(RecordingFailure.Reason)
    }

    init(stamp: FileStamp, sinceSeconds: Double) {
        self.stamp = stamp
        self.sinceSeconds = sinceSeconds
    }

    /// Whether an entry tells of what it was before.
    func was(_ entry: ManifestEntry) -> Bool {
        if let digest { return entry.sourceSHA256 == digest }
        return entry.source == stamp
    }

    /// Whether what was made of it elsewhere is about to become its own.
    var isMoving: Bool { origin != nil || found != nil }
}
