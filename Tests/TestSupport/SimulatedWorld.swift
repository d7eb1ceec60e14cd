import Jobs
import Recordings
import ReducerKit

/// A world in which a tree of recordings is worked on in several runs, most of which go wrong.
///
/// It answers a run's commands in random order, carries them out on a model of a disk, makes them
/// fail, ends runs in the midst of anything, and starts the next on what the disk then holds. The
/// last run is left in peace. After each action all is held against what must be so.
///
/// The same seed always gives the same runs.
package struct SimulatedWorld {
    package typealias RunReducer = Reducer<JobStore.State, JobStore.Action, JobStore.Command>

    /// What was wrong, with all that is needed to see it again.
    package struct Failure: Error, CustomStringConvertible {
        package var seed: UInt64
        package var sentence: String
        package var trace: Trace

        package var description: String { "seed \(seed): \(sentence)\n\(trace)" }
    }

    private let seed: UInt64
    let reducer: RunReducer
    /// The bug that was planted.
    let mutant: Mutant?
    private var plans: [SimulatedPlan] = []
    var random: SeededGenerator
    /// Whether its runs keep exports; by the seed alone, so that all else is as without them.
    private var hasExports: Bool { seed % 2 == 1 }
    var sources: SimulatedSources
    var disk = SimulatedDisk()
    var record = SimulatedRecord()
    var chronicle = Chronicle()
    /// How often each of the things happened that can happen.
    package internal(set) var events: [SimulatedEvent: Int] = [:]
    package internal(set) var trace: Trace
    /// What was wrong first.
    var violation: String?

    // Of the present run:
    package internal(set) var state = JobStore.State(configuration: JobStore.Configuration())
    var plan = SimulatedPlan()
    var ledger = Ledger(JobStore.Configuration())
    var watchLedger = WatchLedger(JobStore.Configuration())
    /// Files that were renamed, and whose new names may not be on the disk yet.
    var published: [SimulatedRecord.LandedFile] = []
    /// Files that were renamed, and are not recorded as such yet.
    var synced: [SimulatedRecord.LandedFile] = []
    var isCancelled = false
    /// What the record said when exports were written last; `nil` if they could not be.
    var exported: SimulatedRecord?
    /// Commands that are not carried out, in the order in which they came.
    private(set) var tasks: [JobStore.Command] = []
    /// Answers that are on their way.
    private(set) var answers: [JobStore.Action] = []
    private(set) var past: [JobStore.Action] = []
    var actions = 0
    var seconds = 1000.0

    // Of watched worlds:
    let isWatched: Bool
    var notices = SimulatedNotices()
    var writers: [SimulatedWriter] = []
    var changesLeft = 0
    /// When something last changed, in the tree or in what is made of it.
    var lastChangeSeconds = 0.0
    /// Changes of files so far.
    var stamps: Int64 = 0
    /// Where recordings were done, by their stamps.
    var donePlaces: [FileStamp: SimulatedDisk.Place] = [:]
    /// What was heard in a recording when it was as the stamp says.
    var sounds: [FileStamp: Int] = [:]

    /// - Parameter reducer: in place of the one that is to be proven, for whoever listens in.
    package init(
        seed: UInt64, isWatched: Bool = false, mutant: Mutant? = nil, isTracing: Bool = false,
        reducer: RunReducer? = nil
    ) {
        self.isWatched = isWatched
        self.seed = seed
        self.mutant = mutant
        self.reducer = reducer ?? mutant?.reducer ?? JobStore.uncheckedReducer
        random = SeededGenerator(seed: seed)
        trace = Trace(isOn: isTracing)
        sources = SimulatedSources(isWatched: isWatched, using: &random)
        plans =
            isWatched
            ? SimulatedPlan.watched(using: &random) : SimulatedPlan.plans(using: &random)
    }

    /// Runs to the end of the last run, and past it; what fails is run again to tell its story.
    package mutating func run() throws(Failure) {
        do throws(Failure) {
            try runAll()
        } catch {
            if trace.isOn { throw error }
            var again = SimulatedWorld(
                seed: seed, isWatched: isWatched, mutant: mutant, isTracing: true)
            try again.run()
            throw Failure(seed: seed, sentence: "it does not happen again", trace: again.trace)
        }
    }

    private mutating func runAll() throws(Failure) {
        for plan in plans {
            live(plan)
            if violation == nil, !isWatched { disturb() }
            if let violation { throw failure(violation) }
        }
        if isWatched {
            // Proof: there is at least one.
            guard let last = plans.last else { return }
            return try compare(last)
        }
        sources.standFirm(using: &random)
        let last = SimulatedPlan.last(
            after: plans, targets: sources.everything, using: &random)
        live(last)
        // The names of files made of a recording that turned up elsewhere are free from then on.
        if violation == nil, !ledger.moved.isEmpty { live(last) }
        try compare(last)
    }

    private mutating func compare(_ last: SimulatedPlan) throws(Failure) {
        violation = violation ?? violationAtEnd()
        if violation == nil { compareWithAnUndisturbedRun(last) }
        if let violation { throw failure(violation) }
    }

    private func failure(_ sentence: String) -> Failure {
        Failure(seed: seed, sentence: sentence, trace: trace)
    }

    /// The tree that one run gives that nobody disturbs, on a disk with nothing on it but what was
    /// made of recordings that are gone.
    private mutating func compareWithAnUndisturbedRun(_ last: SimulatedPlan) {
        var other = SimulatedWorld(seed: seed)
        other.sources = sources
        other.record = record.remains
        other.disk.takeRemains(of: other.record, from: disk)
        var plan = last
        plan.configuration.watch = nil
        // What came later than another went is not the same again, though it may have its content.
        plan.configuration.looksForMoved = false
        other.live(plan)
        violation = other.violation.map { "undisturbed: \($0)" } ?? difference(from: other.disk)
    }
}

