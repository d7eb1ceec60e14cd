/// What a listing stands on: facts about the folder that was listed, or, where that is gone, about
/// the nearest above it that is there, up to the one asked for.
package struct MountEvidence: Hashable, Codable, Sendable {
    /// The file system the folder is on; `nil` where it is gone.
    package var device: UInt64?
    /// Whether it has not one name in it.
    package var isBare: Bool

    package init(device: UInt64?, isBare: Bool) {
        self.device = device
        self.isBare = isBare
    }

    /// Whether what is not there is gone.
    ///
    /// A folder that is gone, or bare though there are results of it, may be one whose disk is not
    /// mounted. It is believed to be bare only if it was seen otherwise, on the same disk.
    /// - Parameter known: the file system it was last seen on with something in it.
    package func state(known: UInt64?) -> VolumeState {
        guard let device else { return .away }
        guard let known else { return isBare ? .away : .firm }
        if device == known { return .firm }
        return isBare ? .away : .other
    }
}

/// What is to be thought of recordings that are not there.
package enum VolumeState: Hashable, Sendable {
    /// They are gone.
    case firm
    /// Their disk seems not to be there.
    case away
    /// Another disk is where theirs was, or none, and there are other files: of these all is
    /// known, of those that are not there nothing.
    case other
}
