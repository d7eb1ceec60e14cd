/// Evidence of a mounted disk: facts about the listed folder or, if that is gone, about its nearest
/// existing ancestor, up to the folder asked for.
package struct MountEvidence: Hashable, Codable, Sendable {
    /// The file system that the folder is on; `nil` if it is gone.
    package var device: UInt64?
    /// Whether it has no entries at all.
    package var isBare: Bool

    package init(device: UInt64?, isBare: Bool) {
        self.device = device
        self.isBare = isBare
    }

    /// Whether missing files are gone, or only their disk is missing.
    ///
    /// A folder that is gone, or bare despite having results, may be one whose disk is not mounted.
    /// It counts as emptied only if it was seen with entries on the same disk.
    /// - Parameter known: the file system on which it was last seen with entries.
    package func state(known: UInt64?) -> VolumeState {
        guard let device else { return .away }
        guard let known else { return isBare ? .away : .firm }
        if device == known { return .firm }
        return isBare ? .away : .other
    }
}

/// The conclusion about recordings that are missing.
package enum VolumeState: Hashable, Sendable {
    /// They are gone.
    case firm
    /// Their disk seems not to be mounted.
    case away
    /// Another disk, or none, is where theirs was, and has other files: a listing is complete for
    /// those, and proves nothing about the missing ones.
    case other
}