// MARK: - One run

extension SimulatedWorld {
    /// A run, to its end or to a crash.
    private mutating func live(_ plan: SimulatedPlan) {
        trace.note("— a run: \(plan) —")
        self.plan = plan
        var configuration = plan.configuration
        if hasExports { configuration.exports = ExportChoice() }
        state = JobStore.State(configuration: configuration)
        ledger = Ledger(configuration)
        (tasks, answers, past, actions, isCancelled) = ([], [], [], 0, false)
        (published, synced, exported) = ([], [], nil)
        watchLedger = WatchLedger(configuration)
        if configuration.watch != nil {
            changesLeft = plan.watching.changes
            lastChangeSeconds = seconds
            notices = SimulatedNotices()
            donePlaces = [:]
        }
        if configuration.isDryRun { happened(.dryRun) }
        sources.mount = plan.mount
        if plan.mount != .there { happened(.unmounted) }
        disk.stepsLeft = plan.crash == nil ? nil : plan.stepsUntilCrash
        do throws(SimulatedCrash) {
            send(.started(plan.targets ?? sources.targets(using: &random)))
            while violation == nil, !(state.isFinished && tasks.isEmpty) {
                if configuration.watch == nil { try step() } else { try watchedStep() }
            }
            violation = violation ?? violationOfExports()
            for _ in 0..<3 where violation == nil { sendStray() }
            if violation == nil, configuration.watch == nil {
                violation = ledger.violationAtEnd(state) ?? violationOfRecord()
            }
            if violation == nil, configuration.watch != nil, case .finished(nil) = state.phase {
                violation = violationOfCounts()
            }
        } catch {
            crash()
        }
        disk.stepsLeft = nil
        chronicle.endRun()
        sources.mount = .there
        if violation == nil { count(state.summary) }
    }

    private mutating func step() throws(SimulatedCrash) {
        try disk.step()
        guard actions < 10_000 else { return violation = "the run does not end" }
        if actions == plan.stopAt {
            happened(.signal)
            return send(.stopRequested(random.pick([.interrupt, .terminate, .hangUp])))
        }
        let isIdle = tasks.isEmpty && answers.isEmpty
        let isResting = !state.scheduler.resting.isEmpty
        if wantsTicks, isIdle || random.chance(percent: isResting ? 15 : 5) {
            seconds += Double(Int.random(in: 1...40, using: &random)) / 10
            send(.ticked(seconds))
        } else if plan.faultPercent > 0, random.chance(percent: 6) {
            sendStray()
        } else if isIdle {
            violation = "the run waits for nothing and does not end"
        } else {
            try work()
        }
    }

    /// Answers a command, or carries one out.
    mutating func work() throws(SimulatedCrash) {
        if !answers.isEmpty, tasks.isEmpty || random.chance(percent: 50) {
            let place = Int.random(in: answers.indices, using: &random)
            let answer = answers.remove(at: place)
            past.append(answer)
            send(answer)
        } else {
            let place = random.pick(ready)
            try carryOut(at: place)
        }
    }

    /// Commands that are first in their queues.
    private var ready: [Int] {
        var isKeeping = false
        return tasks.indices.filter { index in
            switch tasks[index].queue {
            case .scanning, .sound, .exporting: return true
            case .keeping:
                defer { isKeeping = true }
                return !isKeeping
            }
        }
    }

    private mutating func carryOut(at place: Int) throws(SimulatedCrash) {
        let command = tasks[place]
        if command.queue != .scanning { lastChangeSeconds = seconds }
        guard case .writeManifest = command else {
            tasks.remove(at: place)
            trace.begin(command)
            if let answer = try carryOut(command) { answers.append(answer) }
            return audit()
        }
        // As many at once as follow each other.
        let all = tasks[place...].filter { $0.queue == .keeping }.prefix {
            if case .writeManifest = $0 { true } else { false }
        }
        let orders = Array(all.prefix(Int.random(in: 1...all.count, using: &random)))
        tasks.removeAll { command in orders.contains { $0.due == command.due } }
        for order in orders { trace.begin(order) }
        answers += try writeManifests(orders)
        audit()
    }

    mutating func send(_ action: JobStore.Action) {
        actions += 1
        let commands = reducer(&state, action)
        trace.append(action, commands)
        violation =
            violation
            ?? (plan.configuration.watch == nil
                ? ledger.violation(after: action, commands, state)
                : watchLedger.violation(after: action, commands, state))
            ?? state.deepViolation ?? chronicle.violation(of: commands, plan.configuration, sources)
        for command in commands {
            switch command {
            case .announce(let news): note(news)
            case .cancelWork: isCancelled = true
            case .scan(.forget(let folder)): notices.forget(folder)
            case .job(_, .listen(let order)):
                if isDoneElsewhere(order) { happened(.decodedAgain) }
                tasks.append(command)
            default: tasks.append(command)
            }
        }
        if case .job(_, .failed) = action, !state.scheduler.resting.isEmpty { happened(.retry) }
    }

    /// The end of the program, or of the current, in the midst of all that is under way.
    private mutating func crash() {
        happened(plan.crash == .powerLoss ? .powerLoss : .kill)
        for place in ready.reversed() where random.chance(percent: 40) {
            disk.stepsLeft = Int.random(in: 0...4, using: &random)
            try? carryOut(at: place)
        }
        disk.stepsLeft = nil
        chronicle.crash(plan.crash)
        if plan.crash == .powerLoss { disk.losePower(using: &random) }
        audit()
    }
}
