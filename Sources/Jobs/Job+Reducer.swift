import Recordings
import ReducerKit

extension Job {
    /// Late and doubled answers find the job in another phase and change nothing.
    package static let reducer = Reducer<State, Action, Command> { state, action in
        switch (action, state.phase) {
        case (.started(let order), .waiting):
            return state.start(order)
        case (.listened(let measured), .listening(let order)):
            return state.trim(state.entry(for: order, measured), order)
        case (.trimmed(let file), .trimming(_, var entry)):
            entry.trimmed = file
            state.settle(entry)
        case (.failed(let failure, let measured), .listening):
            state.settle(state.failedEntry(failure, measured))
        case (.failed(let failure, _), .trimming(_, var entry)):
            entry.status = .failed
            entry.failure = failure
            state.settle(entry)
        case (.cancelled, .listening), (.cancelled, .trimming):
            state.phase = .settled(.cancelled)
        default:
            break
        }
        return []
    }
}

extension Job.State {
    /// Whether an answer of a worker is still to come.
    package var isActive: Bool {
        switch phase {
        case .listening, .trimming: true
        case .waiting, .settled: false
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

    fileprivate mutating func settle(_ measured: ManifestEntry) {
        var entry = measured
        // Whatever it was built on, as it is now it was made by the recipe of this run.
        entry.recipe = nil
        phase = .settled(.entry(entry))
    }

    fileprivate mutating func start(_ order: Job.Order) -> [Job.Command] {
        let listening = order.stages.intersection(.listening)
        if listening.isEmpty, let previous = order.previous {
            return trim(previous, order)
        }
        phase = .listening(order)
        return [
            .listen(
                ListeningOrder(
                    source: source(in: order.folder), stages: listening,
                    waveform: order.recipe.waveform,
                    silence: order.recipe.silence,
                    waveformNames: order.names.waveforms(of: name, order.recipe.waveform)))
        ]
    }

    /// What was measured, on top of what was known where only some stages were stale.
    fileprivate func entry(for order: Job.Order, _ measured: Measurements) -> ManifestEntry {
        var entry = order.previous ?? ManifestEntry(name: name, status: .done, source: stamp)
        entry.format = measured.format
        if let levels = measured.levels { entry.levels = levels }
        if let silence = measured.silence { entry.silence = silence }
        if let waveforms = measured.waveforms { entry.waveforms = waveforms }
        return entry
    }

    fileprivate mutating func trim(
        _ measured: ManifestEntry, _ order: Job.Order
    ) -> [Job.Command] {
        var entry = measured
        guard order.stages.contains(.trim), let silence = entry.silence, let format = entry.format
        else {
            settle(entry)
            return []
        }
        entry.trimmed = nil
        entry.notTrimmed = nil
        switch CutPlanner.plan(silence: silence, format: format, recipe: order.recipe.trim) {
        case .keepWhole(let refusal):
            entry.notTrimmed = refusal
            settle(entry)
            return []
        case .cut(let edits):
            phase = .trimming(order, entry)
            return [.trim(trimmingOrder(edits, format, order))]
        }
    }

    private func trimmingOrder(
        _ edits: EditList, _ format: AudioFormat, _ order: Job.Order
    ) -> TrimmingOrder {
        let recipe = order.recipe.trim
        let container = recipe.container(for: format)
        let fadeSeconds = recipe.fadeMilliseconds / 1000
        return TrimmingOrder(
            source: source(in: order.folder), format: format, edits: edits, container: container,
            fadeFrames: Int((fadeSeconds * Double(format.sampleRateHertz)).rounded()),
            name: order.names.trimmed(name, as: container))
    }

    fileprivate func failedEntry(
        _ failure: RecordingFailure, _ measured: Measurements?
    ) -> ManifestEntry {
        var entry = ManifestEntry(name: name, status: .failed, source: stamp)
        entry.format = measured?.format
        entry.levels = measured?.levels
        entry.silence = measured?.silence
        entry.failure = failure
        return entry
    }

    private func source(in folder: Pathname) -> RecordingSource {
        RecordingSource(folder: folder, name: name, stamp: stamp)
    }
}
