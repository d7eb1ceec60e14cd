import Recordings
import ReducerKit

/// The whole run as a value: every decision is made here, and everything it knows is in `State`.
package enum JobStore {
    package struct Configuration: Hashable, Codable, Sendable {
        package var recipe: Boxed<Recipe>
        /// How many recordings may be worked on at once; at least 1.
        package var jobLimit: Int
        /// Say what would be done, and do nothing.
        package var isDryRun: Bool
        /// Redo what is up to date.
        package var redoesAll: Bool
        /// Try again what failed, though nothing has changed.
        package var retriesFailed = false
        /// Record the digests of sources.
        package var wantsChecksums = false
        /// Remove what was made of recordings that are gone.
        package var prunesMissing = false
        /// Say of every recording that is not up to date why.
        package var explains = false
        /// Whether somebody looks on, so that time is worth counting.
        package var showsProgress: Bool
        /// What keeps the run going on once all is done; `nil` where it ends then.
        package var watch: WatchPolicy?

        package init(
            recipe: Recipe = Recipe(), jobLimit: Int = 1, isDryRun: Bool = false,
            redoesAll: Bool = false, showsProgress: Bool = false
        ) {
            precondition(jobLimit >= 1, "a run needs at least one job at a time")
            self.recipe = Boxed(recipe)
            self.jobLimit = jobLimit
            self.isDryRun = isDryRun
            self.redoesAll = redoesAll
            self.showsProgress = showsProgress
        }
    }

    package enum Phase: Hashable, Codable, Sendable {
        case running
        /// Asked to stop: what runs is being cancelled, nothing new starts.
        case stopping(StopReason)
        /// All work is over; the last manifests are being written, and then the journal goes.
        case closing(StopReason?)
        case finished(StopReason?)
    }

    package struct State: Hashable, Codable, Sendable {
        package var configuration: Configuration
        package var phase = Phase.running
        package var scan = FolderScan.State()
        package var folders = FolderTable()
        package var jobs = JobTable()
        package var scheduler: Scheduler
        package var commit = Commit.State()
        package var journal = JournalState()
        /// Manifests ordered and not yet answered.
        package var manifestsInFlight: Set<FolderID> = []
        package var failedFolders: Set<FolderID> = []
        package var summary = Summary()
        package var pace = Pace()
        /// Other settings of earlier work that were told of.
        package var toldSettings: Set<StaleReason> = []
        /// Answers that came late, twice, or for something that is gone.
        package var ignoredAnswers = 0

        package init(configuration: Configuration) {
            self.configuration = configuration
            self.scheduler = Scheduler(limit: configuration.jobLimit)
            self.scan.watch = configuration.watch.map(Watch.init)
        }

        /// What there is to know because the run goes on; `nil` where it ends once all is done.
        package var watch: Watch? {
            _read { yield scan.watch }
            _modify { yield &scan.watch }
        }
    }

    /// The large cases are boxed, so that actions are cheap to hand from reducer to reducer.
    package enum Action: Hashable, Codable, Sendable {
        /// The run begins.
        indirect case started([FolderScan.Target], journal: JournalContents)
        case scan(FolderScan.Action)
        case job(RecordingID, Job.Action)
        case commit(Commit.Action)
        /// Of what was superfluous, these files stay: they are not as they were written.
        case manifestWritten(FolderID, spared: [Pathname] = [])
        indirect case manifestFailed(FolderID, RecordingFailure)
        case journalClosed
        indirect case journalFailed(RecordingFailure)
        case stopRequested(StopSignal)
        /// Seconds on a clock that only goes forward.
        case ticked(Double)
    }

    package enum Command: Hashable, Codable, Sendable {
        case scan(FolderScan.Command)
        case job(RecordingID, Job.Command)
        case commit(Commit.Command)
        /// Answered by `manifestWritten` or `manifestFailed`.
        indirect case writeManifest(FolderID, ManifestOrder)
        /// The manifests hold everything: forget the journal, but for what it says of these
        /// folders. Answered by `journalClosed` or `journalFailed`.
        case closeJournal(keeping: [Pathname])
        /// Ends all passes soon; each is answered by `cancelled` or as it ended.
        case cancelWork
        /// Tell the user. Not answered.
        case announce(Announcement)
        /// Nothing is left to do. Not answered.
        case finish
    }
}

