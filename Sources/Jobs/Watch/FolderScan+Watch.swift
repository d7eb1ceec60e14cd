import Recordings

// Which folders a watch lists again, and when.

extension FolderScan.State {
    var nowSeconds: Double { watch?.nowSeconds ?? 0 }

    /// Schedules another listing of a folder, even if its fingerprint is unchanged.
    mutating func lookAgain(_ id: FolderID, atSeconds seconds: Double) {
        guard folders.contains(id) else { return }
        folders[id].isDoubted = true
        watch?.expect(id, atSeconds: seconds)
    }

    /// Processes a change event, which schedules another listing of the folder.
    mutating func take(_ event: FileEvent) {
        guard watch != nil, let id = folders.id(of: event.folder) else { return }
        if event.name == IgnoreList.name { return takeIgnoreList(of: event.folder) }
        // Copy programs write under hidden names; only the final name counts.
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
            // Subfolders are often removed and made again.
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

    /// Schedules another listing of a folder whose ignore list changed, and of all below it.
    private mutating func takeIgnoreList(of folder: Pathname) {
        let seconds = nowSeconds + WatchPolicy.suspicionSeconds
        for id in folders.ids where folder.contains(folders[id].path) {
            watch?.expect(id, atSeconds: seconds)
        }
    }

    /// The earliest time to list a folder again; the pause keeps a busy folder from being listed
    /// constantly.
    private func nextListingSeconds(of id: FolderID) -> Double {
        let pause = WatchPolicy.listingPauseSeconds(recordings: Int(folders[id].recordings))
        return (folders[id].listedSeconds ?? -pause) + pause
    }

    /// Queues folders that are due, and polled folders whose pause is over.
    mutating func queueDue() {
        guard let policy = watch?.policy else { return }
        var ids = watch?.takeDue() ?? []
        // Polling waits for the walk to finish: a walk that polling overtakes would never end.
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

    /// Schedules a retry of a folder that could not be listed, with a full listing.
    mutating func retry(_ id: FolderID) {
        folders[id].isDoubted = true
        let seconds = nowSeconds + WatchPolicy.retrySeconds
        watch?.retries[id] = seconds
    }
}

// MARK: - Processing a listing

extension FolderScan.State {
    /// Queues subfolders that appeared or disappeared since the last listing.
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
            // If it exists again by now, its parent's fingerprint is unchanged.
            if let parent = folders.id(of: folders[id].path.parent) {
                lookAgain(parent, atSeconds: nowSeconds + WatchPolicy.suspicionSeconds)
            }
        }
        folders[id].isGone = listing.isGone
    }

    /// Records that a folder's fingerprint is unchanged.
    mutating func noteUnchanged(_ id: FolderID) {
        folders[id].listedSeconds = nowSeconds
        let path = folders[id].path
        if path == folders[id].top { queueAwayFolders(below: path) }
    }
}

// MARK: - Folders whose disk is missing

extension FolderScan.State {
    /// Keeps checking for a missing disk; for folders that went with it, the nearest existing
    /// ancestor is checked.
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
        // It may not have been listed since.
        retry(id)
        let seconds = nowSeconds + WatchPolicy.retrySeconds
        watch?.expect(above, atSeconds: seconds)
    }

    /// The nearest ancestor that existed when it was last listed.
    private func nearest(above place: FolderIndex.Place) -> FolderID? {
        var path = place.path
        while path != place.top, !path.isEmpty {
            path = path.parent
            if let id = folders.id(of: path), !folders[id].isGone { return id }
        }
        return nil
    }

    /// Queues folders that went missing with their disk, now that a disk is mounted.
    mutating func queueAwayFolders(below path: Pathname) {
        guard watch?.seeksFolders == true else { return }
        let away = folders.ids.filter { folders[$0].isAway }
        let below = away.filter { path != folders[$0].path && path.contains(folders[$0].path) }
        watch?.seeksFolders = below.count < away.count
        queue(below)
    }
}
