import ArgumentParser
import Dispatch
import Jobs
import Recordings
import ReducerKit
import TerminalView
import Workers

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// `tapedeck run`: options in, driver on, exit status out.
struct RunCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run",
        abstract: "Draws waveforms, measures, finds silence, trims, and writes manifests.",
        discussion: """
            Folders are taken with everything below them. Originals are only ever read. The output \
            mirrors the folders: for A/b.wav it holds A/b.wav.dat (waveform), A/b.wav (trimmed \
            copy, where something was cut) and A/manifest.json. What is up to date is not done \
            again.

            Exit status: 0 all well, 1 could not run or go on, 3 some recordings failed (the others are \
            done), 64 wrong usage, 130 interrupted, 143 terminated.
            """)

    @Argument(help: ArgumentHelp("Folders and recordings.", valueName: "path"))
    var paths: [String]

    @Option(
        help: ArgumentHelp(
            "Folder for the results. (default: tapedeck in the deepest folder that holds all"
                + " paths)", valueName: "dir"))
    var output: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Recordings worked on at once. (default: the number of cores)", valueName: "n"))
    var jobs: Int?

    @Flag(help: "Say what would be done, and write nothing.")
    var dryRun = false

    @Flag(help: "Say of each recording that is not up to date why.")
    var explain = false

    @Flag(help: "Do again what is up to date.")
    var force = false

    @Flag(help: "Try again what failed before, though nothing has changed.")
    var retryFailed = false

    @Flag(help: "Remove what was made of recordings that are gone.")
    var prune = false

    @Flag(help: "Record the SHA-256 of each recording too, for verify.")
    var checksums = false

    @Flag(help: "Print a JSON object a line for each recording, and a last one with the summary.")
    var json = false

    @Flag(help: "Print neither progress nor a summary in words; failures are still told.")
    var quiet = false

    @Option(
        help: ArgumentHelp(
            "Record there every action and the commands it led to, for tapedeck replay.",
            valueName: "file"))
    var trace: String?

    @OptionGroup(title: "What is made")
    var batch: BatchOptions

    func validate() throws {
        guard !paths.isEmpty else {
            throw ValidationError("name at least one folder or recording")
        }
        try requireJobs(jobs)
        guard !paths.contains(""), output != "", trace != "" else {
            throw ValidationError("a path cannot be empty; write . for this folder")
        }
    }

    func run() throws {
        // A reader of our output that goes away must not take the work with it.
        signal(SIGPIPE, SIG_IGN)
        // A limit on the size of files is to be a full disk, not the end of the process.
        signal(SIGXFSZ, SIG_IGN)
        let arguments = RawArguments()
        let trace = try openTrace(arguments)
        let status: ExitStatus
        do throws(RunRefusal) {
            let jobs = try possibleJobs()
            let places = try RunPlaces.resolve(
                paths: arguments.paths(for: paths), output: output.map(arguments.path))
            if dryRun {
                status = work(in: places, try journal(in: places), jobs, trace)
            } else {
                let folder = try OutputFolder(places.output, root: places.root)
                status = work(in: places, try journal(in: places), jobs, trace)
                folder.release()
            }
        } catch {
            StandardStream.error.write("tapedeck: \(FailureText.sentence(for: error))\n")
            status = .couldNotRun
        }
        throw ExitCode(status.rawValue)
    }

    /// Runs the job store until it says that nothing is left to do.
    private func work(
        in places: RunPlaces, _ journal: RecoveredJournal, _ jobs: Int, _ trace: TraceWriter?
    ) -> ExitStatus {
        // JSON lines and progress on one terminal would be neither.
        let hasOwnScreen = !(json && StandardStream.output.isTerminal)
        let painter = TerminalPainter(isEnabled: !quiet && hasOwnScreen)
        let printer: any RunPrinter =
            json
            ? JSONLinesPrinter(painter: painter, places: places)
            : TextPrinter(
                painter: painter, places: places, quiet: quiet, isDryRun: dryRun, explains: explain)
        let isOver = DispatchSemaphore(value: 0)
        let interpreter = CommandInterpreter(
            places: places, journal: journal, isDryRun: dryRun,
            announce: { printer.announce($0) },
            finish: { isOver.signal() })
        let configuration = configuration(jobs: jobs, showsProgress: painter.isActive)
        let driver = Driver(
            label: "tapedeck.driver",
            initialState: JobStore.State(configuration: configuration),
            reducer: reducer(tracing: trace, configuration, painter),
            subscriptions: JobStore.subscriptions(of:),
            surroundings: .init(
                interpret: { interpreter($0, $1) },
                start: { ActionSources.start($0, send: $1) }))
        if painter.isActive {
            driver.observe(ProgressFacts.init) { painter.paint($0) }
        }
        driver.send(.started(places.targets, journal: journal.contents))
        isOver.wait()
        let (phase, summary) = driver.read { ($0.phase, $0.summary) }
        let status = ExitStatus(phase: phase, summary: summary)
        painter.clear()
        printer.finish(summary, phase: phase, status: status)
        return status
    }

    /// What a run that did not come to its end has left.
    private func journal(in places: RunPlaces) throws(RunRefusal) -> RecoveredJournal {
        do throws(FileSystemError) {
            return try RecoveredJournal.read(in: places.output)
        } catch {
            throw .journalUnreadable(
                places.output, detail: error.isLaterJournal ? nil : error.detail)
        }
    }

    /// How many recordings can be worked on at once with the files that may be open.
    private func possibleJobs() throws(RunRefusal) -> Int {
        let free = OpenFileLimit.raise()
        let possible = OpenFileLimit.jobs(wanted: jobs ?? RunCommand.cores, free: free)
        guard possible > 0 else {
            throw .tooFewOpenFiles(
                free: free, needed: OpenFileLimit.filesOfRun + OpenFileLimit.filesOfJob)
        }
        return possible
    }

    /// What the options ask of the job store.
    func configuration(jobs: Int, showsProgress: Bool) -> JobStore.Configuration {
        var configuration = JobStore.Configuration(
            recipe: batch.recipe, jobLimit: jobs,
            isDryRun: dryRun, redoesAll: force, showsProgress: showsProgress)
        configuration.retriesFailed = retryFailed
        configuration.wantsChecksums = checksums
        configuration.prunesMissing = prune
        configuration.explains = explain
        return configuration
    }

    /// How much is done at once unless the user says otherwise.
    static var cores: Int { max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) }
}

/// Refuses numbers of jobs that make no sense.
func requireJobs(_ jobs: Int?) throws {
    if let jobs, !(1...1024).contains(jobs) {
        throw ValidationError("--jobs takes 1 to 1024, not \(jobs)")
    }
}
