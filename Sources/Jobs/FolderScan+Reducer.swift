import Recordings
import ReducerKit

extension FolderScan {
    package static let reducer = Reducer<State, Action, Command> { state, action, order in
        switch action {
        case .began(let targets):
            state.hasBegun = true
            state.begin(targets)
        case .listed(let id, let listing):
            guard state.inFlight == id else { return }
            state.inFlight = nil
            let parent = state.folders[Int(id.index)].path
            let first = state.pending.count
            for name in listing.subfolders {
                state.discover(parent.appending(name))
            }
            state.pending[first...].reverse()
        case .failed(let id, _):
            guard state.inFlight == id else { return }
            state.inFlight = nil
        case .stopped:
            state.isStopped = true
        }
        state.next(order)
    }
}

extension FolderScan.State {
    /// One request a folder, ascending: a whole folder takes in what lies below it.
    fileprivate mutating func begin(_ targets: [FolderScan.Target]) {
        let wholes = Set(
            targets.compactMap { target in
                if case .folder(let path) = target { path } else { nil }
            })
        topmost = wholes.filter { path in
            path.isEmpty || path.lastComponent.isHidden || !wholes.reach(path.parent)
        }
        var single: [Pathname: Set<Pathname>] = [:]
        for case .recording(let folder, let name) in targets {
            single[folder, default: []].insert(name)
        }
        for (folder, names) in single where topmost.reach(folder) {
            named[folder] = names.sorted()
            single[folder] = nil
        }
        for path in (topmost.union(single.keys)).sorted() {
            discover(path, only: topmost.contains(path) ? nil : single[path]?.sorted())
        }
        pending.reverse()
    }

    fileprivate mutating func discover(_ path: Pathname, only: [Pathname]? = nil) {
        pending.append(FolderID(folders.count))
        folders.append(
            FolderScan.Request(path: path, only: only, also: named[path] ?? []))
    }

    fileprivate mutating func next(_ order: (FolderScan.Command) -> Void) {
        guard !isStopped, inFlight == nil, let id = pending.popLast() else { return }
        inFlight = id
        order(.list(id, folders[Int(id.index)]))
    }
}

extension Set<Pathname> {
    /// Whether a scan of one of these folders comes to `folder`: hidden folders are not entered.
    ///
    /// Climbs up from it, so that thousands of folders on a command line do not meet each other.
    func reach(_ folder: Pathname) -> Bool {
        var place = folder
        while !contains(place) {
            guard !place.isEmpty, !place.lastComponent.isHidden else { return false }
            place = place.parent
        }
        return true
    }
}
