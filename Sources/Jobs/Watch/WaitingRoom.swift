import Recordings

/// Recordings that are not complete, as far as can be told, and what was seen of them.
///
/// Only size, time and what a listing pass said of them is known here; the folder's manifest goes
/// on saying what was made of them before.
package struct WaitingRoom: Hashable, Codable, Sendable {
    package struct Guest: Hashable, Codable, Sendable {
        package var stamp: FileStamp
        /// Since when it has been like this.
        package var sinceSeconds: Double
        /// What was wrong with it at the last attempt; `nil` before the first.
        package var failure: RecordingFailure?
        /// Whether it is being worked on all the same.
        package var isTried = false
        /// Whether it is taken as it is.
        package var isLast = false
        /// Where the file was before, if that place is being asked.
        package var origin: Whereabouts.Spot?
        /// The digest of its bytes, where that told of its origin.
        package var digest: String?
        /// How often it was asked, or is.
        package var asked = 0
        /// Whether it is known to be complete.
        package var isClosed = false
        /// What was made of it under another name.
        package var found: Folder.Origin?
        /// What was told of it last: that it is waited for, and why.
        package var told: Told?

        package enum Told: Hashable, Codable, Sendable {
            case waiting
            case failure(RecordingFailure.Reason)
        }

        package init(stamp: FileStamp, sinceSeconds: Double) {
            self.stamp = stamp
            self.sinceSeconds = sinceSeconds
        }
    }

    /// What is known of a recording's state beside its stamp.
    package struct Circumstances: Hashable, Sendable {
        package var nowSeconds: Double
        /// Whether it was closed after writing, or moved in, since the last look.
        package var isClosed: Bool
        /// How long it has stood still by the clock that stamps files, at the first look at its
        /// folder; `nil` later, when what comes has just been written.
        package var quietSeconds: Double?

        package init(nowSeconds: Double, isClosed: Bool, quietSeconds: Double?) {
            self.nowSeconds = nowSeconds
            self.isClosed = isClosed
            self.quietSeconds = quietSeconds
        }
    }

    package enum Verdict: Hashable, Sendable {
        case ready
        case wait(untilSeconds: Double)
    }

    private var guests: [FolderID: [Pathname: Guest]] = [:]

    package init() {}

    /// Recordings that are waited for, those that are being tried not among them.
    package private(set) var count = 0

    /// Recordings that are not through, tried or not.
    package var all: Int { guests.values.reduce(0) { $0 + $1.count } }

    package subscript(folder: FolderID, name: Pathname) -> Guest? {
        get { guests[folder]?[name] }
        set {
            count +=
                (newValue?.isWaiting ?? false ? 1 : 0)
                - (self[folder, name]?.isWaiting ?? false ? 1 : 0)
            if newValue == nil {
                guests[folder]?[name] = nil
                if guests[folder]?.isEmpty == true { guests[folder] = nil }
            } else {
                guests[folder, default: [:]][name] = newValue
            }
        }
    }

    /// What was made of a guest under another name, for whoever sees to it from now on.
    package mutating func takeFound(_ folder: FolderID, _ name: Pathname) -> Folder.Origin? {
        guard let found = self[folder, name]?.found else { return nil }
        self[folder, name]?.found = nil
        return found
    }

    /// How many guests wait to take over what was made of them in a folder, by folder.
    package var holds: [FolderID: Int] {
        var holds: [FolderID: Int] = [:]
        for guest in guests.values.flatMap(\.values) {
            if let found = guest.found { holds[found.folder, default: 0] += 1 }
        }
        return holds
    }

    /// Names of a folder's guests, ascending.
    package func names(in folder: FolderID) -> [Pathname] {
        (guests[folder] ?? [:]).keys.sorted()
    }

    /// So many guests at most, whoever comes first, in no order.
    /// - Complexity: O(limit).
    package func some(_ limit: Int) -> [(folder: FolderID, name: Pathname, guest: Guest)] {
        guests.lazy.flatMap { folder, guests in
            guests.lazy.map { (folder, $0.key, $0.value) }
        }.prefix(limit).map { $0 }
    }

    /// Folders with guests who wait to hear whether they were in the given one before, ascending.
    package func seekers(
        in origin: FolderID
    ) -> [(folder: FolderID, name: Pathname, spot: Whereabouts.Spot?)] {
        guard !guests.isEmpty else { return [] }
        return guests.sorted { $0.key < $1.key }.flatMap { folder, guests in
            guests.filter { $0.value.origin?.folder == origin }.sorted { $0.key < $1.key }
                .map { (folder, $0.key, $0.value.origin) }
        }
    }

    /// Whether a recording may be worked on; it is a guest from now on until it is seen off.
    package mutating func verdict(
        on name: Pathname, in folder: FolderID, _ stamp: FileStamp, _ seen: Circumstances,
        _ policy: WatchPolicy
    ) -> Verdict {
        let now = seen.nowSeconds
        guard var guest = self[folder, name], guest.stamp == stamp else {
            var guest = Guest(stamp: stamp, sinceSeconds: now)
            guest.told = self[folder, name]?.told
            // What was cut off long ago need not be waited for as if it had been just now.
            if let quiet = seen.quietSeconds, quiet > 0 { guest.sinceSeconds = now - quiet }
            let isQuiet =
                self[folder, name] == nil && (seen.quietSeconds ?? 0) >= policy.settleSeconds
                && seen.quietSeconds != nil
            guest.isTried = seen.isClosed || isQuiet
            self[folder, name] = guest
            return guest.isTried ? .ready : .wait(untilSeconds: now + policy.settleSeconds)
        }
        let age = now - guest.sinceSeconds
        switch guest.failure?.reason {
        case nil, .beingWritten:
            guest.isTried = seen.isClosed || guest.isClosed || age >= policy.settleSeconds
            self[folder, name] = guest
            return guest.isTried
                ? .ready : .wait(untilSeconds: guest.sinceSeconds + policy.settleSeconds)
        default:
            guest.isLast = age >= policy.giveUpSeconds
            guest.isTried = guest.isLast
            self[folder, name] = guest
            return guest.isLast
                ? .ready : .wait(untilSeconds: guest.sinceSeconds + policy.giveUpSeconds)
        }
    }
}

extension WaitingRoom.Guest {
    /// Whether an entry tells of what it was before.
    package func was(_ entry: ManifestEntry) -> Bool {
        if let digest { return entry.sourceSHA256 == digest }
        return entry.source == stamp
    }

    /// Whether what was made of it elsewhere is about to become its own.
    package var isMoving: Bool { origin != nil || found != nil }

    /// Whether nobody works on it.
    package var isWaiting: Bool { !isTried }
}
