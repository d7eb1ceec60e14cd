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

    /// Whether any file is like that.
    func contains(where isIt: (PendingFile) -> Bool) -> Bool {
        files.values.contains { $0.values.contains(where: isIt) }
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
}
