import Recordings
import ReducerKit

/// The folder walk: lists one folder at a time, depth first, in the order of the names.
///
/// One at a time, because listing is cheap beside decoding, and because the order in which
/// recordings are found then never depends on how fast a disk answers.
package enum FolderScan {
    /// What a user asked for, relative to the root.
    package enum Target: Hashable, Codable, Sendable {
        /// A folder with everything below it.
        case folder(Pathname)
        /// One recording, whatever its file extension.
        case recording(folder: Pathname, name: Pathname)

        /// The folder asked for, or the folder of the recording; relative to the root.
        package var place: Pathname {
            switch self {
            case .folder(let path): path
            case .recording(let folder, _): folder
            }
        }
    }

    package struct State: Hashable, Codable, Sendable {
        package var hasBegun = false
        /// Recordings named explicitly although a folder asked for holds them, by their own folder.
        package var named: [Pathname: [Pathname]] = [:]
        /// Folders asked for with everything below them, none of which lies in another.
        package var topmost: Set<Pathname> = []
        /// Every folder that was discovered and is still of interest.
        package var folders = FolderIndex()
        /// Folders still to be listed, the next one last.
        package var pending: [FolderID] = []
        package var inFlight: FolderID?
        /// Listings that failed for a transient reason, until they succeed or are given up.
        package var rests: [FolderID: Rest] = [:]
        /// Whether every folder that can be listed was, and none was found since.
        package var isThrough = false
        /// Whether the scan was stopped; pending folders are then not listed.
        package var isStopped = false
        /// The state of the watch; `nil` if each folder is listed only once.
        package var watch: Watch?

        package init() {}

        /// Whether no listing is under way and none will be ordered.
        package var isFinished: Bool {
            inFlight == nil && (isStopped || (hasBegun && pending.isEmpty && !expectsMore))
        }

        /// Whether a folder will soon be listed again.
        private var expectsMore: Bool { hasRests || watch?.due.isEmpty == false }

        /// Whether a failed listing waits for its retry.
        package var hasRests: Bool { rests.values.contains(where: \.isWaiting) }

        /// Whether the folders asked for include a folder, if it still exists.
        package func reaches(_ folder: Pathname) -> Bool { topmost.reach(folder) }
    }

    /// A failed listing that is retried after a pause.
    package struct Rest: Hashable, Codable, Sendable {
        /// Number of failed attempts.
        package var attempts: Int
        package var seconds: Double
        /// End of the pause; `nil` until the first tick.
        package var untilSeconds: Double?
        /// Whether the retry has not been ordered yet.
        package var isWaiting = true
    }

    /// A folder to list, and what to report of it.
    package struct Request: Hashable, Codable, Sendable {
        /// Relative to the root; empty for the root itself.
        package var path: Pathname
        /// Only these recordings, without subfolders; `nil` for everything.
        package var only: [Pathname]?
        /// Files that are recordings because the user named them, whatever their extensions.
        package var also: [Pathname]
        /// The folder asked for that contains it; `nil` if single recordings were asked for.
        package var top: Pathname?
        /// Whether to look for files that a crash left behind.
        package var isFirst = true
        /// Whether the earlier results of its recordings are in memory.
        ///
        /// Then the listing need not report those of recordings that exist: in very large folders,
        /// they take most of the time and memory. It still reports those of missing recordings,
        /// which decide whether a disk counts as missing.
        package var isKnown = false
        /// Whether to subscribe to changes before the folder is read.
        package var watches = false
        /// Its earlier fingerprint; if that still matches, nothing else is reported.
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
        /// The folder's fingerprint is unchanged.
        case unchanged(FolderID)
        /// The folder could not be listed.
        indirect case failed(FolderID, RecordingFailure)
        /// Change events in watched folders.
        case noticed([FileEvent])
        /// The system lost change events, because there were too many.
        case overflowed
    }

    /// The result of a listing, for the run to act on.
    package enum Outcome: Hashable, Sendable {
        /// With the events reported for the folder before the listing was ordered.
        case listed(FolderID, FolderListing, PendingEvents)
        /// The folder could not be listed, and is not retried soon.
        case failed(FolderID, RecordingFailure)
    }

    package enum Command: Hashable, Codable, Sendable {
        /// Answered by `listed`, `unchanged` or `failed`.
        case list(FolderID, Request)
        /// The folder is gone: report no more changes in it. Not answered.
        case forget(Pathname)
    }
}

/// What was found in one folder, and what an earlier run left of it.
package struct FolderListing: Hashable, Codable, Sendable {
    /// Ascending by the bytes of their names.
    package var recordings: [ScannedFile]
    /// Subfolders to scan, ascending; without hidden ones, symlinks and output folders.
    package var subfolders: [Pathname]
    /// Folders that exist only in the output, ascending: their sources are gone.
    package var lostFolders: [Pathname] = []
    /// Recordings and folders outside this run that may have outputs here, so that their names are
    /// taken.
    package var neighbours: [Pathname]
    /// Earlier work on recordings that are not in `recordings`.
    package var unseen: [PreviousWork]
    /// Recordings that filters leave out, ascending: they are neither processed nor gone, and
    /// retain the names of their outputs.
    package var leftOut: [Pathname] = []
    /// Whether filters leave out the whole folder; then nothing is known of its files.
    package var isLeftOut = false
    /// Whether the manifest is not as the record has it, or files are to be deleted.
    package var isRecovered: Bool
    /// The settings last used in the folder; `nil` if it is new.
    package var recipe: Boxed<Recipe>?
    /// The new name of a foreign file that had the manifest's name, and is not to be overwritten.
    package var setAside: Pathname?
    /// Videos that are not processed.
    package var videos = 0
    /// Files that are neither recordings nor videos.
    package var unsupported = 0
    /// Whether the folder is gone; the listing then reports what is left of it.
    package var isGone = false
    /// Evidence of whether its disk is mounted, if a whole folder was asked for.
    package var volume: MountEvidence?
    /// Fingerprint of names, sizes, times and permissions.
    package var fingerprint: UInt64 = 0
    /// Time of the listing, since 1970, UTC, by the clock that also stamps files.
    package var lookedAtNanoseconds: Int64 = 0
    /// The result of subscribing to changes; `nil` if that was not requested.
    package var watch: WatchOutcome?

    package init(
        recordings: [ScannedFile] = [], subfolders: [Pathname] = [], neighbours: [Pathname] = [],
        unseen: [PreviousWork] = [], isRecovered: Bool = false
    ) {
        self.recordings = recordings
        self.subfolders = subfolders
        self.neighbours = neighbours
        self.unseen = unseen
        self.isRecovered = isRecovered
    }
}

extension FolderListing {
    /// Whether filters leave out a recording.
    package func leavesOut(_ name: Pathname) -> Bool {
        let place = leftOut.partitioningIndex { $0 >= name }
        return isLeftOut || place < leftOut.count && leftOut[place] == name
    }

    /// Whether recordings seem to be gone.
    var isLess: Bool { unseen.contains { !leavesOut($0.entry.name) } }
}

/// One recording as a scan found it.
package struct ScannedFile: Hashable, Codable, Sendable {
    package enum Finding: Hashable, Codable, Sendable {
        case file(FileStamp)
        /// It could not be examined.
        indirect case failure(RecordingFailure)
    }

    package var name: Pathname
    package var finding: Finding
    /// Distinguishes the file from every other existing file, whatever its name.
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
    /// Whether a recording has that name; they must be ascending by name.
    package func have(_ name: Pathname) -> Bool {
        let place = partitioningIndex { $0.name >= name }
        return place < count && self[place].name == name
    }
}
