import Glibc
import Jobs
import Recordings

/// A report of a watcher.
package enum WatchReport: Hashable, Sendable {
    /// Events in order; of repeated events, only the last.
    case noticed([FileEvent])
    /// The kernel's event queue overflowed: any watched folder may have changed.
    case overflowed
}

/// Maps watches to folders, and interprets events accordingly.
///
/// A watch is bound to the folder, not to its name. If a renamed folder is watched again, the
/// kernel returns the same watch, which then belongs to the new name only.
struct WatchTable {
    private var folders: [Int32: Pathname] = [:]
    private var watches: [Pathname: Int32] = [:]

    /// The number of watched folders.
    var count: Int { folders.count }

    /// The folder of a watch.
    func folder(of watch: Int32) -> Pathname? { folders[watch] }

    /// Assigns a watch to a folder.
    /// - Returns: the folder's former watch, now obsolete.
    mutating func set(_ watch: Int32, for folder: Pathname) -> Int32? {
        if let other = folders.updateValue(folder, forKey: watch), other != folder {
            watches[other] = nil
        }
        guard let old = watches.updateValue(watch, forKey: folder), old != watch else {
            return nil
        }
        folders[old] = nil
        return old
    }

    /// - Returns: the folder's former watch, now obsolete.
    mutating func remove(_ folder: Pathname) -> Int32? {
        guard let watch = watches.removeValue(forKey: folder) else { return nil }
        folders[watch] = nil
        return watch
    }

    /// Converts the events of one read to reports.
    ///
    /// Events of an unknown watch belong to a folder that is no longer watched, and are dropped.
    /// - Parameter end: called with each obsolete watch.
    mutating func reports(
        of events: [InotifyEvent], end: (Int32) -> Void
    ) -> [WatchReport] {
        var notices: [FileEvent] = []
        var isOverflown = false
        for event in events {
            if event.isAny(of: IN_Q_OVERFLOW) { isOverflown = true }
            guard let folder = folders[event.watch] else { continue }
            if event.isAny(of: IN_IGNORED) {
                _ = remove(folder)
            } else if event.isAny(of: IN_UNMOUNT) {
                notices.append(FileEvent(folder: folder, kind: .unmounted))
            } else if event.isAny(of: IN_DELETE_SELF, IN_MOVE_SELF) {
                notices.append(FileEvent(folder: folder, kind: .gone))
                // Stop watching it: its events would be reported under the wrong name.
                if event.isAny(of: IN_MOVE_SELF), let watch = remove(folder) { end(watch) }
            } else {
                notices += WatchTable.notices(of: event, in: folder)
            }
        }
        let told = notices.isEmpty ? [] : [WatchReport.noticed(lastOfEach(notices))]
        return isOverflown ? told + [.overflowed] : told
    }

    private static func notices(of event: InotifyEvent, in folder: Pathname) -> [FileEvent] {
        guard let name = event.name else { return [FileEvent(folder: folder, kind: .changed)] }
        guard event.isOfFolder else {
            let isWhole = event.isAny(of: IN_CLOSE_WRITE, IN_MOVED_TO)
            return [FileEvent(folder: folder, name: name, kind: isWhole ? .written : .changed)]
        }
        // The new folder may already contain complete recordings.
        let hasCome = event.isAny(of: IN_CREATE, IN_MOVED_TO)
        let notice = FileEvent(folder: folder, name: name, kind: hasCome ? .written : .changed)
        guard event.isAny(of: IN_ATTRIB) else { return [notice] }
        // It may have been unreadable, and so has no watch that reports the change.
        return [notice, FileEvent(folder: folder.appending(name), kind: .changed)]
    }
}

/// Removes duplicates, retaining the last of each, which reflects the final state.
private func lastOfEach(_ notices: [FileEvent]) -> [FileEvent] {
    var seen: Set<FileEvent> = []
    return Array(notices.reversed().filter { seen.insert($0).inserted }.reversed())
}
