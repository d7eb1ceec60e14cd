import ArgumentParser
import Dispatch
import Glibc
import Jobs
import Recordings
import ReducerKit
import Reports
import Workers

/// A run of the job store: options in, driver on, exit status out.
struct BatchRun {
    typealias RunDriver = Driver<
        JobStore.State, JobStore.Action, JobStore.Command, JobStore.Subscription
    >

    let options: WorkOptions
    /// Without the number of jobs, and whether somebody looks on.
    private let asked: JobStore.Configuration
    private let watcher: FolderWatcher?

    /// - Parameters:
    ///   - asked: what the options ask of the job store.
    ///   - watcher: what tells of changes in folders, where somebody is to.
    init(_ options: WorkOptions, _ asked: JobStore.Configuration, watcher: FolderWatcher? = nil) {
        self.options = options
        self.asked = asked
        self.watcher = watcher
    }

    /// Runs to the end, and tells the exit status by throwing it.
    func carryOut() throws {
        // A reader of our output that goes away must not take the work with it.
        signal(SIGPIPE, SIG_IGN)
        let trace = try openTrace()
        HeapTrim.limit(cores: BatchRun.cores)
        // Before any other thread is there.
        let signals = StopSignals.begin()
        try ExitStatus.end(saying: FailureText.sentence(for:)) { () throws(RunRefusal) in
            let jobs = try possibleJobs(signals)
            let places = try RunPlaces.resolve(paths: options.paths, output: options.output)
            if asked.isDryRun {
                return work(in: places, try journal(in: places), jobs, trace, signals)
            }
            let folder = try OutputFolder(places.output, root: places.root)
            let status = work(in: places, try journal(in: places), jobs, trace, signals)
            folder.release()
            return status
        }
    }

    /// Runs the job store until it says that nothing is left to do.
    private func work(
        in places: RunPlaces, _ journal: RecoveredJournal, _ jobs: Int, _ trace: TraceWriter?,
        _ signals: StopSignals?
    ) -> ExitStatus {
        // JSON lines and progress on one terminal would be neither.
        let hasOwnScreen = !(options.json && StandardStream.output.isTerminal)
        let painter = TerminalPainter(isEnabled: !options.quiet && hasOwnScreen)
        // Whoever sees the view need not read the same in lines.
        let hasView = painter.isActive && StandardStream.output.isTerminal
        let printer = RunPrinter(
            painter: painter, places: places, options: options, isDryRun: asked.isDryRun,
            tellsEvents: asked.watch != nil && !hasView)
        let reporter = WatchReporter(painter: painter, printer: printer)
        let output = SerialOutput()
        let isOver = DispatchSemaphore(value: 0)
        let interpreter = CommandInterpreter(
            places: places, journal: journal, isDryRun: asked.isDryRun, limit: options.limit,
            watcher: watcher,
            announce: { announcement in
                output {
                    reporter.note(announcement)
                    printer.announce(announcement)
                }
            },
            finish: { isOver.signal() })
        var configuration = asked
        configuration.jobLimit = jobs
        configuration.showsProgress = painter.isActive
        let watcher = watcher
        let driver = RunDriver(
            label: "tapedeck.driver",
            initialState: JobStore.State(configuration: configuration),
            reducer: reducer(tracing: trace, configuration, painter),
            subscriptions: JobStore.subscriptions(of:),
            surroundings: .init(
                interpret: { interpreter($0, $1) },
                start: { subscription, send in
                    ActionSources.start(
                        subscription, signals: signals, watcher: watcher, places: places
                    ) { action in
                        if case .ticked = action { interpreter.checkDecoders(send) }
                        send(action)
                    }
                }))
        show(driver, painter, reporter, output)
        // What is waited for is waited for from the start on.
        if asked.watch != nil { driver.send(.ticked(ActionSources.nowSeconds)) }
        driver.send(.started(places.targets, journal: journal.contents))
        isOver.wait()
        let (phase, summary) = driver.read { ($0.phase, $0.summary) }
        let status = ExitStatus(phase: phase, summary: summary)
        output.finish()
        reporter.finish()
        painter.clear()
        printer.finish(summary, phase: phase, status: status)
        return status
    }

    private func show(
        _ driver: RunDriver, _ painter: TerminalPainter, _ reporter: WatchReporter,
        _ output: SerialOutput
    ) {
        if asked.watch != nil {
            driver.observe(WatchFacts.init) { facts in output { reporter.take(facts) } }
        } else if painter.isActive {
            driver.observe(ProgressFacts.init) { facts in
                output { painter.paint { [ProgressView.line(facts, width: $0)] } }
            }
        }
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

    /// How many recordings can be worked on at once, with the files that may be open and the
    /// threads that there may be.
    private func possibleJobs(_ signals: StopSignals?) throws(RunRefusal) -> Int {
        let wanted = options.jobs ?? BatchRun.cores
        let free = OpenFileLimit.raise()
        let possible = OpenFileLimit.jobs(wanted: wanted, free: free)
        guard possible > 0 else {
            throw .tooFewOpenFiles(
                free: free, needed: OpenFileLimit.filesOfRun + OpenFileLimit.filesOfJob)
        }
        let threads =
            signals == nil ? 0 : SystemThread.available(upTo: BatchRun.threadsOfRun + possible)
        guard threads > BatchRun.threadsOfRun else {
            throw .tooFewThreads(free: threads, needed: BatchRun.threadsOfRun + 1)
        }
        return min(possible, threads - BatchRun.threadsOfRun)
    }

    /// The queues of a run that may be busy at one time, besides those for recordings.
    private static let threadsOfRun = 9

    /// How much is done at once unless the user says otherwise.
    static let cores = max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))
}

// MARK: - Trace

extension BatchRun {
    /// The file for `--trace`, opened but as it was; `nil` where none is asked for.
    private func openTrace() throws -> TraceWriter? {
        guard let trace = options.trace else { return nil }
        do throws(TraceRefusal) {
            return try TraceWriter(trace)
        } catch {
            let sentence = TraceView.sentence(for: error)
            // Somebody else's file was named: the command line is wrong, not the disk.
            if case .foreign = error { throw ValidationError(sentence) }
            StandardStream.complain(sentence)
            throw ExitStatus.couldNotRun.exitCode
        }
    }

    /// All decisions, recorded where there is a trace; without one they cost nothing more.
    private func reducer(
        tracing trace: TraceWriter?, _ configuration: JobStore.Configuration,
        _ painter: TerminalPainter
    ) -> Reducer<JobStore.State, JobStore.Action, JobStore.Command> {
        guard let trace else { return JobStore.reducer }
        trace.begin(version: Tapedeck.version, configuration) {
            painter.print("tapedeck: \(TraceView.sentence(for: $0))", to: .error)
        }
        return trace.tracing(JobStore.reducer)
    }
}
