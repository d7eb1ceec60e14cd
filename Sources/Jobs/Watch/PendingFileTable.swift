import Recordings

/// Recordings that seem incomplete, and what was observed of them.
///
/// Holds only size, time and the findings of decoding attempts; the folder's manifest still lists
/// their earlier outputs.
package struct PendingFileTable: Hashable, Codable, Sendable {
    private var files: [FolderID: [Pathname: PendingFile]] = [:]

    /// Number of recordings waited for, without those being tried.
    package private(set) var count = 0

    /// Number of all incomplete recordings, tried or not.
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

    /// Stops waiting for a recording.
    /// - Returns: its earlier work under another name.
    mutating func remove(_ folder: FolderID, _ name: Pathname) -> Folder.Origin? {
        let found = self[folder, name]?.found
        self[folder, name] = nil
        return found
    }

    /// Removes and returns a file's earlier work under another name.
    mutating func takeFound(_ folder: FolderID, _ name: Pathname) -> Folder.Origin? {
        guard let found = self[folder, name]?.found else { return nil }
        self[folder, name]?.found = nil
        return found
    }

    /// Number of files that wait to adopt outputs from a folder, by folder.
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

    /// At most `limit` files, in no order.
    /// - Complexity: O(limit).
    func some(_ limit: Int) -> [(folder: FolderID, name: Pathname, file: PendingFile)] {
        files.lazy.flatMap { folder, files in
            files.lazy.map { (folder, $0.key, $0.value) }
        }.prefix(limit).map { $0 }
    }

    /// A file that may have been moved from a folder, which is being listed to find out.
    struct RenameCandidate {
        var folder: FolderID
        var name: Pathname
        var file: PendingFile
        var origin: FileIdentityIndex.Location
    }

    /// Files that may have been moved from the given folder, ascending.
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

/// A recording that has no outcome yet.
package struct PendingFile: Hashable, Codable, Sendable {
    package var stamp: FileStamp
    /// When it reached its present state.
    package var sinceSeconds: Double
    /// The failure of the last attempt; `nil` before the first.
    package var failure: RecordingFailure?
    /// Whether it is being processed nevertheless.
    var isTried = false
    /// Whether the next attempt is final, complete or not.
    var isLast = false
    /// Its former location, while that is being checked.
    var origin: FileIdentityIndex.Location?
    /// Its checksum, if that revealed its former location.
    var digest: String?
    /// How often the former location was checked, or is being checked.
    var asked = 0
    /// Whether it is known to be complete.
    var isClosed = false
    /// Its earlier work under another name.
    var found: Folder.Origin?
    /// What was last announced of it: that it is waited for, and why.
    var lastReported: Report?

    enum Report: Hashable, Codable, Sendable {
        case waiting
        case failure(RecordingFailure.Reason)
    }

    init(stamp: FileStamp, sinceSeconds: Double) {
        self.stamp = stamp
        self.sinceSeconds = sinceSeconds
    }

    /// Whether an entry describes this file under a former name.
    func was(_ entry: SettledEntry) -> Bool {
        if let digest { return entry.sourceSHA256 == digest }
        return entry.source == stamp
    }

    /// Whether its outputs from another place are about to be adopted.
    var isMoving: Bool { origin != nil || found != nil }
}
