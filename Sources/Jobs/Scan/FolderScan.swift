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

        /// The folder, or the recording's; relative to the root.
        package var place: Pathname {
            switch self {
            case .folder(let path): path
            case .recording(let folder, _): folder
            }
        }
    }

    package struct State: Hashable, Codable, Sendable {
        package var hasBegun = false
        /// Recordings that were named beside a folder that holds them, by their own folder.
        package var named: [Pathname: [Pathname]] = [:]
        /// Folders asked for with everything below them, none of which lies in another.
        package var topmost: Set<Pathname> = []
        /// Folders of which the journal of an earlier run tells and no manifest of this one yet.
        package var recovered: Set<Pathname> = []
        /// Every folder that was discovered and is still of interest.
        package var folders = FolderIndex()
        /// Folders still to be listed, the next one last.
        package var pending: [FolderID] = []
        package var inFlight: FolderID?
        /// Listings that failed for what may pass, until they succeed or are given up.
        package var rests: [FolderID: Rest] = [:]
        /// Whether all that could be listed was, and nothing new was found since.
        package var isThrough = false
        /// Whether nothing further is to be listed although folders are pending.
        package var isStopped = false
        /// What there is to know because the run goes on; `nil` where each folder is listed once.
        package var watch: Watch?

        package init() {}

        /// Whether no listing is under way and none will be ordered.
        package var isFinished: Bool {
            inFlight == nil && (isStopped || (hasBegun && pending.isEmpty && !expectsMore))
        }

        /// Whether a folder is to be listed again before long.
        private var expectsMore: Bool { hasRests || watch?.due.isEmpty == false }

        /// Whether a listing is to be tried again when time has passed.
        package var hasRests: Bool { rests.values.contains(where: \.isWaiting) }

        /// Whether a scan of the given targets comes to a folder, if it is still there.
        package func reaches(_ folder: Pathname) -> Bool { topmost.reach(folder) }
    }

    /// A listing that failed, and is tried again after a while.
    package struct Rest: Hashable, Codable, Sendable {
        /// Failed ones.
        package var attempts: Int
        package var seconds: Double
        /// When the pause is over; `nil` until the time is known.
        package var untilSeconds: Double?
        /// Whether it has yet to be ordered again.
        package var isWaiting = true
    }

    /// What is to be listed.
    package struct Request: Hashable, Codable, Sendable {
        /// Relative to the root; empty for the root itself.
        package var path: Pathname
        /// Only these recordings, without subfolders; `nil` for everything.
        package var only: [Pathname]?
        /// Recordings by the user's word, whatever their names end in.
        package var also: [Pathname]
        /// The folder asked for in which it lies; `nil` where single recordings were.
        package var top: Pathname?
        /// Whether what a crash left behind may be there.
        package var isFirst = true
        /// Whether what was made of its recordings is in mind.
        ///
        /// Then it need not be told of those that are there, which takes most of the time and the
        /// memory where there are very many. Of those that are not it is told all the same:
        /// whether a disk is taken for gone hangs on it.
        package var isKnown = false
        /// Whether the journal of an earlier run is to be heard.
        package var recovers = false
        /// Whether the system is to tell of changes from before the folder is read.
        package var watches = false
        /// Whether a file is to be told from all that were there before, so that one that was moved
        /// is known again.
        package var tellsFilesApart = false
        /// What it looked like before; where it still does, nothing else is to be told.
        package var known: UInt64?

        package init(
            path: Pathname, only: [Pathname]? = nil, also: [Pathname] = [], top: Pathname? = nil
        ) {
            self.path = path
            self.only = only
            self.also = also
            self.top = top
        }
    }

    package enum Action: Hashable, Codable, Sendable {
        indirect case listed(FolderID, FolderListing)
        /// The folder looks as it did.
        case unchanged(FolderID)
        /// The folder could not be listed.
        indirect case failed(FolderID, RecordingFailure)
        /// Something happened in folders that are watched.
        case noticed([FileEvent])
        /// More happened than the system could tell.
        case overflowed
    }

    /// What a listing comes to, for the run to see to.
    package enum Outcome: Hashable, Sendable {
        /// With what was told of the folder before the listing was ordered.
        case listed(FolderID, FolderListing, PendingEvents)
        /// The folder could not be listed, and is not tried again soon.
        case failed(FolderID, RecordingFailure)
    }

    package enum Command: Hashable, Codable, Sendable {
        /// Answered by `listed`, `unchanged` or `failed`.
        case list(FolderID, Request)
        /// The folder is gone: nothing is to be told of it any more. Not answered.
        case forget(Pathname)
    }
}

/// What was found in one folder, and what an earlier run left of it.
package struct FolderListing: Hashable, Codable, Sendable {
    /// Ascending by the bytes of their names.
    package var recordings: [ScannedFile]
    /// Folders to go on with, ascending; hidden ones, links and output folders are not among them.
    package var subfolders: [Pathname]
    /// Folders that only the output has, ascending: theirs are gone.
    package var lostFolders: [Pathname] = []
    /// What else may have outputs here, so that its names are taken: recordings and folders that
    /// this run does not look at.
    package var neighbours: [Pathname]
    /// Earlier work on recordings that are not in `recordings`.
    package var unseen: [PreviousWork]
    /// Whether the journal says more of it than the manifest does.
    package var isRecovered: Bool
    /// Outputs that the journal says are superfluous, which may still be there.
    package var obsolete: [Leftovers]
    /// What a manifest is called now that could not be read, so that none is written over it.
    package var setAside: Pathname?
    /// Whether the folder is not there any more; what is told is what is left of it.
    package var isGone = false
    /// Where the listing stands, if a whole folder was asked for.
    package var volume: MountEvidence?
    /// Another number for each state of names, sizes, times and rights.
    package var fingerprint: UInt64 = 0
    /// When it was looked at, since 1970, UTC, by the clock that also stamps files.
    package var lookedAtNanoseconds: Int64 = 0
    /// What came of asking to be told of changes; `nil` where nobody asked.
    package var watch: WatchOutcome?

    package init(
        recordings: [ScannedFile] = [], subfolders: [Pathname] = [], neighbours: [Pathname] = [],
        unseen: [PreviousWork] = [], isRecovered: Bool = false, obsolete: [Leftovers] = []
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
package struct ScannedFile: Hashable, Codable, Sendable {
    package enum Finding: Hashable, Codable, Sendable {
        case file(FileStamp)
        /// It could not be looked at.
        indirect case failure(RecordingFailure)
    }

    package var name: Pathname
    package var finding: Finding
    /// Tells the file from every other that is there, whatever its name.
    package var identity: UInt64?
    package var previous: PreviousWork?

    package init(
        name: Pathname, finding: Finding, identity: UInt64? = nil, previous: PreviousWork? = nil
    ) {
        self.name = name
        self.finding = finding
        self.identity = identity
        self.previous = previous
    }
}

extension [ScannedFile] {
    /// Whether one of them, which are ascending by name, is of that name.
    package func have(_ name: Pathname) -> Bool {
        let place = partitioningIndex { $0.name >= name }
        return place < count && self[place].name == name
    }
}
