import Recordings
import ReducerKit

extension FolderScan {
    package static let reducer = Reducer<State, Action, Command> { state, action in
        switch action {
        case .began(let targets):
            state.hasBegun = true
            for request in requests(for: targets) { state.discover(request) }
            state.pending.reverse()
        case .listed(let id, let listing):
            guard state.inFlight == id else { return [] }
            state.inFlight = nil
            let parent = state.folders[Int(id.index)].path
            let first = state.pending.count
            for name in listing.subfolders {
                state.discover(Request(path: parent.appending(name)))
            }
            state.pending[first...].reverse()
        case .failed(let id, _):
            guard state.inFlight == id else { return [] }
            state.inFlight = nil
        case .stopped:
            state.isStopped = true
        }
        return state.next()
    }

    /// One request a folder, ascending: a whole folder takes in what lies below it.
    private static func requests(for targets: [Target]) -> [Request] {
        let wholes = Set(
            targets.compactMap { target in
                if case .folder(let path) = target { path } else { nil }
            })
        let topmost = wholes.filter { path in
            !wholes.contains { $0 != path && $0.contains(path) }
        }
        var single: [Pathname: Set<Pathname>] = [:]
        for case .recording(let folder, let name) in targets
        where !topmost.contains(where: { $0.contains(folder) }) {
            single[folder, default: []].insert(name)
        }
        let requests =
            topmost.map { Request(path: $0) }
            + single.map { Request(path: $0, only: $1.sorted()) }
        return requests.sorted { $0.path < $1.path }
    }
}

extension FolderScan.State {
    fileprivate mutating func discover(_ request: FolderScan.Request) {
        pending.append(FolderID(folders.count))
        folders.append(request)
    }

    fileprivate mutating func next() -> [FolderScan.Command] {
        guard !isStopped, inFlight == nil, let id = pending.popLast() else { return [] }
        inFlight = id
        return [.list(id, folders[Int(id.index)])]
    }
}
