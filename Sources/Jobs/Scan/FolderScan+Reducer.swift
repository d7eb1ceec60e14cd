import Recordings
import ReducerKit

extension FolderScan {
    package static let reducer = Reducer<State, Action, Command> { state, action, order in
        switch action {
        case .began(let targets, let recovered, let watch):
            state.hasBegun = true
            state.recovered = Set(recovered)
            state.watch = watch.map { WatchState($0) }
            state.begin(targets)
        case .listed(let id, let listing):
            guard state.inFlight == id else { return }
            state.inFlight = nil
            state.rests[id] = nil
            state.watch?.endListing()
            state.take(listing, of: id, order)
        case .unchanged(let id):
            guard state.inFlight == id else { return }
            state.inFlight = nil
            state.rests[id] = nil
            state.watch?.endListing()
            state.folders[id].listedSeconds = state.nowSeconds
            let path = state.folders[id].path
            if path == state.folders[id].top { state.queueAwayFolders(below: path) }
        case .failed(let id, let failure):
            guard state.inFlight == id else { return }
            state.inFlight = nil
            state.watch?.endListing()
            state.watch?.keepHeard(for: id)
            if !state.rest(id, after: failure) { state.retry(id) }
        case .noticed(let notices):
            for notice in notices { state.take(notice) }
            state.queueDue()
        case .overflowed:
            state.queue(state.folders.ids)
        case .stopped:
            state.isStopped = true
        }
        state.next(order)
    }
}

extension FolderScan.State {
    var nowSeconds: Double { watch?.nowSeconds ?? 0 }

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
            if topmost.contains(path) {
                discover(path, top: path)
            } else {
                discover(path, only: single[path]?.sorted())
            }
        }
        pending.reverse()
    }

    private mutating func discover(
        _ path: Pathname, only: [Pathname]? = nil, top: Pathname? = nil, isGone: Bool = false
    ) {
        if let id = folders.id(of: path) { return queue([id]) }
        var place = FolderIndex.Place(path: path, only: only, also: named[path] ?? [], top: top)
        place.isQueued = true
        place.isGone = isGone
        pending.append(folders.add(place))
    }

    fileprivate mutating func take(
        _ listing: FolderListing, of id: FolderID, _ order: (FolderScan.Command) -> Void
    ) {
        let place = folders[id]
        let isTop = place.path == place.top
        // A disk that is mounted there is no change in this folder: nobody would tell.
        let mayBeMounted =
            isTop && listing.ground.map { $0.isBare && $0.device != place.device } ?? false
        let standing = standing(of: listing, in: place)
        folders[id].isAway = listing.isGone ? isTop || standing != .firm : standing == .away
        folders[id].isOther = standing == .other
        guard !folders[id].isAway else { return seekDisk(of: id, listing) }
        // There may be more below it.
        if place.isAway || place.looks == 0 { isThrough = false }
        if !listing.isGone, standing == .firm, let ground = listing.ground, !ground.isBare {
            folders[id].device = ground.device
            folders[id].isDisplaced = false
            folders[id].isSwapped = false
        }
        if isTop || place.isAway { queueAwayFolders(below: place.path) }
        let first = pending.count
        var children = listing.subfolders
        if !listing.lostFolders.isEmpty { children = (children + listing.lostFolders).sorted() }
        if watch == nil {
            for name in children { discover(place.path.appending(name), top: place.top) }
        } else {
            follow(children, listing, in: place)
            note(listing, children, of: id, order)
            if mayBeMounted {
                retry(id)
            }
        }
        pending[first...].reverse()
    }

    /// Goes on to folders that have come or gone since the last listing.
    private mutating func follow(
        _ children: [Pathname], _ listing: FolderListing, in place: FolderIndex.Place
    ) {
        let lost = Set(listing.lostFolders)
        let before = Set(place.children)
        for name in children {
            let path = place.path.appending(name)
            guard before.contains(name), let child = folders.id(of: path) else {
                discover(path, top: place.top, isGone: lost.contains(name))
                continue
            }
            if folders[child].isGone != lost.contains(name) { queue([child]) }
        }
        for name in before.subtracting(children).sorted() {
            if let child = folders.id(of: place.path.appending(name)) { queue([child]) }
        }
    }

    private mutating func note(
        _ listing: FolderListing, _ children: [Pathname], of id: FolderID,
        _ order: (FolderScan.Command) -> Void
    ) {
        folders[id].children = children
        folders[id].looks = min(folders[id].looks + 1, 2)
        folders[id].fingerprint = listing.fingerprint
        folders[id].listedSeconds = nowSeconds
        folders[id].recordings = Int32(listing.recordings.count)
        if let outcome = listing.watch {
            folders[id].isPolled = outcome != .watched
            if outcome != .watched { watch?.hasPolled = true }
        }
        if listing.isGone, !folders[id].isGone {
            order(.forget(folders[id].path))
            // Should it be there again by now, all looks as before where it lies.
            if let parent = folders.id(of: folders[id].path.parent) {
                lookAgain(parent, atSeconds: nowSeconds + WatchPolicy.suspicionSeconds)
            }
        }
        folders[id].isGone = listing.isGone
    }

    mutating func next(_ order: (FolderScan.Command) -> Void) {
        guard !isStopped, inFlight == nil else { return }
        while let id = pending.popLast() {
            guard folders.contains(id) else { continue }
            inFlight = id
            folders[id].isQueued = false
            watch?.beginListing(id)
            order(.list(id, request(for: id)))
            // What is doubted from here on is for the listing after this one.
            folders[id].isDoubted = false
            return
        }
        // A watch goes on without what it cannot list.
        isThrough = hasBegun && (watch != nil || !hasRests)
    }

    private func request(for id: FolderID) -> FolderScan.Request {
        let place = folders[id]
        var request = FolderScan.Request(
            path: place.path, only: place.only, also: place.also, top: place.top)
        request.isFirst = place.looks == 0
        request.recovers = request.isFirst && recovered.contains(place.path)
        guard let watch else { return request }
        request.tellsFilesApart = true
        request.isKnown = place.isKnown
        request.watches = watch.policy.pollSeconds == nil
        request.known = place.isDoubted ? nil : place.fingerprint
        return request
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