/// What a run found in the journal of one that did not come to its end.
package struct JournalContents: Hashable, Codable, Sendable {
    /// Folders that it says something of, relative to the root.
    package var folders: [Pathname]
    /// Numbers of the lines, from 1, that cannot be believed.
    package var damagedLines: [Int]
    /// Whether there is a journal, if only a line that was never finished.
    package var isThere: Bool

    package init(folders: [Pathname] = [], damagedLines: [Int] = [], isThere: Bool = false) {
        self.isThere = isThere
        self.folders = folders
        self.damagedLines = damagedLines
    }
}

/// What is known of the journal.
package struct JournalState: Hashable, Codable, Sendable {
    /// Whether there is one, with something in it that may have become superfluous.
    package var isThere = false
    /// Outcomes recorded since it was last put away.
    package var recorded = 0
    /// Whether it is being put away for good.
    package var isClosing = false
    /// Whether it is being put away while the run goes on.
    package var isTidying = false
    /// Folders whose manifests could not be written, so that the journal is all there is.
    package var unwritten: Set<FolderID> = []
}

/// A folder's manifest, and what has become superfluous once it is in place.
package struct ManifestOrder: Hashable, Codable, Sendable {
    /// Relative to the root.
    package var folder: Pathname
    package var recipe: Boxed<Recipe>
    /// Ascending by name, as they are written.
    package var entries: [SettledEntry]
    /// Earlier outputs that the new entries no longer name; the journal tells of them.
    package var obsolete: [Pathname]
    /// Outputs of which only the manifest tells, which go before it no longer names them: what is
    /// named and not there is no loss, and what is there and not named would stay for ever.
    package var leaving: [Pathname]
    /// Whether the folder is gone, and all that was made of what was in it: the manifest goes too.
    package var isLast: Bool

    package init(
        folder: Pathname, recipe: Boxed<Recipe>, entries: [SettledEntry],
        obsolete: [Pathname] = [], leaving: [Pathname] = [], isLast: Bool = false
    ) {
        self.obsolete = obsolete
        self.leaving = leaving
        self.isLast = isLast
        self.folder = folder
        self.recipe = recipe
        self.entries = entries.sortedByName()
    }
}

/// What asks a run to end before its work is done.
package enum StopSignal: String, Hashable, Codable, Sendable {
    /// Control-C.
    case interrupt
    case terminate
    /// The terminal was closed, or the line to it is down.
    case hangUp
}

/// Why a run ends before its work is done.
package enum StopReason: Hashable, Codable, Sendable {
    case interrupt
    case terminate
    case hangUp
    /// Nothing can be written any more.
    case trouble(RecordingFailure)

    package init(_ signal: StopSignal) {
        switch signal {
        case .interrupt: self = .interrupt
        case .terminate: self = .terminate
        case .hangUp: self = .hangUp
        }
    }

    package var isTrouble: Bool {
        if case .trouble = self { true } else { false }
    }
}

/// Something a user wants to hear when it happens.
package enum Announcement: Hashable, Codable, Sendable {
    /// A recording is settled. One that failed and is up to date failed before, and was not tried
    /// again.
    case settled(folder: Pathname, SettledEntry, upToDate: Bool)
    /// In a dry run: a recording would be worked on.
    case planned(folder: Pathname, name: Pathname, Stages)
    /// Why a recording is not up to date.
    case explained(folder: Pathname, name: Pathname, [StaleReason])
    /// What there is was asked for otherwise, and will be replaced or removed. Told once, and not
    /// where each recording is explained.
    case settingsChanged([StaleReason])
    indirect case folderFailed(Pathname, RecordingFailure)
    indirect case manifestFailed(folder: Pathname, RecordingFailure)
    /// The run cannot go on.
    indirect case stopped(RecordingFailure)
    /// Lines of the journal of an earlier run that cannot be believed.
    case journalDamaged(lines: [Int])
    /// A folder's manifest could not be read, and is kept under another name.
    case manifestSetAside(folder: Pathname, name: Pathname)
    /// A recording is not complete; it is waited for. There is a failure once it was tried.
    indirect case awaited(folder: Pathname, name: Pathname, RecordingFailure?)
    /// A recording is gone, and what was made of it, if anything was, stays; or is removed, where
    /// that was asked for.
    case missing(folder: Pathname, name: Pathname, pruned: Bool)
    /// A file that nothing names any more stays in the output: it is not as it was written.
    case spared(folder: Pathname, name: Pathname)
    /// A recording was renamed or moved, and what was made of it moves with it.
    case moved(folder: Pathname, name: Pathname, newFolder: Pathname, newName: Pathname)
    /// The system does not tell of changes in a folder: it is looked at now and then instead.
    case polled(folder: Pathname, WatchOutcome)
    /// The journal could not be put away; the next run will find it.
    indirect case journalFailed(RecordingFailure)
}
