import Recordings
import ReducerKit

// What becomes of recordings that are not complete, or not where they were, in a run that goes on.

extension JobStore.State {
    /// Whether a recording may be worked on now; where not, it is waited for, and what was made of
    /// it before stays what there is.
    mutating func mayStart(
        _ sighting: Sighting, _ stamp: FileStamp, in folder: inout Folder, _ look: Look,
        _ order: Order
    ) -> Bool {
        guard let policy = configuration.watch else { return true }
        let name = sighting.name
        if waiting[look.id, name]?.stamp != stamp {
            release(waiting.takeFound(look.id, name), in: &folder)
        }
        let until: Double
        let isSought: Bool
        if let seconds = seek(sighting, stamp, look) {
            until = seconds
            isSought = true
        } else {
            isSought = false
            let quiet = Double(look.atNanoseconds - stamp.modifiedNanoseconds) / 1e9
            let seen = WaitingRoom.Circumstances(
                nowSeconds: pace.nowSeconds, isClosed: look.heard.written.contains(name),
                quietSeconds: look.isFirst ? quiet : nil)
            switch waiting.verdict(on: name, in: look.id, stamp, seen, policy) {
            case .ready: return true
            case .wait(let seconds): until = seconds
            }
        }
        if let previous = sighting.previous { folder.unlisted.append(previous) }
        scan.lookAgain(look.id, atSeconds: until)
        if !isSought, waiting[look.id, name]?.told == nil {
            waiting[look.id, name]?.told = .waiting
            order(.announce(.awaited(folder: folder.path, name: name, nil)))
        }
        return false
    }

    /// A folder that is read while a file is renamed may show it under both names: asked again, it
    /// knows better.
    private var mostAsked: Int { 2 }

    /// Where a file was seen in another place before, has that place looked at first.
    /// - Returns: how long to wait for that; `nil` where there is nothing to wait for.
    private mutating func seek(
        _ sighting: Sighting, _ stamp: FileStamp, _ look: Look
    ) -> Double? {
        let until = pace.nowSeconds + WatchPolicy.retrySeconds
        let known = waiting[look.id, sighting.name].flatMap { $0.stamp == stamp ? $0 : nil }
        if let known {
            if known.digest != nil, known.origin != nil, known.asked == 0 {
                waiting[look.id, sighting.name]?.asked = 1
                return until
            }
            let isAnswered = known.found != nil || known.asked == mostAsked
            if isAnswered || known.digest != nil || known.failure != nil { return nil }
        }
        guard let identity = sighting.identity,
            let spot = whereabouts.origin(of: identity, as: sighting.name, in: look.id),
            scan.folders.contains(spot.folder)
        else { return nil }
        var guest = WaitingRoom.Guest(stamp: stamp, sinceSeconds: pace.nowSeconds)
        guest.origin = spot
        guest.asked = (known?.asked ?? 0) + 1
        guest.isClosed =
            look.heard.written.contains(sighting.name) || known?.isClosed == true
        guest.told = waiting[look.id, sighting.name]?.told
        waiting[look.id, sighting.name] = guest
        if spot.folder != look.id { scan.lookAgain(spot.folder, atSeconds: pace.nowSeconds) }
        return until
    }

    /// Tells those who wait for it whether they were in this folder before.
    mutating func answerSeekers(in id: FolderID, _ order: Order) {
        for (folder, name, spot) in waiting.seekers(in: id) {
            guard var guest = waiting[folder, name], let spot else { continue }
            guest.origin = nil
            if folders.contains(id), let work = folders[id].lost(spot.name, where: guest.was),
                isCurrent(work, in: id)
            {
                let path = scan.folders[id].path
                guest.found = Folder.Origin(folder: id, path: path, entry: work.entry.boxed)
                guest.isClosed = true
                folders[id].holds += 1
            }
            waiting[folder, name] = guest
            scan.lookAgain(folder, atSeconds: pace.nowSeconds)
        }
    }

    /// Whether what was made of a recording is what would be made of it now.
    private func isCurrent(_ work: PreviousWork, in id: FolderID) -> Bool {
        guard let stamp = work.entry.value.source, work.entry.failure == nil else {
            return false
        }
        var wishes = configuration.wishes
        wishes.redoesAll = false
        let staleness = Staleness(
            stamp: stamp, previous: work, names: folders[id].setting.value.names, wishes: wishes)
        return staleness == .upToDate
    }

    /// Lets go of those who waited and are gone.
    mutating func dismissGuests(notIn listing: FolderListing, of id: FolderID) {
        let names = waiting.names(in: id)
        guard !names.isEmpty else { return }
        let there = Set(listing.recordings.map(\.name))
        for name in names where !there.contains(name) {
            release(waiting.takeFound(id, name))
            waiting[id, name] = nil
        }
    }

    /// Waits for a recording no more, in a folder that is being changed.
    mutating func dismiss(_ name: Pathname, _ look: Look, in folder: inout Folder) {
        guard configuration.watch != nil, waiting[look.id, name] != nil else { return }
        release(waiting.takeFound(look.id, name), in: &folder)
        waiting[look.id, name] = nil
    }
}

extension Folder {
    /// What was made of a recording that is gone.
    /// - Parameter wasIt: whether it is the one that is meant: the name may have been others' too.
    func lost(_ name: Pathname, where wasIt: (ManifestEntry) -> Bool) -> PreviousWork? {
        unlisted.first {
            $0.entry.name == name && $0.entry.status == .sourceMissing
                && wasIt($0.entry.value)
        }
    }

    /// Whether what was made of a recording is still here, where it was.
    func stillHas(_ origin: Origin) -> Bool {
        let before = origin.entry.value
        return lost(before.name) { $0.source == before.source } != nil
    }
}
