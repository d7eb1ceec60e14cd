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
    let options: WorkOptions
    /// The requested configuration by the settings, before `jobLimit` and `showsProgress` are set.
    let asked: (Settings) -> JobStore.Configuration
    /// Reports changes in folders when watching.
    var watcher: FolderWatcher?
    /// Serves the pages of the output while watching.
    var server: ServerOrder?

    private var isDryRun: Bool { asked(Settings()).isDryRun }

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
                paths: options.paths, output: options.output, list: try options.filters.list(),
                isMoved: options.moved)
            guard try hasGapsIfNeeded(places) else { return .usage }
            if isDryRun {
                let record = try OutputRecord.forReading(of: places)
                defer { record.close() }
                return try run(in: places, record, nil, jobs, trace, signals)
            }
            let (status, aside) = try work(in: places, nil, jobs, trace, signals)
            guard let aside else { return status }
            guard mayBeginAnew, signals?.pending == nil else {
                StandardStream.complain(
                    FailureText.damagedRecord(setAside: places.shownOutput.appending(aside)))
                return status
            }
            return try work(in: places, aside, jobs, trace, signals).status
        }
    }

    /// Works once.
    /// - Parameter earlier: what a damaged record is called that the last attempt found.
    /// - Returns: also the name of a damaged record that was set aside.
    private func work(
        in places: RunPlaces, _ earlier: Pathname?, _ jobs: Int, _ trace: TraceWriter?,
        _ signals: StopSignals?
    ) throws(RunRefusal) -> (status: ExitStatus, setAside: Pathname?) {
        let folder = try OutputFolder(places.output, root: places.root, isMoved: options.moved)
        let (record, setAside) = (folder.record, folder.setAside ?? earlier)
        let outcome = Result { () throws(RunRefusal) in
            try run(in: places, record, setAside, jobs, trace, signals)
        }
        let aside = folder.closeRecord()
        folder.release()
        if aside != nil, case .failure(.recordUnreadable) = outcome {
            return (.couldNotRun, aside)
        }
        return (try outcome.get(), aside)
    }

    /// Whether a run that finds its record damaged begins anew with another; a watch is started
    /// again by whoever started it, and a trace is of one run.
    private var mayBeginAnew: Bool { watcher == nil && options.trace == nil }

    /// Runs the job store with the settings that the output remembers, changed by the options.
    private func run(
        in places: RunPlaces, _ record: OutputRecord, _ setAside: Pathname?, _ jobs: Int,
        _ trace: TraceWriter?, _ signals: StopSignals?
    ) throws(RunRefusal) -> ExitStatus {
        let change = try change(record, places)
        var configuration = asked(change.after)
        configuration.jobLimit = jobs
        // Those that are not wanted any more are removed.
        if configuration.exports == nil, (try? record.hasExports) == true {
            configuration.exports = ExportChoice()
        }
        // In a new output, there is nothing to find.
        configuration.looksForMoved =
            configuration.watch != nil
            || (!configuration.redoesAll && (try? record.hasEntries) != false)
        var places = places
        places.rules = configuration.rules
        var serving: Serving?
        if let server {
            // Nothing is changed if it cannot listen.
            serving = server.start(try ServedOutput(places, record))
            guard serving != nil else { return .couldNotRun }
        }
        defer { serving?.stop() }
        var work = BatchWork(
            configuration: configuration, places: places, record: record,
            limit: LengthLimit(hours: change.after.maxHours ?? Settings.usualMaxHours),
            signals: signals, watcher: watcher)
        // JSON lines and a progress line on the same terminal would garble each other.
        let hasOwnScreen = !(options.json && StandardStream.output.isTerminal)
        let painter = TerminalPainter(isEnabled: !options.quiet && hasOwnScreen)
        // The view already shows what event lines would repeat.
        let hasView = painter.isActive && StandardStream.output.isTerminal
        var printer = RunPrinter(
            painter: painter, places: places, record: record, options: options,
            isDryRun: isDryRun, tellsEvents: configuration.watch != nil && !hasView)
        printer.hasPages = change.after.report == true
        printer.beginsAnew = mayBeginAnew && !isDryRun && setAside == nil
        if let serving { printer.announce(serving) }
        if let setAside { printer.announceRebuilt(setAside: setAside) }
        var results: ChangedResults?
        if !SettingsText.changes(change).isEmpty, try record.hasResults(in: places) {
            let preview = ChangePreview()
            if let (phase, summary) = work.preview(preview) {
                let status = ExitStatus(phase: phase, summary: summary)
                printer.finish(summary, phase: phase, status: status)
                return status
            }
            results = try preview.results(by: configuration, record, places)
        }
        printer.announce(change, results)
        if !isDryRun { try record.set(change.after, of: places) }
        work.configuration.showsProgress = painter.isActive
        return finish(work, trace, printer, serving?.feed)
    }

    /// Works until nothing is left, and prints what happens.
    private func finish(
        _ work: BatchWork, _ trace: TraceWriter?, _ printer: RunPrinter, _ feed: ServedFeed? = nil
    ) -> ExitStatus {
        let painter = printer.painter
        let reporter = WatchReporter(painter: painter, printer: printer)
        let output = SerialOutput()
        let (phase, summary) = work.carryOut(
            reducer: reducer(tracing: trace, work.configuration, painter),
            announce: { announcement in
                output {
                    reporter.note(announcement)
                    printer.announce(announcement)
                }
            },
            observe: { driver in
                show(
                    driver, painter, reporter, output, below: work.places.shownRoot,
                    isWatch: work.configuration.watch != nil)
                feed?.tell(of: {
                    driver.read { WatchFacts($0, most: ServedFeed.mostPending, listsQueued: true) }
                })
            })
        feed?.tell(of: nil)
        let status = ExitStatus(phase: phase, summary: summary)
        output.finish()
        reporter.finish()
        painter.clear()
        printer.finish(summary, phase: phase, status: status)
        return status
    }

    private func show(
        _ driver: BatchWork.RunDriver, _ painter: TerminalPainter, _ reporter: WatchReporter,
        _ output: SerialOutput, below root: Pathname, isWatch: Bool
    ) {
        if isWatch {
            driver.observe({ WatchFacts($0) }) { facts in output { reporter.take(facts) } }
        } else if painter.isActive {
            let progress = ProgressReporter(painter: painter, root: root)
            driver.observe(ProgressFacts.init) { facts in output { progress.take(facts) } }
        }
    }

    /// The number of recordings to process at once, limited by open files and available threads.
    private func possibleJobs(_ signals: StopSignals?) throws(RunRefusal) -> Int {
        let wanted = options.jobs ?? BatchRun.cores
        var free = OpenFileLimit.raise()
        if server != nil {
            free -= OpenFileLimit.connections(free: free) * OpenFileLimit.filesOfConnection
        }
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

// MARK: - Settings

extension BatchRun {
    /// The settings that the output remembers, and these changed by the options.
    private func change(
        _ record: OutputRecord, _ places: RunPlaces
    ) throws(RunRefusal) -> SettingsChange {
        SettingsChange(
            try record.settings(of: places), given: options.given, forgets: options.defaults)
    }

    /// Whether inner silences are cut if an option for them is given; complains otherwise, before
    /// an output is made.
    private func hasGapsIfNeeded(_ places: RunPlaces) throws(RunRefusal) -> Bool {
        guard options.given.optionWithoutGaps != nil else { return true }
        let record = try OutputRecord.forReading(of: places)
        defer { record.close() }
        guard let option = try change(record, places).after.optionWithoutGaps else { return true }
        StandardStream.complain(FailureText.sentence(forOptionWithoutGaps: option))
        return false
    }
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
