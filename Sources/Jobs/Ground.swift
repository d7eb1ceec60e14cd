/// Where a listing stands: facts about the folder that was listed, or, where that is gone, about
/// the folder asked for in which it lay.
package struct Ground: Hashable, Codable, Sendable {
    /// The file system the folder is on; `nil` where it is gone.
    package var device: UInt64?
    /// Whether it has not one name in it.
    package var isBare: Bool

    package init(device: UInt64?, isBare: Bool) {
        self.device = device
        self.isBare = isBare
    }

    /// Whether recordings that are not there may be taken for deleted.
    ///
    /// A folder that is gone, or bare though there are results of it, may be one whose disk is not
    /// mounted. It is believed to be bare only if it was seen otherwise, on the same disk.
    /// - Parameter known: the file system it was last seen on with something in it.
    package func isFirm(known: UInt64?) -> Bool {
        guard let device else { return false }
        return !isBare || device == known
    }
}
