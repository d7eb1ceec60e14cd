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
    let asked: (OutputSettings) -> JobStore.Configuration
    /// Reports changes in folders when watching.
    var watcher: FolderWatcher?
    /// Serves the pages of the output while watching.
    var server: ServerOrder?
    /// Whom to tell what happens while watching.
    var tell: TellOptions?
    /// What to process again, with the settings that the output remembers.
    var repair: OutputRepair?
    /// The part of the recordings to work on; `nil` for all.
    var shard: Shard?
    /// The settings of the plan that a shard is of.
    var planned: OutputSettings?
    /// Merges shards into the record once it is open, and says what to go over, with the settings
    /// that the output remembers.
    var merging: ((OutputRecord) throws(RunRefusal) -> [FolderScan.Target])?

    private var isDryRun: Bool { asked(OutputSettings()).isDryRun }

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
                paths: options.paths, output: options.output,
                list: try list(), isMoved: options.repeats.moved)
            guard let file = try settingsFile(places) else { return .usage }
            if let shard {
                return try work(on: shard, in: places, file, jobs, trace, signals)
            }
            if merging == nil { try ShardPlan.requireNone(in: places.output) }
            if isDryRun {
                let record = try OutputRecord.forReading(of: places)
                defer { record.close() }
                return try run(in: places, file, record, nil, jobs, trace, signals)
            }
            let (status, aside) = try work(in: places, file, nil, jobs, trace, signals)
            guard let aside else { return status }
            guard mayBeginAnew, signals?.pending == nil else {
                StandardStream.complain(
                    FailureText.damagedRecord(setAside: places.shownOutput.appending(aside)))
                return status
            }
            return try work(in: places, file, aside, jobs, trace, signals).status
        }
    }

    private func list() throws(RunRefusal) -> PathList? {
        if let repair { return PathList(repair.recordings) }
        return try options.results.filters.list()
    }

    /// Works once.
    /// - Parameter earlier: what a damaged record is called that the last attempt found.
    /// - Returns: also the name of a damaged record that was set aside.
    private func work(
        in places: RunPlaces, _ file: RunSettingsFile, _ earlier: Pathname?, _ jobs: Int,
        _ trace: TraceWriter?, _ signals: StopSignals?
    ) throws(RunRefusal) -> (status: ExitStatus, setAside: Pathname?) {
        let folder = try OutputFolder(
            places.output, root: places.root, isMoved: options.repeats.moved)
        let (record, setAside) = (folder.record, folder.setAside ?? earlier)
        let outcome = Result { () throws(RunRefusal) in
            var places = places
            if let merging {
                places = RunPlaces(
                    root: places.root, output: places.output, targets: try merging(record))
            }
            return try run(in: places, file, record, setAside, jobs, trace, signals)
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
    func run(
        in places: RunPlaces, _ file: RunSettingsFile, _ record: OutputRecord,
        _ setAside: Pathname?, _ jobs: Int, _ trace: TraceWriter?, _ signals: StopSignals?
    ) throws(RunRefusal) -> ExitStatus {
        let change = try change(record, places, file)
        var isCaged = true
        if change.after.usual.isolate == true { isCaged = try Isolation.begin() }
        var configuration = asked(change.after)
        configuration.jobLimit = jobs
        let shardExports = leaveExports(&configuration, places, record)
        // In a new output, there is nothing to find.
        configuration.looksForMoved =
            places.shard == nil
            && (configuration.watch != nil
                || (!configuration.redoesAll && (try? record.hasEntries) != false))
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
            limit: LengthLimit(hours: change.after.usual.maxHours ?? Settings.usualMaxHours),
            signals: signals, watcher: watcher)
        work.shardExports = shardExports
        // JSON lines and a progress line on the same terminal would garble each other.
        let hasOwnScreen = !(options.json && StandardStream.output.isTerminal)
        let painter = TerminalPainter(
            isEnabled: !options.quiet && hasOwnScreen, color: options.color ?? .auto,
            stamped: logStreams(configuration))
        // The view already shows what event lines would repeat.
        let hasView = painter.isActive && StandardStream.output.isTerminal
        var printer = RunPrinter(
            painter: painter, places: places, record: record, options: options,
            isDryRun: isDryRun,
            tellsEvents: options.verbose || (configuration.watch != nil && !hasView))
        printer.hasPages = change.after.usual.report == true && places.shard == nil
        printer.beginsAnew =
            mayBeginAnew && !isDryRun && setAside == nil && places.shard == nil
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
        printer.announce(change, file, results)
        if !isCaged, !options.quiet { printer.announceUncaged() }
        if !isDryRun {
            try repair?.discardExports()
            try record.set(change.after, of: places)
            if repair == nil, merging == nil, places.shard == nil {
                try record.note(places, isList: options.results.filters.filesFrom != nil)
            }
        }
        work.configuration.showsProgress = painter.isActive
        let teller = tell.map {
            WatchTeller(
                $0, painter, places,
                settings: options.source.path(in: places.root))
        }
        return finish(work, trace, printer, serving?.feed, teller)
    }

    /// Works until nothing is left, and prints what happens.
    private func finish(
        _ work: BatchWork, _ trace: TraceWriter?, _ printer: RunPrinter, _ feed: ServedFeed?,
        _ teller: WatchTeller?
    ) -> ExitStatus {
        let painter = printer.painter
        let reporter = WatchReporter(painter: painter, printer: printer)
        let output = SerialOutput()
        let (phase, summary, facts) = work.carryOut(
            reducer: reducer(tracing: trace, work.configuration, painter),
            announce: { announcement in
                output {
                    reporter.note(announcement)
                    printer.announce(announcement)
                    teller?.note(announcement) { printer.event(announcement) }
                }
            },
            observe: { driver in
                teller?.begin { driver.read { WatchFacts($0) } }
                show(
                    driver, painter, reporter, output, below: work.places.shownRoot,
                    isWatch: work.configuration.watch != nil)
                feed?.tell(of: {
                    driver.read { WatchFacts($0, most: ServedFeed.mostPending, listsQueued: true) }
                })
            })
        feed?.tell(of: nil)
        let status = ExitStatus(
            phase: phase, summary: summary, isWatch: work.configuration.watch != nil)
        output.finish()
        teller?.finish(facts)
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
