import Recordings

// Folders whose disk may not be mounted.

extension FolderScan.State {
    /// Whether files missing from a listing are gone, or only their disk is missing.
    func volumeState(
        of listing: FolderListing, in place: FolderIndex.Place
    ) -> VolumeState {
        guard let volume = listing.volume else { return .firm }
        let isLess = listing.isGone || !listing.lostFolders.isEmpty || listing.isLess
        guard isLess else { return .firm }
        if listing.isGone, place.path != place.top {
            guard !isSwapped(atOrAbove: place) else { return .away }
            return volume.state(known: knownDevice(atOrAbove: place))
        }
        // Subfolders are often emptied: one is doubted only if it was seen on another disk.
        if place.device == nil, place.path != place.top { return .firm }
        if place.isSwapped, !volume.isBare { return .other }
        return volume.state(known: place.isDisplaced && volume.isBare ? nil : place.device)
    }

    /// Whether a folder may be missing because another disk is mounted now.
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

    /// The file system on which a folder, or its nearest known ancestor, was seen.
    private func knownDevice(atOrAbove place: FolderIndex.Place) -> UInt64? {
        var place = place
        while place.device == nil, place.path != place.top,
            let parent = folders.id(of: place.path.parent)
        {
            place = folders[parent]
        }
        return place.device
    }
}
