import Recordings
import ReducerKit

extension Job {
    /// Late and doubled answers find the job in another phase and change nothing.
    package static let reducer = Reducer<State, Action, Command> { state, action, command in
        switch (action, state.phase) {
        case (.started(let order), .waiting):
            state.start(order, command)
        case (.listened(let measured, let staged), .listening(let order)):
            state.trim(state.entry(for: order, measured), order, staged, command)
        case (.trimmed(let file, let copy), .trimming(_, var entry, let staged)):
            entry.value.trimmed = file
            state.end(entry, staged + [copy])
        case (.failed(let failure, let measured), .listening(let order)):
            if let verdict = state.ending(for: failure, order.stages) {
                state.phase = .ended(Ending(verdict))
            } else {
                state.end(state.failedEntry(failure, measured), [])
            }
        case (.failed(let failure, _), .trimming(let order, var entry, let staged)):
            if let verdict = state.ending(for: failure, order.stages) {
                state.phase = .ended(Ending(verdict, staged: staged))
            } else {
                entry.value.status = .failed
                entry.value.failure = failure
                state.end(entry, staged)
            }
        case (.cancelled, .listening):
            state.phase = .ended(Ending(.cancelled))
        case (.cancelled, .trimming(_, _, let staged)):
            state.phase = .ended(Ending(.cancelled, staged: staged))
        default:
            break
        }
    }
}

extension Job.State {
    /// Whether an answer of a worker is still to come.
    package var isActive: Bool {
        switch phase {
        case .listening, .trimming: true
        case .waiting, .ended, .committing, .settled: false
        }
    }

    /// Whether this action can still mean something to the job.
    package func expects(_ action: Job.Action) -> Bool {
        switch (action, phase) {
        case (.started, .waiting), (.listened, .listening), (.trimmed, .trimming),
            (.failed, .listening), (.failed, .trimming),
            (.cancelled, .listening), (.cancelled, .trimming):
            true
        default:
            false
        }
    }

    fileprivate mutating func end(_ entry: Boxed<ManifestEntry>, _ staged: [StagedFile]) {
        var entry = entry
        // Whatever it was built on, as it is now it was made by the recipe of this run.
        if entry.value.recipe != nil { entry.value.recipe = nil }
        phase = .ended(Job.Ending(.entry(entry), staged: staged))
    }

    /// How it ends where a failure is not the recording's own; `nil` where it is.
    fileprivate mutating func ending(
        for failure: RecordingFailure, _ stages: Stages
    ) -> Job.Ending.Kind? {
        switch RetryPolicy.verdict(on: failure, attempts: Int(attempts)) {
        case .settle: return nil
        case .stopRun: return .blocked(failure)
        case .tryAgain(let seconds):
            attempts += 1
            return .postponed(stages, afterSeconds: seconds)
        }
    }

    fileprivate mutating func start(_ order: Job.Order, _ command: (Job.Command) -> Void) {
        let listening = order.stages.intersection(.listening)
        if listening.isEmpty, let previous = order.previous {
            trim(previous, order, [], command)
            return
        }
        phase = .listening(order)
        let recipe = order.recipe.value
        command(
            .listen(
                ListeningOrder(
                    source: source(in: order.folder), stages: listening,
                    waveform: recipe.waveform, silence: recipe.silence,
                    waveformNames: order.names.waveforms(of: name, recipe.waveform),
                    attempt: Int(attempts))))
    }

    /// What was measured, on top of what was known where only some stages were stale.
    fileprivate func entry(
        for order: Job.Order, _ measured: Measurements
    ) -> Boxed<ManifestEntry> {
        var entry =
            order.previous ?? Boxed(ManifestEntry(name: name, status: .done, source: stamp))
        if let format = measured.format { entry.value.format = format }
        if let digest = measured.sourceSHA256 { entry.value.sourceSHA256 = digest }
        if let levels = measured.levels { entry.value.levels = levels }
        if let silence = measured.silence { entry.value.silence = silence }
        if let waveforms = measured.waveforms { entry.value.waveforms = waveforms }
        return entry
    }

    fileprivate mutating func trim(
        _ measured: Boxed<ManifestEntry>, _ order: Job.Order, _ staged: [StagedFile],
        _ command: (Job.Command) -> Void
    ) {
        guard order.stages.contains(.trim), let silence = measured.value.silence,
            let format = measured.value.format
        else { return end(measured, staged) }
        var entry = measured
        let recipe = order.recipe.value.trim
        let plan = CutPlanner.plan(silence: silence, format: format, recipe: recipe)
        entry.value.trimmed = nil
        switch plan {
        case .keepWhole(let refusal):
            entry.value.notTrimmed = refusal
            end(entry, staged)
        case .cut(let edits):
            entry.value.notTrimmed = nil
            let container = recipe.container(for: format)
            let fadeSeconds = recipe.fadeMilliseconds / 1000
            let fadeFrames = (fadeSeconds * Double(format.sampleRateHertz)).rounded()
            phase = .trimming(order, entry, staged: staged)
            command(
                .trim(
                    TrimmingOrder(
                        source: source(in: order.folder), format: format, edits: edits,
                        container: container, fadeFrames: Int(fadeFrames),
                        name: order.names.trimmed(name, as: container),
                        attempt: Int(attempts))))
        }
    }

    fileprivate func failedEntry(
        _ failure: RecordingFailure, _ measured: Measurements?
    ) -> Boxed<ManifestEntry> {
        var entry = ManifestEntry(name: name, status: .failed, source: stamp)
        entry.sourceSHA256 = measured?.sourceSHA256
        entry.format = measured?.format
        entry.levels = measured?.levels
        entry.silence = measured?.silence
        entry.failure = failure
        return Boxed(entry)
    }

    private func source(in folder: Pathname) -> RecordingSource {
        RecordingSource(folder: folder, name: name, stamp: stamp)
    }
}
