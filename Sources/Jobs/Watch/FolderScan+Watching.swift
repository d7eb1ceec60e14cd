import Recordings

// Which folders are listed again, and when.

extension FolderScan.State {
    /// Has a listing that failed for what may pass tried again soon, as a recording would be;
    /// `false` where it may not pass, or was tried often enough.
    mutating func rest(_ id: FolderID, after failure: RecordingFailure) -> Bool {
        let attempts = rests[id]?.attempts ?? 0
        rests[id] = nil
        guard !isStopped, folders.contains(id),
            case .tryAgain(let seconds) = RetryPolicy.verdict(on: failure, attempts: attempts)
        else { return false }
        folders[id].isDoubted = true
        rests[id] = FolderScan.Rest(attempts: attempts + 1, seconds: seconds)
        return true
    }

    /// Queues the listings whose pause is over.
    ///
    /// It begins with the first tick that it sees, so that none is shorter than it should be.
    fileprivate mutating func queueRested(_ seconds: Double) {
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
}

extension FolderScan.State {
    /// Folders to be listed as soon as may be, those first that come first by name.
    mutating func queue(_ ids: [FolderID]) {
        let new = ids.filter { folders.contains($0) && !folders[$0].isQueued }
        for id in new { folders[id].isQueued = true }
        pending += new.map { (id: $0, path: folders[$0].path) }.sorted { $0.path > $1.path }
            .map(\.id)
    }

    /// Has a folder listed again, whether it looks as it did or not.
    mutating func lookAgain(_ id: FolderID, atSeconds seconds: Double) {
        guard folders.contains(id) else { return }
        folders[id].isDoubted = true
        watch?.expect(id, atSeconds: seconds)
    }

    /// Takes in the time.
    mutating func tick(_ seconds: Double, _ order: (FolderScan.Command) -> Void) {
        queueRested(seconds)
        if watch != nil {
            watch?.nowSeconds = seconds
            queueDue()
        }
        next(order)
    }

    mutating func take(_ notice: Notice) {
        guard let watch, let id = folders.id(of: notice.folder) else { return }
        // Copy programs write under such names; what counts is the name given at last.
        if let name = notice.name, name.isHidden, !folders[id].isNamed(name),
            folders.id(of: notice.folder.appending(name)) == nil
        {
            return
        }
        let now = watch.nowSeconds
        switch notice.kind {
        case .written:
            if let name = notice.name { self.watch?.written[id, default: []].insert(name) }
            let seconds = max(now, nextListingSeconds(of: id))
            self.watch?.expect(id, atSeconds: seconds)
        case .changed:
            if let name = notice.name { self.watch?.touched[id, default: []].insert(name) }
            let seconds = max(now + WatchPolicy.suspicionSeconds, nextListingSeconds(of: id))
            self.watch?.expect(id, atSeconds: seconds)
        case .gone, .unmounted:
            self.watch?.expect(id, atSeconds: now)
            // One below the top is often removed and made again.
            if notice.kind == .unmounted || notice.folder == folders[id].top {
                folders[id].isDisplaced = true
            }
            if notice.kind == .unmounted { folders[id].isSwapped = true }
            folders[id].isDoubted = true
            if notice.folder != folders[id].top, let parent = folders.id(of: notice.folder.parent) {
                self.watch?.expect(parent, atSeconds: now + WatchPolicy.suspicionSeconds)
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
