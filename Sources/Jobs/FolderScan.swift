import Recordings

/// The walk through the folders: one listing at a time, depth first, in the order of the names.
///
/// One at a time, because a listing costs little beside the sound in it, and because the order in
/// which recordings become known then never depends on how fast a disk answers.
package enum FolderScan {
    /// What a user asked for, relative to the root.
    package enum Target: Hashable, Codable, Sendable {
        /// A folder with everything below it.
        case folder(Pathname)
        /// One recording, whatever its name ends in.
        case recording(folder: Pathname, name: Pathname)
    }

    package struct State: Hashable, Codable, Sendable {
        package var hasBegun = false
        /// Recordings that were named beside a folder that holds them, by their own folder.
        package var named: [Pathname: [Pathname]] = [:]
        /// Folders asked for with everything below them, none of which lies in another.
        package var topmost: Set<Pathname> = []
        /// Every folder discovered so far; a folder's identity is its place here.
        package var folders: [Request] = []
        /// Folders still to be listed, the next one last.
        package var pending: [FolderID] = []
        package var inFlight: FolderID?
        /// Whether nothing further is to be listed although folders are pending.
        package var isStopped = false

        package init() {}

        /// Whether no listing is under way and none will be ordered.
        package var isFinished: Bool {
            inFlight == nil && (isStopped || (hasBegun && pending.isEmpty))
        }

        /// Whether a scan of the given targets comes to a folder, if it is still there.
        package func reaches(_ folder: Pathname) -> Bool { topmost.reach(folder) }
    }

    /// What is to be listed.
    package struct Request: Hashable, Codable, Sendable {
        /// Relative to the root; empty for the root itself.
        package var path: Pathname
        /// Only these recordings, without subfolders; `nil` for everything.
        package var only: [Pathname]?
        /// Recordings by the user's word, whatever their names end in.
        package var also: [Pathname]

        package init(path: Pathname, only: [Pathname]? = nil, also: [Pathname] = []) {
            self.path = path
            self.only = only
            self.also = also
        }
    }

    package enum Action: Hashable, Codable, Sendable {
        case began([Target])
        indirect case listed(FolderID, FolderListing)
        /// The folder could not be listed.
        indirect case failed(FolderID, RecordingFailure)
        case stopped
    }

    package enum Command: Hashable, Codable, Sendable {
        /// Answered by `listed` or `failed`.
        case list(FolderID, Request)
    }
}

/// What was found in one folder, and what an earlier run left of it.
package struct FolderListing: Hashable, Codable, Sendable {
    /// Ascending by the bytes of their names.
    package var recordings: [Sighting]
    /// Folders to go on with, ascending; hidden ones, links and output folders are not among them.
    package var subfolders: [Pathname]
    /// What else may have outputs here, so that its names are taken: recordings and folders that
    /// this run does not look at.
    package var neighbours: [Pathname]
    /// Earlier work on recordings that are not in `recordings`.
    package var unseen: [PreviousWork]
    /// Whether the journal says more of it than the manifest does.
    package var isRecovered: Bool
    /// Outputs that the journal says are superfluous, which may still be there.
    package var obsolete: [Pathname]

    package init(
        recordings: [Sighting] = [], subfolders: [Pathname] = [], neighbours: [Pathname] = [],
        unseen: [PreviousWork] = [], isRecovered: Bool = false, obsolete: [Pathname] = []
    ) {
        self.recordings = recordings
        self.subfolders = subfolders
        self.neighbours = neighbours
        self.unseen = unseen
        self.isRecovered = isRecovered
        self.obsolete = obsolete
    }
}

/// One recording as a scan found it.
package struct Sighting: Hashable, Codable, Sendable {
    package enum Finding: Hashable, Codable, Sendable {
        case file(FileStamp)
        /// It could not be looked at.
        indirect case failure(RecordingFailure)
    }

    package var name: Pathname
    package var finding: Finding
    package var previous: PreviousWork?

    package init(name: Pathname, finding: Finding, previous: PreviousWork? = nil) {
        self.name = name
        self.finding = finding
        self.previous = previous
    }
}
