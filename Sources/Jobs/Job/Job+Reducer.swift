import Recordings
import ReducerKit

extension Job {
    /// Late and doubled answers find the job in another phase and change nothing.
    package static let reducer = Reducer<State, Action, Command> { state, action, order in
        switch action {
        case .started(let stages, let previous):
            guard case .waiting = state.phase else { return }
            state.start(stages, previous, order)
        case .listened(let measured, let staged):
            guard case .listening(let stages, let previous) = state.phase else { return }
            state.phase = .settled
            let entry = state.entry(on: previous, measured)
            state.trim(entry, stages, staged, order)
        case .trimmed(let file, let copy):
            guard case .trimming(_, var entry, var staged) = state.phase else { return }
            // Let go of, the entry and the list are changed where they are.
            state.phase = .settled
            entry.value.trimmed = file
            staged.append(copy)
            state.end(entry, staged)
        case .recognised(let folder, let entry):
            guard case .waiting = state.phase else { return }
            state.adopt(entry.value, from: folder, order)
        case .suspected(let stages):
            guard case .waiting = state.phase else { return }
            state.phase = .identifying(stages)
            order(.identify(state.source))
        case .identified(let digest):
            guard case .identifying(let stages) = state.phase else { return }
            state.phase = .ended(Job.Ending(.identified(digest, stages)))
        case .adopted(let staged):
            guard case .adopting(let entry) = state.phase else { return }
            state.end(entry, staged)
        case .sourceChanged(let stamp):
            guard state.isActive else { return }
            state.phase = .ended(Ending(.changed(stamp), staged: state.staged))
        case .failed(let failure, let measured):
            state.fail(failure, measured)
        case .cancelled:
            switch state.phase {
            case .listening, .identifying, .adopting: state.phase = .ended(Ending(.cancelled))
            case .trimming(_, _, let staged):
                state.phase = .ended(Ending(.cancelled, staged: staged))
            case .waiting, .ended, .committing, .settled: break
            }
        }
    }
}

extension Job.State {
    /// Whether an answer of a worker is still to come.
    package var isActive: Bool {
        switch phase {
        case .listening, .trimming, .identifying, .adopting: true
        case .waiting, .ended, .committing, .settled: false
        }
    }

    /// Whether this action can still mean something to the job.
    package func expects(_ action: Job.Action) -> Bool {
        switch action {
        case .started, .recognised, .suspected: if case .waiting = phase { true } else { false }
        case .listened: if case .listening = phase { true } else { false }
        case .trimmed: if case .trimming = phase { true } else { false }
        case .identified: if case .identifying = phase { true } else { false }
        case .adopted: if case .adopting = phase { true } else { false }
        case .failed, .cancelled, .sourceChanged: isActive
        }
    }

    /// Complete files that are not in their places.
    fileprivate var staged: [StagedFile] {
        if case .trimming(_, _, let staged) = phase { staged } else { [] }
    }

    fileprivate mutating func end(
        _ entry: consuming Boxed<ManifestEntry>, _ staged: [StagedFile]
    ) {
        // Whatever it was built on, as it is now it was made by the recipe of this run.
        if entry.value.recipe != nil { entry.value.recipe = nil }
        phase = .ended(Job.Ending(.entry(entry), staged: staged))
    }

    fileprivate mutating func start(
        _ stages: Stages, _ previous: Boxed<ManifestEntry>?, _ order: (Job.Command) -> Void
    ) {
        let listening = stages.intersection(.listening)
        if listening.isEmpty, let previous {
            trim(previous.value, stages, [], order)
            return
        }
        phase = .listening(stages, previous: previous)
        order(
            .listen(
                ListeningOrder(source: source, stages: listening, attempt: attempts)))
    }

    /// What was measured, on top of what was known where only some stages were stale.
    fileprivate func entry(
        on previous: Boxed<ManifestEntry>?, _ measured: Measurements
    ) -> ManifestEntry {
        var entry = ManifestEntry(name: name, status: .done, source: stamp)
        if let previous { entry = previous.value }
        if let format = measured.format {
            entry.format = format
            entry.decoderMessage = measured.decoderMessage
        }
        if let digest = measured.sourceSHA256 { entry.sourceSHA256 = digest }
        if let levels = measured.levels { entry.levels = levels }
        if let silence = measured.silence { entry.silence = silence }
        if let waveforms = measured.waveforms { entry.waveforms = waveforms }
        return entry
    }

