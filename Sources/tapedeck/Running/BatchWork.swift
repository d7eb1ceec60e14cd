import Dispatch
import Jobs
import Recordings
import ReducerKit
import Reports
import Synchronization
import Workers

/// The job store with all that it needs, run until no work is left.
struct BatchWork {
    typealias RunDriver = Driver<
        JobStore.State, JobStore.Action, JobStore.Command, JobStore.Subscription
    >

    var configuration: JobStore.Configuration
    let places: RunPlaces
    let record: OutputRecord
    let limit: LengthLimit
    let signals: StopSignals?
    let watcher: FolderWatcher?
    /// The exports for which a shard keeps what it decodes.
    var shardExports: ExportChoice?

    /// How often a preview looks for stop signals.
    private static let lookSeconds = 0.05

    /// - Parameters:
    ///   - announce: shows a message to the user.
    ///   - observe: called with the driver before it starts.
    func carryOut(
        reducer: Reducer<JobStore.State, JobStore.Action, JobStore.Command>,
        announce: @escaping @Sendable (Announcement) -> Void, observe: (RunDriver) -> Void
    ) -> (phase: JobStore.Phase, summary: Summary, facts: WatchFacts) {
        let isOver = DispatchSemaphore(value: 0)
        let (places, signals, watcher) = (places, signals, watcher)
        let interpreter = CommandInterpreter(
            places: places, record: record, isDryRun: configuration.isDryRun, limit: limit,
            exports: shardExports ?? configuration.exports, watcher: watcher, announce: announce,
            finish: { isOver.signal() })
        let driver = RunDriver(
            label: "tapedeck.driver",
            initialState: JobStore.State(configuration: configuration),
            reducer: reducer,
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
        observe(driver)
        // Waiting times count from the start of the run.
        if configuration.watch != nil { driver.send(.ticked(ActionSources.nowSeconds)) }
        driver.send(.started(places.targets))
        isOver.wait()
        return driver.read { ($0.phase, $0.summary, WatchFacts($0)) }
    }

    /// Plans the work in a silent dry run.
    ///
    /// It only looks for stop signals: those that it misses stop the run itself.
    /// - Returns: how far it came if the run was stopped meanwhile.
    func preview(_ preview: ChangePreview) -> (phase: JobStore.Phase, summary: Summary)? {
        var configuration = configuration
        configuration.isDryRun = true
        configuration.explains = false
        configuration.watch = nil
        let work = BatchWork(
            configuration: configuration, places: places, record: record, limit: limit,
            signals: nil, watcher: nil)
        let timer = DispatchSource.makeTimerSource()
        defer { timer.cancel() }
        let (phase, summary, _) = work.carryOut(
            reducer: JobStore.reducer, announce: preview.note,
            observe: { [signals] driver in
                timer.schedule(deadline: .now(), repeating: BatchWork.lookSeconds)
                timer.setEventHandler {
                    if let signal = signals?.pending { driver.send(.stopRequested(signal)) }
                }
                timer.activate()
            })
        guard case .finished(.some) = phase else { return nil }
        return (phase, summary)
    }
}

/// Collects what a dry run announces, to say what happens to the results of an output.
final class ChangePreview: Sendable {
    private struct State {
        var results = ChangedResults()
        /// By folder and name.
        var planned: [Pathname: [Pathname: Stages]] = [:]
    }

    private let state = Mutex(State())

    func note(_ announcement: Announcement) {
        state.withLock { state in
            switch announcement {
            case .settled(_, let entry, _, upToDate: true): state.results.keep(entry)
            case .planned(let folder, let name, let stages):
                state.planned[folder, default: [:]][name] = stages
            case .missing(_, _, pruned: true): state.results.pruned += 1
            default: break
            }
        }
    }

    /// The numbers, once the dry run is over.
    func results(
        by configuration: JobStore.Configuration, _ record: OutputRecord, _ places: RunPlaces
    ) throws(RunRefusal) -> ChangedResults {
        var (results, planned) = state.withLock { ($0.results, $0.planned) }
        for (folder, stages) in planned {
            var names = stages
            for entry in try record.entries(of: Set(stages.keys), in: folder, places) {
                guard let stages = names.removeValue(forKey: entry.name) else { continue }
                results.plan(entry, in: folder, stages, configuration)
            }
            for stages in names.values { results.plan(nil, in: folder, stages, configuration) }
        }
        return results
    }
}
