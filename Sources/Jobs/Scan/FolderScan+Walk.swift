import Recordings
import ReducerKit

extension FolderScan.State {
    /// Starts the scan with one request per folder asked for, ascending; a whole folder includes
    /// what lies below it.
    package mutating func begin(
        _ targets: [FolderScan.Target], _ order: (FolderScan.Command) -> Void
    ) {
        hasBegun = true
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
        next(order)
    }

    mutating func discover(
        _ path: Pathname, only: [Pathname]? = nil, top: Pathname? = nil, isGone: Bool = false
    ) {
        if let id = folders.id(of: path) { return queue([id]) }
        var place = FolderIndex.Place(path: path, only: only, also: named[path] ?? [], top: top)
        place.isQueued = true
        place.isGone = isGone
        pending.append(folders.add(place))
    }

    /// Processes the answer to a listing, or change events from the system.
    package mutating func handle(
        _ action: FolderScan.Action, _ order: (FolderScan.Command) -> Void
    ) -> FolderScan.Outcome? {
        var outcome: FolderScan.Outcome?
        switch action {
        case .listed(let id, let listing):
            guard let events = endListing(of: id) else { return nil }
            rests[id] = nil
            take(listing, of: id, events, order)
            outcome = .listed(id, listing, events)
        case .unchanged(let id):
            guard endListing(of: id) != nil else { return nil }
            rests[id] = nil
            noteUnchanged(id)
        case .failed(let id, let failure):
            guard let events = endListing(of: id) else { return nil }
            watch?.keep(events, for: id)
            if !rest(id, after: failure) {
                retry(id)
                outcome = .failed(id, failure)
            }
        case .noticed(let events):
            for event in events { take(event) }
            queueDue()
        case .overflowed:
            queue(folders.ids)
        }
        next(order)
        return outcome
    }

    /// Processes a clock tick.
    mutating func tick(_ seconds: Double, _ order: (FolderScan.Command) -> Void) {
        queueRested(seconds)
        watch?.nowSeconds = seconds
        queueDue()
        next(order)
    }

    /// Ends the listing in flight.
    /// - Returns: events reported before that was ordered; `nil` if another listing is in flight.
    private mutating func endListing(of id: FolderID) -> PendingEvents? {
        guard inFlight == id else { return nil }
        inFlight = nil
        return watch?.endListing() ?? PendingEvents()
    }

    private mutating func take(
        _ listing: FolderListing, of id: FolderID, _ events: PendingEvents,
        _ order: (FolderScan.Command) -> Void
    ) {
        let place = folders[id]
        let isTop = place.path == place.top
        // Mounting a disk there changes nothing in this folder, so no event would report it.
        let mayBeMounted =
            isTop && listing.volume.map { $0.isBare && $0.device != place.device } ?? false
        let state = volumeState(of: listing, in: place)
        folders[id].isAway = listing.isGone ? isTop || state != .firm : state == .away
        folders[id].isOther = state == .other
        guard !folders[id].isAway else { return seekDisk(of: id, listing, events) }
        // There may be more folders below it.
        if place.isAway || place.looks == 0 { isThrough = false }
        if !listing.isGone, state == .firm, let volume = listing.volume, !volume.isBare {
            folders[id].device = volume.device
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
            if mayBeMounted { retry(id) }
        }
        pending[first...].reverse()
    }

    /// Schedules the retry of a listing that failed for a transient reason, with a recording's
    /// pauses; `false` if the reason is permanent or the retries are used up.
    private mutating func rest(_ id: FolderID, after failure: RecordingFailure) -> Bool {
        let attempts = rests[id]?.attempts ?? 0
        rests[id] = nil
        guard !isStopped, folders.contains(id),
            case .tryAgain(let seconds) = RetryPolicy.verdict(on: failure, attempts: attempts)
        else { return false }
        folders[id].isDoubted = true
        rests[id] = FolderScan.Rest(attempts: attempts + 1, seconds: seconds)
        return true
    }

    /// Queues the listings whose retry pause is over.
    ///
    /// A pause begins with the first tick after it was scheduled, so that none is too short.
    private mutating func queueRested(_ seconds: Double) {
        guard hasRests else { return }
        var over: [FolderID] = []
        for (id, rest) in rests where rest.isWaiting {
            let until = rest.untilSeconds ?? seconds + rest.seconds
            rests[id]?.untilSeconds = until
            guard until <= seconds else { continue }
            rests[id]?.isWaiting = false
            over.append(id)
        }
        queue(over)
    }

    /// Queues folders to be listed next, in ascending order of their paths.
    mutating func queue(_ ids: [FolderID]) {
        let new = ids.filter { folders.contains($0) && !folders[$0].isQueued }
        for id in new { folders[id].isQueued = true }
        pending += new.map { (id: $0, path: folders[$0].path) }.sorted { $0.path > $1.path }
            .map(\.id)
    }

    mutating func next(_ order: (FolderScan.Command) -> Void) {
        guard !isStopped, inFlight == nil else { return }
        while let id = pending.popLast() {
            guard folders.contains(id) else { continue }
            inFlight = id
            folders[id].isQueued = false
            watch?.beginListing(id)
            order(.list(id, request(for: id)))
            // Doubts that arise from here on concern the listing after this one.
            folders[id].isDoubted = false
            return
        }
        // A watch continues without folders that it cannot list.
        isThrough = hasBegun && (watch != nil || !hasRests)
    }

    private func request(for id: FolderID) -> FolderScan.Request {
        let place = folders[id]
        var request = FolderScan.Request(
            path: place.path, only: place.only, also: place.also, top: place.top)
        request.isFirst = place.looks == 0
        guard watch != nil else { return request }
        request.isKnown = place.isKnown
        request.watches = watch?.wantsEvents == true
        request.known = place.isDoubted ? nil : place.fingerprint
        return request
    }
}

extension Set<Pathname> {
    /// Whether a scan of these folders reaches `folder`: hidden folders are not entered.
    ///
    /// Climbs up from it, so that thousands of folders on a command line are not compared pairwise.
    func reach(_ folder: Pathname) -> Bool {
        var place = folder
        while !contains(place) {
            guard !place.isEmpty, !place.lastComponent.isHidden else { return false }
            place = place.parent
        }
        return true
    }
}
