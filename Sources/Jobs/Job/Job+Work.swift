import Recordings
import ReducerKit

extension Job.State {
    /// Processes a worker's answer; `nil` if it is late, duplicated or does not fit the phase, and
    /// is ignored.
    package mutating func handle(_ answer: Job.Action) -> Job.Next? {
        switch answer {
        case .listened(let measured, let staged):
            guard case .listening(let stages, let previous) = phase else { return nil }
            phase = .ended
            return trim(entry(on: previous, measured), stages, staged)
        case .trimmed(let file, let made):
            guard case .trimming(_, var entry, var staged) = phase else { return nil }
            // The phase releases the entry and the list, so that they are modified in place.
            phase = .ended
            entry.value.trimmed = file
            staged += made
            return end(entry, staged)
        case .recalled(let entry):
            guard case .recalling(let stages) = phase else { return nil }
            return end(.recalled(entry, stages))
        case .found(let former):
            guard case .finding(let stages) = phase else { return nil }
            return end(.found(former, stages))
        case .identified(let digest):
            guard case .identifying(let stages) = phase else { return nil }
            return end(.identified(digest, stages))
        case .adopted(let staged):
            guard case .adopting(let entry) = phase else { return nil }
            return end(entry, staged)
        case .sourceChanged(let stamp):
            return isActive ? end(.changed(stamp)) : nil
        case .failed(let failure, let measured):
            return fail(failure, measured)
        case .cancelled:
            return isActive ? cancel() : nil
        }
    }

    /// Starts the first step, now that a slot is free.
    package mutating func start(
        _ stages: Stages, previous: Boxed<ManifestEntry>?
    ) -> Job.Next {
        let listening = stages.intersection(.listening)
        if listening.isEmpty, let previous { return trim(previous.value, stages, []) }
        phase = .listening(stages, previous: previous)
        return .order(
            .listen(
                ListeningOrder(
                    source: source, stages: listening, attempt: attempts,
                    tolerance: tolerance)))
    }

    /// Orders its earlier entry, which the work builds on.
    package mutating func recall(for stages: Stages) -> Job.Next {
        phase = .recalling(stages)
        return .order(.recall(source))
    }

    /// Orders a search for its results under another name.
    package mutating func find(for stages: Stages, goesByContent: Bool) -> Job.Next {
        phase = .finding(stages)
        return .order(
            .find(
                FindingOrder(source: source, identity: identity, goesByContent: goesByContent)))
    }

    /// Orders its checksum, because only its time may differ.
    package mutating func identify(for stages: Stages) -> Job.Next {
        phase = .identifying(stages)
        return .order(.identify(source))
    }

    /// Ends work that is under way.
    package mutating func cancel() -> Job.Next { end(.cancelled) }
}

extension Job.State {
    /// Whether a worker has yet to answer.
    package var isActive: Bool {
        switch phase {
        case .recalling, .finding, .listening, .trimming, .identifying, .adopting: true
        case .waiting, .ended, .committing, .settled: false
        }
    }

    /// Whether the job still expects this action.
    package func expects(_ action: Job.Action) -> Bool {
        switch action {
        case .listened: if case .listening = phase { true } else { false }
        case .trimmed: if case .trimming = phase { true } else { false }
        case .recalled: if case .recalling = phase { true } else { false }
        case .found: if case .finding = phase { true } else { false }
        case .identified: if case .identifying = phase { true } else { false }
        case .adopted: if case .adopting = phase { true } else { false }
        case .failed, .cancelled, .sourceChanged: isActive
        }
    }

    /// Complete files that are not yet moved into place.
    fileprivate var staged: [StagedFile] {
        if case .trimming(_, _, let staged) = phase { staged } else { [] }
    }

    fileprivate mutating func end(
        _ entry: consuming Boxed<ManifestEntry>, _ staged: [StagedFile]
    ) -> Job.Next {
        phase = .ended
        // Whatever earlier entry it was built on, its recipe is now that of this run.
        if entry.value.recipe != nil { entry.value.recipe = nil }
        return .ended(Job.Ending(.entry(entry), staged: staged))
    }

    /// Ends without an outcome; complete files are to be discarded.
    fileprivate mutating func end(_ kind: Job.Ending.Kind) -> Job.Next {
        let staged = staged
        phase = .ended
        return .ended(Job.Ending(kind, staged: staged))
    }

    /// The measurements, merged into the earlier entry if only some stages were stale.
    fileprivate func entry(
        on previous: Boxed<ManifestEntry>?, _ measured: Measurements
    ) -> ManifestEntry {
        var entry = ManifestEntry(name: name, status: .done, source: stamp)
        if let previous { entry = previous.value }
        entry.update(with: measured)
        return entry
    }

    fileprivate mutating func trim(
        _ measured: consuming ManifestEntry, _ stages: Stages, _ staged: [StagedFile]
    ) -> Job.Next {
        guard stages.contains(.trim), let silence = measured.silence, let format = measured.format
        else { return end(Boxed(measured), staged) }
        let recipe = context.value.recipe.trim
        measured.trimmed = nil
        switch CutPlanner.plan(silence: silence, format: format, recipe: recipe) {
        case .keepWhole(let refusal):
            measured.notTrimmed = refusal
            return end(Boxed(measured), staged)
        case .cut(let edits):
            measured.notTrimmed = nil
            phase = .trimming(stages, Boxed(measured), staged: staged)
            return .order(
                .trim(
                    TrimmingOrder(
                        source: source, format: format, edits: edits,
                        container: recipe.container(for: format), attempt: attempts)))
        }
    }

    var source: RecordingSource {
        RecordingSource(context: context, name: name, stamp: stamp)
    }
}

extension ManifestEntry {
    /// The stages that make everything the entry lists.
    var stages: Stages { sourceSHA256 == nil ? .all : [.all, .checksum] }
}

// MARK: - Failures

extension Job.State {
    fileprivate mutating func fail(
        _ failure: RecordingFailure, _ measured: Measurements?
    ) -> Job.Next? {
        switch phase {
        case .listening(let stages, _):
            if let verdict = ending(for: failure, stages) { return end(verdict) }
            return end(failedEntry(failure, measured), [])
        case .trimming(let stages, var entry, let staged):
            if let verdict = ending(for: failure, stages) { return end(verdict) }
            entry.value.status = .failed
            entry.value.failure = failure
            return end(entry, staged)
        // Without the record, nothing can be done for any recording.
        case .recalling, .finding: return end(.blocked(failure))
        case .identifying(let stages):
            mayBeTimesOnly = false
            return start(anew: stages, after: failure)
        case .adopting(let entry):
            mayBeTimesOnly = false
            return start(anew: entry.value.stages, after: failure)
        case .waiting, .ended, .committing, .settled:
            return nil
        }
    }

    /// Processes a recording as new, because its earlier outputs could not be reused; this does not
    /// count as a failure, and the reuse is not retried.
    private mutating func start(anew stages: Stages, after failure: RecordingFailure) -> Job.Next {
        attempts += 1
        return end(failure.endsRun ? .blocked(failure) : .postponed(stages, afterSeconds: 0))
    }

    /// How the job ends if the failure is not the recording's own; `nil` if it is.
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
        if let measured { entry.update(with: measured) }
        // Waveform files already written are discarded.
        entry.waveforms = nil
        entry.failure = failure
        return Boxed(entry)
    }
}
