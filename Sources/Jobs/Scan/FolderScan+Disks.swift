import Recordings

// Folders whose disk may not be there.

extension FolderScan.State {
    /// What is to be thought of what a listing did not find.
    func standing(
        of listing: FolderListing, in place: FolderIndex.Place
    ) -> Ground.Standing {
        guard let ground = listing.ground else { return .firm }
        let isLess = listing.isGone || !listing.unseen.isEmpty || !listing.lostFolders.isEmpty
        guard isLess else { return .firm }
        if listing.isGone, place.path != place.top {
            guard !isSwapped(atOrAbove: place) else { return .away }
            return ground.standing(known: knownDevice(atOrAbove: place))
        }
        // One below the top is often emptied; it is doubted only where it was seen on another disk.
        if place.device == nil, place.path != place.top { return .firm }
        if place.isSwapped, !ground.isBare { return .other }
        return ground.standing(known: place.isDisplaced && ground.isBare ? nil : place.device)
    }

    /// Whether a folder may be missing because its disk is another one now.
    private func isSwapped(atOrAbove place: FolderIndex.Place) -> Bool {
        var place = place
        while !place.isSwapped {
            guard place.path != place.top, let parent = folders.id(of: place.path.parent) else {
                return false
            }
            place = folders[parent]
        }
        return true
    }

    /// The file system that a folder, or the nearest above it, was seen on.
    private func knownDevice(atOrAbove place: FolderIndex.Place) -> UInt64? {
        var place = place
        while place.device == nil, place.path != place.top,
            let parent = folders.id(of: place.path.parent)
        {
            place = folders[parent]
        }
        return place.device
    }

    /// Goes on looking for a disk that is away; for folders that went with it, that is done at the
    /// nearest above them that is there.
    mutating func seekDisk(of id: FolderID, _ listing: FolderListing) {
        watch?.keepHeard(for: id)
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
