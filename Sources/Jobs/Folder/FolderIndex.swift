import Recordings

/// The folders of a run that were discovered and are still of interest, by identity and by path.
package struct FolderIndex: Hashable, Codable, Sendable {
    /// What is known of a folder between two listings.
    package struct Place: Hashable, Codable, Sendable {
        /// Relative to the root; empty for the root itself.
        package var path: Pathname
        /// Only these recordings; `nil` for everything.
        package var only: [Pathname]?
        /// Recordings by the user's word, whatever their names end in.
        package var also: [Pathname]
        /// The folder asked for in which it lies.
        package var top: Pathname?
        /// Names of the folders in it, as it was last listed; ascending.
        package var children: [Pathname] = []
        package var fingerprint: UInt64?
        /// Whether it is to be told of in full when it is listed next, though it may look as it
        /// did.
        package var isDoubted = false
        /// Listings that a watch took, as far as one is to be told from the next.
        package var looks: Int8 = 0
        /// When it was last listed; `nil` until it was.
        package var listedSeconds: Double?
        /// Recordings in it, as it was last listed.
        package var recordings: Int32 = 0
        /// The file system it was last seen on with something in it.
        package var device: UInt64?
        /// Whether its disk was taken away since, or it was itself: what is there now may be
        /// another one, however much it looks the same.
        package var isDisplaced = false
        /// Whether its disk was unmounted since, and the next may be another one: what is missing
        /// is not taken for gone until nothing is.
        package var isSwapped = false
        /// Whether what was missing in it last is not taken for gone, as another disk is there.
        package var isOther = false
        /// Recordings with results that filters left out when it was last listed.
        package var leftOut: Set<Pathname> = []
        /// Whether what was made of its recordings is in mind.
        package var isKnown = false
        /// Whether it waits to be listed.
        package var isQueued = false
        /// Whether nobody tells of changes in it.
        package var isPolled = false
        /// Whether it was not there any more.
        package var isGone = false
        /// Whether it is, or lies in, a folder whose disk does not seem to be there.
        package var isAway = false

        /// Whether a recording that is not in a listing is gone.
        package var listsAll: Bool { only == nil && !isOther }

        /// Whether the user asked for a recording by its name.
        package func isNamed(_ name: Pathname) -> Bool {
            only?.contains(name) == true || also.contains(name)
        }

        package init(
            path: Pathname, only: [Pathname]? = nil, also: [Pathname] = [], top: Pathname? = nil
        ) {
            self.path = path
            self.only = only
            self.also = also
            self.top = top
        }
    }

    private var places: [Place?] = []
    private var generations: [Int32] = []
    private var vacant: [Int32] = []
    private var identities: [Pathname: FolderID] = [:]

    package var count: Int { places.count - vacant.count }

    /// Identities, in the order of their places.
    package var ids: [FolderID] {
        places.indices.filter { places[$0] != nil }
            .map { FolderID($0, generation: generations[$0]) }
    }

    package func contains(_ id: FolderID) -> Bool {
        let index = Int(id.index)
        return places.indices.contains(index) && generations[index] == id.generation
            && places[index] != nil
    }

    package func id(of path: Pathname) -> FolderID? { identities[path] }

    /// The folder with an identity that this index gave, and that is still of interest.
    package subscript(id: FolderID) -> Place {
        get {
            guard contains(id), let place = places[Int(id.index)] else {
                preconditionFailure("a folder was asked for that is of no interest any more")
            }
            return place
        }
        set {
            precondition(contains(id), "a folder was changed that is of no interest any more")
            places[Int(id.index)] = newValue
        }
    }

    /// Adds a folder and gives it its identity.
    package mutating func add(_ place: Place) -> FolderID {
        let id: FolderID
        if let index = vacant.popLast() {
            id = FolderID(Int(index), generation: generations[Int(index)])
            places[Int(index)] = place
        } else {
            id = FolderID(places.count)
            places.append(place)
            generations.append(0)
        }
        identities[place.path] = id
        return id
    }

    /// Lets go of a folder; its identity is never given again.
    package mutating func remove(_ id: FolderID) {
        guard contains(id) else { return }
        identities[self[id].path] = nil
        places[Int(id.index)] = nil
        generations[Int(id.index)] += 1
        vacant.append(id.index)
    }
}
