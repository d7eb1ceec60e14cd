import Jobs
import Recordings

/// What the system tells of changes in folders: late, twice, in another order between folders; and
/// what it cannot tell of it makes up for by saying that there was too much.
///
/// A watch is bound to a folder and not to its name, as `FolderWatcher` has it.
struct SimulatedNotices: Sendable {
    /// What watched folders are called, by their identities.
    private var folders: [UInt64: Pathname] = [:]
    /// What was not told yet, by folder, in order.
    private var untold: [Pathname: [FileEvent]] = [:]
    /// Whether something was lost.
    private var hasLost = false

    var isEmpty: Bool { untold.isEmpty && !hasLost }

    /// A folder is watched from now on, under this name alone.
    mutating func watch(_ identity: UInt64, as folder: Pathname) {
        forget(folder)
        folders[identity] = folder
    }

    mutating func forget(_ folder: Pathname) {
        for (identity, name) in folders where name == folder { folders[identity] = nil }
    }

    /// All watches end.
    mutating func unmount() {
        for folder in folders.values.sorted() {
            add(FileEvent(folder: folder, name: nil, kind: .gone))
        }
        folders = [:]
    }

    /// The folder itself has gone from where it was.
    mutating func tellGone(_ identity: UInt64) {
        guard let folder = folders.removeValue(forKey: identity) else { return }
        add(FileEvent(folder: folder, name: nil, kind: .gone))
    }

    mutating func tell(
        _ kind: FileEvent.Kind, _ name: Pathname, in identity: UInt64, isLost: Bool
    ) {
        guard let folder = folders[identity] else { return }
        guard !isLost else { return hasLost = true }
        add(FileEvent(folder: folder, name: name, kind: kind))
    }

    private mutating func add(_ notice: FileEvent) {
        untold[notice.folder, default: []].append(notice)
    }

    /// Some of what there is to tell.
    mutating func next(using random: inout SeededGenerator) -> FolderScan.Action {
        if hasLost, untold.isEmpty || random.chance(percent: 20) {
            hasLost = false
            return .overflowed
        }
        var told: [FileEvent] = []
        for folder in untold.keys.sorted() where told.isEmpty || random.chance(percent: 40) {
            let notices = untold[folder] ?? []
            let count = Int.random(in: 1...notices.count, using: &random)
            told += notices.prefix(count)
            // Doubled, now and then.
            let isRepeated = random.chance(percent: 10)
            untold[folder] = Array(notices.dropFirst(isRepeated ? count - 1 : count))
            if untold[folder]?.isEmpty == true { untold[folder] = nil }
        }
        return .noticed(told)
    }
}
