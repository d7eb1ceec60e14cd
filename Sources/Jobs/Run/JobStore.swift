import Recordings
import ReducerKit

/// The whole run as a value: every decision is made here, and everything it knows is in `State`.
package enum JobStore {
    package struct Configuration: Hashable, Codable, Sendable {
        package var recipes: Recipes
        /// Maximum number of recordings processed at once; at least 1.
        package var jobLimit: Int
        /// Say what would be done, and do nothing.
        package var isDryRun: Bool
        /// Redo what is up to date.
        package var redoesAll: Bool
        /// Retry failed recordings even if nothing has changed.
        package var retriesFailed = false
        /// Whether a recording fails that could be used in part.
        package var isStrict = false
        package var rules = InputRules()
        /// Record checksums of the sources.
        package var wantsChecksums = false
        /// Look for results that a new recording may have under another name.
        package var looksForMoved = false
        /// Delete the outputs of recordings that are gone.
        package var prunesMissing = false
        /// What to keep up to date with the results; `nil` if nothing was or is wanted.
        package var exports: ExportChoice?
        /// Explain why each recording is reprocessed.
        package var explains = false
        /// Whether progress is shown, which needs clock ticks.
        package var showsProgress: Bool
        /// How to watch for changes once all work is done; `nil` to end the run then.
        package var watch: WatchPolicy?

        package init(
            recipe: Recipe = Recipe(), jobLimit: Int = 1, isDryRun: Bool = false,
            redoesAll: Bool = false, showsProgress: Bool = false
        ) {
            precondition(jobLimit >= 1, "a run needs at least one job at a time")
            self.recipes = Recipes(recipe)
            self.jobLimit = jobLimit
            self.isDryRun = isDryRun
            self.redoesAll = redoesAll
            self.showsProgress = showsProgress
        }
    }

    package enum Phase: Hashable, Codable, Sendable {
        case running
        /// Stop requested: running jobs are being cancelled, and no new one starts.
        case stopping(StopReason)
        /// All work is over: the last manifests are being written.
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
        /// Folders whose manifests could not be written; only the record has their results.
        package var unwritten: Set<FolderID> = []
        /// Manifests ordered and not yet answered.
        package var manifestsInFlight: Set<FolderID> = []
        package var failedFolders: Set<FolderID> = []
        /// `nil` if there is nothing to keep up to date.
        package internal(set) var exports: ExportUpkeep?
        package var summary = Summary()
        package var pace = Pace()
        /// By folder: names that recordings no longer have, and what they were, until its next
        /// listing.
        package var movedAway: [Pathname: [Pathname: FileStamp]] = [:]
        /// Settings changes that were already announced.
        package var toldSettings: Set<StaleReason> = []
        /// Number of answers ignored as late, duplicated, or for something that is gone.
        package var ignoredAnswers = 0

        package init(configuration: Configuration) {
            self.configuration = configuration
            self.scheduler = Scheduler(limit: configuration.jobLimit)
            self.scan.watch = configuration.watch.map(Watch.init)
            if configuration.exports != nil, !configuration.isDryRun { exports = ExportUpkeep() }
        }

        /// The state of the watch; `nil` if the run ends once all work is done.
        package var watch: Watch? {
            _read { yield scan.watch }
            _modify { yield &scan.watch }
        }
    }

    /// The large cases are boxed, so that actions are cheap to hand from reducer to reducer.
    package enum Action: Hashable, Codable, Sendable {
        /// The run begins.
        case started([FolderScan.Target])
        case scan(FolderScan.Action)
        case job(RecordingID, Job.Action)
        case commit(Commit.Action)
        /// `spared` are superfluous files that were not deleted, because they were modified.
        case manifestWritten(FolderID, spared: [Pathname] = [])
        indirect case manifestFailed(FolderID, RecordingFailure)
        indirect case exported(ExportReport)
        case stopRequested(StopSignal)
        /// Seconds on a monotonic clock.
        case ticked(Double)
    }

    package enum Command: Hashable, Codable, Sendable {
        case scan(FolderScan.Command)
        case job(RecordingID, Job.Command)
        case commit(Commit.Command)
        /// Answered by `manifestWritten` or `manifestFailed`.
        indirect case writeManifest(FolderID, ManifestOrder)
        /// Bring exports and split files up to date. Answered by `exported`.
        case export(ExportChoice)
        /// Cancel all passes; each answers `cancelled`, or with its result.
        case cancelWork
        /// Tell the user. Not answered.
        case announce(Announcement)
        /// Nothing is left to do. Not answered.
        case finish
    }
}

/// A folder's manifest to print from the record, after these changes to it; then obsolete outputs
/// are deleted.
package struct ManifestOrder: Hashable, Codable, Sendable {
    /// Relative to the root.
    package var folder: Pathname
    package var recipe: Boxed<Recipe>
    /// By the name of the recording.
    package var changes: [Pathname: RecordChange]
    /// Whether the folder and all its outputs are gone, so that the manifest is deleted too.
    package var isLast: Bool

    package init(
        folder: Pathname, recipe: Boxed<Recipe>, changes: [Pathname: RecordChange] = [:],
        isLast: Bool = false
    ) {
        self.folder = folder
        self.recipe = recipe
        self.changes = changes
        self.isLast = isLast
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

/// An event to report to the user when it happens.
package enum Announcement: Hashable, Codable, Sendable {
    /// A recording is settled; a failed one that is up to date failed before and was not retried.
    ///
    /// With its whole entry, unless nothing was done for it: the record has it then.
    case settled(folder: Pathname, SettledEntry, Boxed<ManifestEntry>? = nil, upToDate: Bool)
    /// In a dry run: a recording would be processed.
    case planned(folder: Pathname, name: Pathname, Stages)
    /// Why a recording is not up to date.
    case explained(folder: Pathname, name: Pathname, [StaleReason])
    /// Earlier outputs have other settings and will be regenerated or deleted; announced once, and
    /// not if each recording is explained.
    case settingsChanged([StaleReason])
    indirect case folderFailed(Pathname, RecordingFailure)
    indirect case manifestFailed(folder: Pathname, RecordingFailure)
    /// The run cannot go on.
    indirect case stopped(RecordingFailure)
    /// A file that is not a manifest of this program had a manifest's name, and was renamed to
    /// `name`.
    case manifestSetAside(folder: Pathname, name: Pathname)
    /// A recording is incomplete and waited for; the failure is set once it was tried.
    indirect case awaited(folder: Pathname, name: Pathname, RecordingFailure?)
    /// A recording is gone; its outputs, if there are any, are retained, or deleted if `pruned`.
    case missing(folder: Pathname, name: Pathname, pruned: Bool)
    /// A file in the output that nothing names any more is retained: it was modified.
    case spared(folder: Pathname, name: Pathname)
    /// An export or split file could not be written, or lacks a recording.
    indirect case exportTrouble(ExportTrouble)
    /// A recording was renamed or moved, and its outputs move with it.
    case moved(folder: Pathname, name: Pathname, newFolder: Pathname, newName: Pathname)
    /// The system reports no changes in a folder: it is polled instead.
    case polled(folder: Pathname, WatchOutcome)
}
