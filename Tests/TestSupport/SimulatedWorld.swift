import Jobs
import Recordings
import ReducerKit

/// A world that answers a run's commands in random order and with faults, watched by a `Ledger`.
///
/// The same seed always gives the same run.
package struct SimulatedWorld {
    /// What was wrong, with all that is needed to see it again.
    package struct Failure: Error, CustomStringConvertible {
        package var seed: UInt64
        package var sentence: String
        package var trace: Trace

        package var description: String { "seed \(seed): \(sentence)\n\(trace)" }
    }

    private let seed: UInt64
    private let folders: SimulatedFolders
    private let reducer: Reducer<JobStore.State, JobStore.Action, JobStore.Command>
    /// The action at which the run is asked to stop; `nil` where it may go on to its end.
    private let stopAt: Int?
    private var random: SeededGenerator
    package private(set) var state: JobStore.State
    private var ledger: Ledger
    private var trace = Trace()
    private var actions = 0
    private var past: [JobStore.Action] = []

    package init(
        seed: UInt64,
        reducer: Reducer<JobStore.State, JobStore.Action, JobStore.Command> =
            JobStore.uncheckedReducer
    ) {
        var random = SeededGenerator(seed: seed)
        self.seed = seed
        self.reducer = reducer
        folders = SimulatedFolders(using: &random)
        stopAt = random.chance(percent: 40) ? Int.random(in: 0...40, using: &random) : nil
        let configuration = JobStore.Configuration(
            recipe: folders.recipe, jobLimit: Int.random(in: 1...4, using: &random),
            isDryRun: random.chance(percent: 10), redoesAll: random.chance(percent: 15))
        state = JobStore.State(configuration: configuration)
        ledger = Ledger(configuration)
        self.random = random
    }

    /// Runs from the beginning to the end, and past it.
    package mutating func run() throws(Failure) {
        let targets = folders.targets(using: &random)
        try send(.started(targets, journal: JournalContents()))
        while !state.isFinished {
            guard actions < 10_000 else { throw failure("the run does not end") }
            if actions == stopAt {
                try send(.stopRequested(random.pick([.interrupt, .terminate])))
            } else if random.chance(percent: 12) {
                try sendStray()
            } else if random.chance(percent: 3) {
                try send(.ticked(Double(actions)))
            } else {
                try answer()
            }
        }
        for _ in 0..<5 { try sendStray() }
        try check(ledger.violationAtEnd(state))
    }

    private mutating func answer() throws(Failure) {
        guard
            let due = ledger.pending.keys.sorted(by: { "\($0)" < "\($1)" })
                .randomElement(using: &random), let command = ledger.pending[due]
        else { throw failure("the run waits for nothing and does not end") }
        if let action = outcome(of: command) {
            past.append(action)
            try send(action)
        }
    }

    private mutating func send(_ action: JobStore.Action) throws(Failure) {
        actions += 1
        let commands = reducer(&state, action)
        trace.append(action, commands)
        try check(ledger.violation(after: action, commands, state))
        try check(state.deepViolation)
    }

    /// An answer that comes late, twice, or for something that never was: it must change nothing.
    private mutating func sendStray() throws(Failure) {
        actions += 1
        let action = stray()
        var expected = state
        expected.ignoredAnswers += 1
        let commands = reducer(&state, action)
        trace.append(action, commands)
        if !commands.isEmpty { throw failure("a stray answer led to orders") }
        if state != expected {
            throw failure(
                "a stray answer changed the state:\n\(difference(expected: expected, actual: state))"
            )
        }
    }

    private func check(_ violation: String?) throws(Failure) {
        if let violation { throw failure(violation) }
    }

    private func failure(_ sentence: String) -> Failure {
        Failure(seed: seed, sentence: sentence, trace: trace)
    }
}

// MARK: - Outcomes

extension SimulatedWorld {
    private mutating func outcome(of command: JobStore.Command) -> JobStore.Action? {
        switch command {
        case .scan(.list(let id, let request)):
            random.chance(percent: 8)
                ? .scan(.failed(id, Example.failure(.permissionDenied, in: .scan)))
                : .scan(.listed(id, folders.listing(for: request)))
        case .job(let id, .listen(let order)): .job(id, outcome(of: order))
        case .job(let id, .trim(let order)):
            if wasCancelled() {
                .job(id, .cancelled)
            } else if random.chance(percent: 10) {
                .job(id, .failed(Example.failure(.permissionDenied, in: .trim), measured: nil))
            } else {
                .job(id, .trimmed(Example.trimmedFile(for: order), staged: Example.staged(for: order)))
            }
        case .writeManifest(let id, _):
            random.chance(percent: 15)
                ? .manifestFailed(id, Example.failure(.readOnly, in: .manifest))
                : .manifestWritten(id)
        case .commit(.sync(let group, _)):
            random.chance(percent: 2)
                ? .commit(.syncFailed(group, Example.failure(.inputOutput, in: .manifest)))
                : .commit(.synced(group))
        case .commit(.record(let group, _, _)):
            random.chance(percent: 2)
                ? .commit(.recordFailed(group, Example.failure(.noSpace, in: .manifest)))
                : .commit(.recorded(group))
        case .commit(.publish(let group, let outcomes)):
            .commit(.published(group, misplaced(outcomes)))
        case .closeJournal:
            random.chance(percent: 5)
                ? .journalFailed(Example.failure(.inputOutput, in: .manifest)) : .journalClosed
        case .commit(.discard), .cancelWork, .announce, .finish: nil
        }
    }

    private mutating func outcome(of order: ListeningOrder) -> Job.Action {
        if wasCancelled() { return .cancelled }
        let isLossy = random.chance(percent: 30)
        let format = Example.format(
            container: isLossy ? .mp3 : .wav, encoding: isLossy ? .mp3 : .pcm16)
        let silence = random.pick([
            Example.silence(), Example.silence([]), Example.silence([[3, 6]]),
            Example.silence([[0, 10]], silent: true), Example.silence(separable: false),
        ])
        let measured = Example.measurements(for: order, format: format, silence: silence)
        guard random.chance(percent: 15) else {
            return .listened(measured, staged: Example.staged(for: order))
        }
        let failure = Example.failure(random.pick([.corrupt, .vanished, .changed]))
        return .failed(failure, measured: random.chance(percent: 50) ? measured : nil)
    }

    /// Whether this pass was ended by the order to cancel, rather than ending of itself before.
    private mutating func wasCancelled() -> Bool {
        ledger.isStopping && random.chance(percent: 60)
    }

    private mutating func misplaced(_ outcomes: [Commit.Outcome]) -> [Commit.Misplacement] {
        outcomes.filter { !$0.staged.isEmpty && random.chance(percent: 2) }.map {
            Commit.Misplacement(
                id: $0.id, failure: Example.failure(.permissionDenied, in: .waveform), landed: [])
        }
    }

    private mutating func stray() -> JobStore.Action {
        if !past.isEmpty, random.chance(percent: 60) { return random.pick(past) }
        let nobody = RecordingID(state.jobs.count + 1)
        let nowhere = FolderID(state.scan.folders.count + 1)
        let settled = state.jobs.ids.filter { state.jobs[$0].phase == .settled }
        var choices: [JobStore.Action] = [
            .job(nobody, .cancelled), .manifestWritten(nowhere), .started([.folder("")], journal: JournalContents()),
            .scan(.listed(nowhere, FolderListing())), .scan(.failed(nowhere, Example.failure())),
        ]
        for id in settled {
            choices += [.job(id, .cancelled), .job(id, .failed(Example.failure(), measured: nil))]
        }
        return random.pick(choices)
    }
}
