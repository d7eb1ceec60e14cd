import Recordings

/// Changes to a folder's results that no work on recordings led to, and that are not recorded yet.
package struct RecordChanges: Hashable, Codable, Sendable {
    /// Entries to be put in the place of earlier ones.
    package private(set) var amended: [Pathname: SettledEntry] = [:]
    /// Recordings to be forgotten, with all that was made of them.
    package private(set) var removed: Set<Pathname> = []

    package init() {}

    package mutating func amend(_ entry: SettledEntry) {
        amended[entry.name] = entry
        removed.remove(entry.name)
    }

    package mutating func remove(_ recording: Pathname) {
        amended[recording] = nil
        removed.insert(recording)
    }

    /// Drops what is said of a recording.
    package mutating func drop(_ recording: Pathname) {
        amended[recording] = nil
        removed.remove(recording)
    }

    /// Adds earlier changes, of which these say nothing newer.
    package mutating func merge(_ earlier: RecordChanges) {
        for (name, entry) in earlier.amended where amended[name] == nil && !removed.contains(name) {
            amended[name] = entry
        }
        removed.formUnion(earlier.removed.filter { amended[$0] == nil })
    }
}
