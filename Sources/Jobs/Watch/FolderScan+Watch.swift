import Recordings

// Which folders a scan that goes on lists again, and when.

extension FolderScan.State {
    var nowSeconds: Double { watch?.nowSeconds ?? 0 }

    /// Has a folder listed again, whether it looks as it did or not.
    mutating func lookAgain(_ id: FolderID, atSeconds seconds: Double) {
        guard folders.contains(id) else { return }
        folders[id].isDoubted = true
        watch?.expect(id, atSeconds: seconds)
    }

    /// Takes in that something happened in a folder, which may be looked at some time.
    mutating func take(_ event: FileEvent) {
        guard watch != nil, let id = folders.id(of: event.folder) else { return }
        // Copy programs write under such names; what counts is the name given at last.
        if let name = event.name, name.isHidden, !folders[id].isNamed(name),
            folders.id(of: event.folder.appending(name)) == nil
        {
            return
        }
        let now = nowSeconds
        let suspected = now + WatchPolicy.suspicionSeconds
        let mayBeListed = nextListingSeconds(of: id)
        switch event.kind {
        case .written:
            if let name = event.name {
                watch?.events[id, default: PendingEvents()].written.insert(name)
            }
            watch?.expect(id, atSeconds: max(now, mayBeListed))
        case .changed:
            if let name = event.name {
                watch?.events[id, default: PendingEvents()].touched.insert(name)
            }
            watch?.expect(id, atSeconds: max(suspected, mayBeListed))
        case .gone, .unmounted:
            watch?.expect(id, atSeconds: now)
            // One below the top is often removed and made again.
            if event.kind == .unmounted || event.folder == folders[id].top {
                folders[id].isDisplaced = true
            }
            if event.kind == .unmounted { folders[id].isSwapped = true }
            folders[id].isDoubted = true
            if event.folder != folders[id].top, let parent = folders.id(of: event.folder.parent) {
                watch?.expect(parent, atSeconds: suspected)
            }
        }
    }

    /// When a folder may be listed again, so that one in which much lands is not listed all the
    /// time.
    private func nextListingSeconds(of id: FolderID) -> Double {
        let pause = WatchPolicy.listingPauseSeconds(recordings: Int(folders[id].recordings))
        return (folders[id].listedSeconds ?? -pause) + pause
    }

    /// Queues what is due, and what nobody tells of and was not looked at for long.
    mutating func queueDue() {
        guard let policy = watch?.policy else { return }
        var ids = watch?.takeDue() ?? []
        // Polling goes on when there is time for it: a walk that it overtakes never ends.
        guard isThrough, policy.pollSeconds != nil || watch?.hasPolled == true else {
            return queue(ids)
        }
        let pause = policy.pollSeconds ?? WatchPolicy.fallbackPollSeconds
        let now = nowSeconds
        ids += folders.ids.filter { id in
            let place = folders[id]
            guard policy.pollSeconds != nil || place.isPolled, !place.isQueued else { return false }
            return place.listedSeconds.map { $0 + pause <= now } ?? false
        }
        queue(Array(Set(ids)))
    }

    /// Has a folder that could not be listed tried again, and then told of in full.
    mutating func retry(_ id: FolderID) {
        folders[id].isDoubted = true
        let seconds = nowSeconds + WatchPolicy.retrySeconds
        watch?.retries[id] = seconds
    }
}

// MARK: - What a listing says

extension FolderScan.State {
    /// Goes on to folders that have come or gone since the last listing.
    mutating func follow(
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

    mutating func note(
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

    /// Takes in that a folder looks as it did.
    mutating func noteUnchanged(_ id: FolderID) {
        folders[id].listedSeconds = nowSeconds
        let path = folders[id].path
        if path == folders[id].top { queueAwayFolders(below: path) }
    }
}

// MARK: - Folders whose disk is away

extension FolderScan.State {
    /// Goes on looking for a disk that is away; for folders that went with it, that is done at the
    /// nearest above them that is there.
    mutating func seekDisk(of id: FolderID, _ listing: FolderListing, _ events: PendingEvents) {
        watch?.keep(events, for: id)
        let place = folders[id]
        guard watch != nil, listing.isGone, place.path != place.top else {
            folders[id].isDisplaced = true
            return retry(id)
        }
        folders[id].isDoubted = true
        watch?.seeksFolders = true
        guard let above = nearest(above: place), !folders[above].isAway else { return }
        // It may not have been looked at since.
        retry(id)
        let seconds = nowSeconds + WatchPolicy.retrySeconds
        watch?.expect(above, atSeconds: seconds)
    }

    /// The nearest folder above another that was there when it was last listed.
    private func nearest(above place: FolderIndex.Place) -> FolderID? {
        var path = place.path
        while path != place.top, !path.isEmpty {
            path = path.parent
            if let id = folders.id(of: path), !folders[id].isGone { return id }
        }
        return nil
    }

    /// Looks at folders again that went with their disk, now that there is one.
    mutating func queueAwayFolders(below path: Pathname) {
        guard watch?.seeksFolders == true else { return }
        let away = folders.ids.filter { folders[$0].isAway }
        let below = away.filter { path != folders[$0].path && path.contains(folders[$0].path) }
        watch?.seeksFolders = below.count < away.count
        queue(below)
    }
}
