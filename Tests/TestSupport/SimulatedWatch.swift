import Jobs
import Recordings

/// What happens around a run that is watched.
struct SimulatedWatching: Sendable {
    /// How many changes there are to be.
    var changes = 0
    /// How often the system loses a notice, and has to say so.
    var lossPercent = 0
    /// Whether the system tells that a file is open for writing.
    var knowsLeases = true
    /// Whether there are folders that cannot be watched.
    var refuses = false
}

extension SimulatedPlan {
    /// Those of a watched world; the last is left in peace but for what happens to the tree.
    static func watched(using random: inout SeededGenerator) -> [SimulatedPlan] {
        var plans = SimulatedPlan.plans(using: &random)
        plans = Array(plans.prefix(Int.random(in: 1...3, using: &random)))
        for index in plans.indices {
            plans[index].targets = [.folder("")]
            plans[index].mount = .there
            plans[index].configuration.isDryRun = false
            var policy = WatchPolicy(
                settleSeconds: random.pick([0.5, 2]), giveUpSeconds: random.pick([5, 20]))
            if random.chance(percent: 25) { policy.pollSeconds = random.pick([1, 3]) }
            policy.endsWhenIdle = random.chance(percent: 20)
            plans[index].configuration.watch = policy
            plans[index].configuration.looksForMoved = true
            if random.chance(percent: 15) { plans[index].configuration.wantsChecksums = true }
            plans[index].watching = SimulatedWatching(
                changes: Int.random(in: 1...12, using: &random),
                lossPercent: random.pick([0, 0, 5, 30]),
                knowsLeases: random.chance(percent: 60), refuses: random.chance(percent: 20))
        }
        let last = plans.count - 1
        plans[last].faultPercent = 0
        plans[last].configuration.redoesAll = false
        plans[last].crash = nil
        plans[last].stopAt = nil
        plans[last].configuration.retriesFailed = true
        plans[last].configuration.wantsChecksums = plans.contains {
            $0.configuration.wantsChecksums
        }
        plans[last].configuration.watch?.endsWhenIdle = false
        return plans
    }
}

extension SimulatedWorld {
    /// After the last change, so long nothing happens but what the run itself does.
    private var quietSeconds: Double {
        (plan.configuration.watch?.giveUpSeconds ?? 0) + 50
    }

    private var isQuiet: Bool {
        changesLeft == 0 && writers.isEmpty && notices.isEmpty && sources.mount == .there
    }

    var wantsTicks: Bool {
        JobStore.subscriptions(of: state).contains { if case .ticks = $0 { true } else { false } }
    }

    /// One thing that happens while the run is watched.
    mutating func watchedStep() throws(SimulatedCrash) {
        try disk.step()
        guard actions < 40_000 else { return violation = "the run does not end" }
        seconds += Double(Int.random(in: 0...20, using: &random)) / 1000
        let isIdle = tasks.isEmpty && answers.isEmpty
        guard case .running = state.phase else {
            guard isIdle else { return try work() }
            return violation = "the run waits for nothing and does not end"
        }
        if actions == plan.stopAt { return stop() }
        if changesLeft > 0 || !writers.isEmpty || sources.mount != .there,
            random.chance(percent: isIdle ? 40 : 12)
        {
            return change()
        }
        if !notices.isEmpty, isIdle || random.chance(percent: 15) {
            return send(.scan(notices.next(using: &random)))
        }
        if isIdle, isQuiet, !wantsTicks || seconds > lastChangeSeconds + quietSeconds {
            return endQuietly()
        }
        if wantsTicks, isIdle || random.chance(percent: 8) {
            seconds += Double(Int.random(in: 1...(isQuiet ? 40 : 10), using: &random)) / 10
            return send(.ticked(seconds))
        }
        if isIdle { return change() }
        if plan.faultPercent > 0, random.chance(percent: 3) { return sendStray() }
        try work()
    }

    private mutating func change() {
        lastChangeSeconds = seconds
        if !writers.isEmpty, changesLeft == 0 || random.chance(percent: 50),
            sources.mount == .there
        {
            writeOn()
        } else if changesLeft > 0 {
            changesLeft -= 1
            changeSomething()
            if changesLeft == 0 { standFirm() }
        } else if sources.mount != .there {
            mount()
        }
    }

    private mutating func endQuietly() {
        violation = violationInQuiet() ?? violationOfCounts()
        if violation == nil { stop() }
    }

    private mutating func stop() {
        happened(.signal)
        send(.stopRequested(random.pick([.interrupt, .terminate, .hangUp])))
    }

    /// What is wrong with a run in which nothing is left to do.
    private func violationInQuiet() -> String? {
        guard plan.faultPercent == 0 else { return nil }
        if let watch = state.watch {
            if !watch.due.isEmpty { return "something is still due: \(watch.due)" }
            if !watch.retries.isEmpty { return "something is still to be tried again" }
            let awaited = watch.incomplete.count
            if awaited > 0 { return "\(awaited) recordings are waited for" }
        }
        if state.jobs.kept > 0 { return "\(state.jobs.kept) jobs are kept" }
        if let id = state.folders.ids.first {
            let folder = state.folders[id]
            return "\"\(folder.path)\" is kept in memory, for \(folder.unsettled) recordings"
                + (folder.needsManifest ? " and its manifest" : "")
        }
        if plan.configuration.watch?.endsWhenIdle == true {
            return "the run does not end by itself"
        }
        let results = disk.folders.filter { disk.manifest(in: $0) != nil }
        let places = Set(sources.folders + results.flatMap(\.withParents))
        if state.scan.folders.count > places.count {
            return "\(state.scan.folders.count) folders are kept in mind, \(places.count) exist"
        }
        return nil
    }
}

extension Pathname {
    /// The folder and all that it lies in.
    fileprivate var withParents: [Pathname] { isEmpty ? [self] : [self] + parent.withParents }
}
