import Recordings

/// The whole run as a value: every decision is made here, and everything it knows is in `State`.
package enum JobStore {
    package struct Configuration: Hashable, Codable, Sendable {
        package var recipe: Recipe
        /// How many recordings may be worked on at once; at least 1.
        package var jobLimit: Int
        /// Say what would be done, and do nothing.
        package var isDryRun: Bool
        /// Redo what is up to date.
        package var redoesAll: Bool
        /// Whether somebody watches, so that time is worth counting.
        package var showsProgress: Bool

        package init(
            recipe: Recipe = Recipe(), jobLimit: Int = 1, isDryRun: Bool = false,
            redoesAll: Bool = false, showsProgress: Bool = false
        ) {
            precondition(jobLimit >= 1, "a run needs at least one job at a time")
            self.recipe = recipe
            self.jobLimit = jobLimit
            self.isDryRun = isDryRun
            self.redoesAll = redoesAll
            self.showsProgress = showsProgress
        }
    }

    package enum Phase: Hashable, Codable, Sendable {
        case running
        /// Asked to stop: what runs is being cancelled, nothing new starts.
        case stopping(StopSignal)
        /// As `stopping`, and the folders' manifests are being written.
        case closing(StopSignal)
        case finished(StopSignal?)
    }

    package struct State: Hashable, Codable, Sendable {
        package var configuration: Configuration
        package var phase = Phase.running
        package var scan = FolderScan.State()
        package var folders: [FolderID: Folder] = [:]
        package var jobs = JobTable()
        package var scheduler: Scheduler
        /// Manifests ordered and not yet answered.
        package var manifestsInFlight: Set<FolderID> = []
        package var failedFolders: Set<FolderID> = []
        package var summary = Summary()
        package var pace = Pace()
        /// Answers that came late, twice, or for something that is gone.
        package var ignoredAnswers = 0

        package init(configuration: Configuration) {
            self.configuration = configuration
            self.scheduler = Scheduler(limit: configuration.jobLimit)
        }
    }

    package enum Action: Hashable, Codable, Sendable {
        /// The run begins.
        case started([FolderScan.Target])
        case scan(FolderScan.Action)
        case job(RecordingID, Job.Action)
        case manifestWritten(FolderID)
        case manifestFailed(FolderID, RecordingFailure)
        case stopRequested(StopSignal)
        /// Seconds on a clock that only goes forward.
        case ticked(Double)
    }

    package enum Command: Hashable, Codable, Sendable {
        case scan(FolderScan.Command)
        case job(RecordingID, Job.Command)
        /// Answered by `manifestWritten` or `manifestFailed`.
        case writeManifest(FolderID, ManifestOrder)
        /// Ends all listening and trimming soon; each is answered by `cancelled` or as it ended.
        case cancelWork
        /// Tell the user. Not answered.
        case announce(Announcement)
        /// Nothing is left to do. Not answered.
        case finish
    }
}

/// A folder's manifest, and what has become superfluous once it is in place.
package struct ManifestOrder: Hashable, Codable, Sendable {
    /// Relative to the root.
    package var folder: Pathname
    package var recipe: Recipe
    package var entries: [ManifestEntry]
    /// Outputs of earlier runs that the new entries no longer name.
    package var obsolete: [Pathname]

    package init(
        folder: Pathname, recipe: Recipe, entries: [ManifestEntry], obsolete: [Pathname]
    ) {
        self.folder = folder
        self.recipe = recipe
        self.entries = entries
        self.obsolete = obsolete
    }
}

/// Why a run ends before its work does.
package enum StopSignal: String, Hashable, Codable, Sendable {
    /// Control-C.
    case interrupt
    case terminate
}

/// Something a user wants to hear when it happens.
package enum Announcement: Hashable, Codable, Sendable {
    /// A recording is settled.
    case settled(folder: Pathname, ManifestEntry, upToDate: Bool)
    /// In a dry run: a recording would be worked on.
    case planned(folder: Pathname, name: Pathname, Stages)
    case folderFailed(Pathname, RecordingFailure)
    case manifestFailed(folder: Pathname, RecordingFailure)
}