    fileprivate mutating func trim(
        _ measured: consuming ManifestEntry, _ stages: Stages, _ staged: [StagedFile],
        _ order: (Job.Command) -> Void
    ) {
        guard stages.contains(.trim), let silence = measured.silence, let format = measured.format
        else { return end(Boxed(measured), staged) }
        let recipe = setting.value.recipe.trim
        measured.trimmed = nil
        switch CutPlanner.plan(silence: silence, format: format, recipe: recipe) {
        case .keepWhole(let refusal):
            measured.notTrimmed = refusal
            end(Boxed(measured), staged)
        case .cut(let edits):
            measured.notTrimmed = nil
            phase = .trimming(stages, Boxed(measured), staged: staged)
            order(
                .trim(
                    TrimmingOrder(
                        source: source, format: format, edits: edits,
                        container: recipe.container(for: format), attempt: attempts)))
        }
    }

    fileprivate var source: RecordingSource {
        RecordingSource(setting: setting, name: name, stamp: stamp)
    }
}

// MARK: - Another name

extension Job.State {
    /// Takes over what was made of it under another name, with all that is known of it.
    fileprivate mutating func adopt(
        _ earlier: ManifestEntry, from folder: Pathname, _ order: (Job.Command) -> Void
    ) {
        var entry = earlier
        entry.name = name
        entry.status = .done
        entry.source = stamp
        // What was to go goes from where it was.
        entry.leaveBehind(only: [])
        let drawn = setting.value.names.waveforms(of: name, setting.value.recipe.waveform)
        guard let waveforms = entry.waveforms, waveforms.count == drawn.count,
            let former = earlier.source
        else {
            return start(entry.stages, nil, order)
        }
        var files: [AdoptionOrder.Renaming] = []
        for (index, name) in drawn.enumerated() {
            files.append(AdoptionOrder.Renaming(old: waveforms[index].path, new: name))
            entry.waveforms?[index].path = name
        }
        if let copy = entry.trimmed, let format = entry.format {
            let container = setting.value.recipe.trim.container(for: format)
            let own = setting.value.names.trimmed(name, as: container)
            files.append(AdoptionOrder.Renaming(old: copy.path, new: own))
            entry.trimmed?.path = own
        }
        phase = .adopting(Boxed(entry))
        order(
            .adopt(
                AdoptionOrder(
                    source: source, folder: folder,
                    formerNanoseconds: former.modifiedNanoseconds, files: files,
                    attempt: attempts)))
    }
}

extension ManifestEntry {
    /// What it takes to make all that the entry tells of.
    fileprivate var stages: Stages { sourceSHA256 == nil ? .all : [.all, .checksum] }
}

// MARK: - Failures

extension Job.State {
    fileprivate mutating func fail(_ failure: RecordingFailure, _ measured: Measurements?) {
        switch phase {
        case .listening(let stages, _):
            if let verdict = ending(for: failure, stages) {
                phase = .ended(Job.Ending(verdict))
            } else {
                end(failedEntry(failure, measured), [])
            }
        case .trimming(let stages, var entry, let staged):
            if let verdict = ending(for: failure, stages) {
                phase = .ended(Job.Ending(verdict, staged: staged))
            } else {
                entry.value.status = .failed
                entry.value.failure = failure
                end(entry, staged)
            }
        case .identifying(let stages):
            start(anew: stages, after: failure)
        case .adopting(let entry):
            start(anew: entry.value.stages, after: failure)
        case .waiting, .ended, .committing, .settled:
            break
        }
    }

    /// Has a recording done as if it were new, as no use could be made of what it was before: that
    /// is not worth a failure, and is not tried again.
    private mutating func start(anew stages: Stages, after failure: RecordingFailure) {
        attempts += 1
        phase = .ended(
            Job.Ending(failure.endsRun ? .blocked(failure) : .postponed(stages, afterSeconds: 0)))
    }

    /// How it ends where a failure is not the recording's own; `nil` where it is.
    private mutating func ending(
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

    private func failedEntry(
        _ failure: RecordingFailure, _ measured: Measurements?
    ) -> Boxed<ManifestEntry> {
        var entry = ManifestEntry(name: name, status: .failed, source: stamp)
        entry.sourceSHA256 = measured?.sourceSHA256
        entry.format = measured?.format
        entry.decoderMessage = measured?.decoderMessage
        entry.levels = measured?.levels
        entry.silence = measured?.silence
        entry.failure = failure
        return Boxed(entry)
    }
}
