import Glibc
import Jobs
import Recordings

/// What a watcher has to tell.
package enum WatchReport: Hashable, Sendable {
    /// In the order in which it happened; what happened several times stands where it did last.
    case noticed([FileEvent])
    /// More happened than the system keeps in mind: any watched folder may have changed.
    case overflowed
}

/// Which watch stands for which folder, and so what events mean.
///
/// A watch is bound to the folder and not to its name: once that was renamed, the same watch
/// comes up under another name, and from then on stands for that alone.
struct WatchTable {
    private var folders: [Int32: Pathname] = [:]
    private var watches: [Pathname: Int32] = [:]

    /// How many folders are watched.
    var count: Int { folders.count }

    /// The folder for which a watch stands.
    func folder(of watch: Int32) -> Pathname? { folders[watch] }

    /// Lets a watch stand for a folder from now on.
    /// - Returns: the watch that stood for it before, which is of no use any more.
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

    /// - Returns: the watch that stood for the folder, which is of no use any more.
    mutating func remove(_ folder: Pathname) -> Int32? {
        guard let watch = watches.removeValue(forKey: folder) else { return nil }
        folders[watch] = nil
        return watch
    }

    /// What the events of one read mean.
    ///
    /// Those of a watch that stands for nothing are of a folder that was forgotten meanwhile.
    /// - Parameter end: called with each watch that is of no use any more.
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
                // Wherever it is now, it would be told of under the wrong name.
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
        // Recordings may be in it already, and be complete.
        let hasCome = event.isAny(of: IN_CREATE, IN_MOVED_TO)
        let notice = FileEvent(folder: folder, name: name, kind: hasCome ? .written : .changed)
        guard event.isAny(of: IN_ATTRIB) else { return [notice] }
        // It may have been closed to us, so that no watch of its own tells that it is open now.
        return [notice, FileEvent(folder: folder.appending(name), kind: .changed)]
    }
}

/// Each notice once, where it stands last: that is how things are left.
private func lastOfEach(_ notices: [FileEvent]) -> [FileEvent] {
    var seen: Set<FileEvent> = []
    return Array(notices.reversed().filter { seen.insert($0).inserted }.reversed())
}
