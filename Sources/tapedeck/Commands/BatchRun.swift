import ArgumentParser
import Dispatch
import Glibc
import Jobs
import Recordings
import ReducerKit
import Reports
import Workers

/// Runs the job store with the user's options, and ends with an exit status.
struct BatchRun {
    typealias RunDriver = Driver<
        JobStore.State, JobStore.Action, JobStore.Command, JobStore.Subscription
    >

    let options: WorkOptions
    /// The requested configuration, before `jobLimit` and `showsProgress` are set.
    private let asked: JobStore.Configuration
    private let watcher: FolderWatcher?

    /// - Parameters:
    ///   - asked: the configuration that the options request.
    ///   - watcher: reports changes in folders when watching.
    init(_ options: WorkOptions, _ asked: JobStore.Configuration, watcher: FolderWatcher? = nil) {
        self.options = options
        self.asked = asked
        self.watcher = watcher
    }

    /// Runs to the end and throws the exit status.
    func carryOut() throws {
        // If the reader of our output exits, the run continues.
        signal(SIGPIPE, SIG_IGN)
        let trace = try openTrace()
        HeapTrim.limit(cores: BatchRun.cores)
        // Before any other thread starts.
        let signals = StopSignals.begin()
        try ExitStatus.end(saying: FailureText.sentence(for:)) { () throws(RunRefusal) in
            let jobs = try possibleJobs(signals)
            let places = try RunPlaces.resolve(
                paths: options.paths, output: options.output, rules: options.input.rules)
            if asked.isDryRun {
                let record = try OutputRecord.forReading(of: places)
                defer { record.close() }
                return work(in: places, record, nil, jobs, trace, signals)
            }
            let folder = try OutputFolder(places.output, root: places.root)
            let status = work(in: places, folder.record, folder.setAside, jobs, trace, signals)
            if let aside = folder.closeRecord() {
                let path = places.shownOutput.appending(aside)
                StandardStream.complain(FailureText.damagedRecord(setAside: path))
            }
            folder.release()
            return status
        }
    }

    /// Runs the job store until no work is left.
    private func work(
        in places: RunPlaces, _ record: OutputRecord, _ setAside: Pathname?,
        _ jobs: Int, _ trace: TraceWriter?, _ signals: StopSignals?
    ) -> ExitStatus {
        // JSON lines and a progress line on the same terminal would garble each other.
        let hasOwnScreen = !(options.json && StandardStream.output.isTerminal)
        let painter = TerminalPainter(isEnabled: !options.quiet && hasOwnScreen)
        // The view already shows what event lines would repeat.
        let hasView = painter.isActive && StandardStream.output.isTerminal
        let printer = RunPrinter(
            painter: painter, places: places, record: record, options: options,
            isDryRun: asked.isDryRun, tellsEvents: asked.watch != nil && !hasView)
        let reporter = WatchReporter(painter: painter, printer: printer)
        let output = SerialOutput()
        if let setAside { output { printer.announceRebuilt(setAside: setAside) } }
        let isOver = DispatchSemaphore(value: 0)
        let interpreter = CommandInterpreter(
            places: places, record: record, isDryRun: asked.isDryRun, limit: options.limit,
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
        // Waiting times count from the start of the run.
        if asked.watch != nil { driver.send(.ticked(ActionSources.nowSeconds)) }
        driver.send(.started(places.targets))
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

    /// The number of recordings to process at once, limited by open files and available threads.
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

    /// The maximum number of busy queues of a run besides those for recordings.
    private static let threadsOfRun = 9

    /// The default number of jobs: the number of online CPU cores.
    static let cores = max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))
}

// MARK: - Trace

extension BatchRun {
    /// The file for `--trace`, opened but unchanged; `nil` without that option.
    private func openTrace() throws -> TraceWriter? {
        guard let trace = options.trace else { return nil }
        do throws(TraceRefusal) {
            return try TraceWriter(trace)
        } catch {
            let sentence = TraceView.sentence(for: error)
            // The file is not a trace: a usage error, not a disk error.
            if case .foreign = error { throw ValidationError(sentence) }
            StandardStream.complain(sentence)
            throw ExitStatus.couldNotRun.exitCode
        }
    }

    /// The reducer, with tracing if there is a trace; without one it costs nothing more.
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
