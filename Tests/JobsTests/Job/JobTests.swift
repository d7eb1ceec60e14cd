import Jobs
import Recordings
import ReducerKit
import TestSupport
import Testing

@Suite struct JobTests {
    typealias Store = TestStore<Job.State, Event, Job.Next>

    /// What happens to a job.
    enum Event {
        case started(Stages, previous: Boxed<ManifestEntry>?)
        case answered(Job.Action)

        static func listened(_ measured: Measurements, staged: [StagedFile]) -> Event {
            .answered(.listened(measured, staged: staged))
        }

        static func trimmed(_ file: TrimmedFile, staged: [StagedFile]) -> Event {
            .answered(.trimmed(file, staged: staged))
        }

        static func failed(_ failure: RecordingFailure, measured: Measurements?) -> Event {
            .answered(.failed(failure, measured: measured))
        }
    }

    static let reducer = Reducer<Job.State, Event, Job.Next> { job, event, order in
        switch event {
        case .started(let stages, let previous): order(job.start(stages, previous: previous))
        case .answered(let answer): if let next = job.handle(answer) { order(next) }
        }
    }

    func order(
        _ stages: Stages = .all, previous: ManifestEntry? = nil,
        recipe change: (inout Recipe) -> Void = { _ in }
    ) -> Given {
        var recipe = Recipe()
        change(&recipe)
        return Given(stages: stages, recipe: recipe, previous: previous.map { Boxed($0) })
    }

    /// What a test begins with.
    struct Given {
        var stages: Stages
        var recipe: Recipe
        var previous: Boxed<ManifestEntry>?

        var context: Boxed<Job.FolderContext> {
            Boxed(Job.FolderContext(folder: "f", recipe: recipe))
        }
    }

    func state(_ phase: Job.Phase, _ given: Given) -> Job.State {
        Job.State(
            folder: FolderID(0), name: "a.wav", stamp: Example.stamp, phase: phase,
            context: given.context)
    }

    func store(_ phase: Job.Phase, _ given: Given) -> Store {
        Store(
            initialState: state(phase, given), reducer: Self.reducer,
            awaitsAnswer: { if case .order = $0 { "worker" } else { nil } },
            answers: { if case .started = $0 { nil } else { "worker" } })
    }

    func listening(_ order: Given) -> ListeningOrder {
        ListeningOrder(
            source: RecordingSource(
                context: order.context, name: "a.wav", stamp: Example.stamp),
            stages: order.stages.intersection(.listening))
    }

    /// Keeps all but the first 750 milliseconds of ten seconds.
    let trimming = TrimmingOrder(
        source: RecordingSource(folder: "f", name: "a.wav", stamp: Example.stamp),
        format: Example.format(), edits: EditList(keeping: [750..<10_000], of: 10_000),
        container: .same)

    /// What a job comes to that ends with this entry.
    func ended(_ entry: ManifestEntry, staged: [StagedFile] = []) -> Job.Next {
        .ended(Job.Ending(.entry(Boxed(entry)), staged: staged))
    }

    func measuredEntry(_ measured: Measurements) -> ManifestEntry {
        var entry = ManifestEntry(name: "a.wav", status: .done, source: Example.stamp)
        entry.format = measured.format
        entry.levels = measured.levels
        entry.silence = measured.silence
        entry.waveforms = measured.waveforms
        return entry
    }

    @Test func jobListensThenTrimsThenEnds() {
        let order = order()
        let store = store(.waiting(.all), order)
        let measured = Example.measurements(for: listening(order))
        let drawn = Example.staged(for: listening(order))
        var entry = measuredEntry(measured)
        store.send(
            .started(order.stages, previous: order.previous),
            expecting: { $0.phase = .listening(order.stages, previous: order.previous) },
            commands: [.order(.listen(listening(order)))])
        store.send(
            .listened(measured, staged: drawn),
            expecting: { $0.phase = .trimming(order.stages, Boxed(entry), staged: drawn) },
            commands: [.order(.trim(trimming))])
        let file = Example.trimmedFile(for: trimming)
        let copy = Example.staged(for: trimming)
        entry.trimmed = file
        store.send(
            .trimmed(file, staged: copy),
            expecting: { $0.phase = .ended }, commands: [ended(entry, staged: drawn + copy)])
        store.finish()
    }

    @Test func waveformsOfTheCopyAreOrderedWithIt() {
        let order = order { $0.waveform.subjects = [.source, .trimmed] }
        var trimming = trimming
        trimming.source.context = order.context
        #expect(trimming.waveformNames == ["a.wav.trimmed.dat"])
        let measured = Example.measurements(for: listening(order))
        var entry = measuredEntry(measured)
        var job = state(.trimming(.all, Boxed(entry), staged: []), order)
        entry.trimmed = Example.trimmedFile(for: trimming)
        let staged = Example.staged(for: trimming)
        #expect(staged.map(\.name) == ["a.wav", "a.wav.trimmed.dat"])
        #expect(entry.made == ["a.wav.dat", "a.wav", "a.wav.trimmed.dat"])
        let next = job.handle(
            .trimmed(Example.trimmedFile(for: trimming), staged: staged))
        #expect(next == ended(entry, staged: staged) && job.phase == .ended)
    }

    @Test func waveformsOfTheCopyAloneNeedNoDecodingBeforehand() {
        var source = RecordingSource(folder: "", name: "a.wav", stamp: Example.stamp)
        source.context.value.recipe.waveform.subjects = [.trimmed]
        let redrawing = ListeningOrder(source: source, stages: .waveform)
        #expect(redrawing.waveformNames == [] && redrawing.decodingStages == [])
        let all = ListeningOrder(source: source, stages: .listening)
        #expect(all.decodingStages == [.levels, .silence])
        source.context.value.recipe.waveform.subjects = [.source]
        #expect(ListeningOrder(source: source, stages: .waveform).decodingStages == .waveform)
    }

    @Test func untrimmedRecordingStatesTheReason() {
        let order = order()
        let measured = Example.measurements(
            for: listening(order), silence: Example.silence([], silent: true))
        var entry = measuredEntry(measured)
        entry.notTrimmed = .silent
        let store = store(.listening(order.stages, previous: order.previous), order)
        let drawn = Example.staged(for: listening(order))
        store.send(
            .listened(measured, staged: drawn),
            expecting: { $0.phase = .ended }, commands: [ended(entry, staged: drawn)])
    }

    @Test func redoingOnlyTheTrimmedCopyReusesTheMeasuredSilence() {
        var previous = Example.doneEntry("a.wav", silence: Example.silence())
        previous.notTrimmed = .off
        let order = order(.trim, previous: previous)
        var entry = previous
        entry.notTrimmed = nil
        let store = store(.waiting(.trim), order)
        store.send(
            .started(order.stages, previous: order.previous),
            expecting: { $0.phase = .trimming(order.stages, Boxed(entry), staged: []) },
            commands: [.order(.trim(trimming))])
        let file = Example.trimmedFile(for: trimming)
        entry.trimmed = file
        let copy = Example.staged(for: trimming)
        store.send(
            .trimmed(file, staged: copy), expecting: { $0.phase = .ended },
            commands: [ended(entry, staged: copy)])
        store.finish()
    }

    @Test func jobEndsAtOnceWhenTrimmingIsOff() {
        var previous = Example.doneEntry("a.wav", silence: Example.silence())
        previous.notTrimmed = nil
        previous.trimmed = Example.trimmedFile(for: trimming)
        let order = order(.trim, previous: previous) { $0.trim.mode = .off }
        var entry = previous
        entry.trimmed = nil
        entry.notTrimmed = .off
        store(.waiting(.trim), order).send(
            .started(order.stages, previous: order.previous), expecting: { $0.phase = .ended },
            commands: [ended(entry)])
    }

    @Test func redoingOnlyTheWaveformKeepsLevelsSilenceAndTrimmedCopy() {
        var previous = Example.doneEntry("a.wav", silence: Example.silence())
        previous.notTrimmed = nil
        previous.trimmed = Example.trimmedFile(for: trimming)
        let order = order(.waveform, previous: previous) { $0.waveform.samplesPerPixel = [64] }
        let store = store(.waiting(.waveform), order)
        store.send(
            .started(order.stages, previous: order.previous),
            expecting: { $0.phase = .listening(order.stages, previous: order.previous) },
            commands: [.order(.listen(listening(order)))])
        let measured = Example.measurements(for: listening(order))
        var entry = previous
        entry.waveforms = [Example.waveform("a.wav.dat", samplesPerPixel: 64)]
        let drawn = Example.staged(for: listening(order))
        store.send(
            .listened(measured, staged: drawn),
            expecting: { $0.phase = .ended }, commands: [ended(entry, staged: drawn)])
        store.finish()
    }

    @Test func redoneEntryDropsItsEarlierRecipe() {
        var previous = Example.doneEntry("a.wav")
        previous.recipe = Recipe()
        let order = order(.waveform, previous: previous)
        var entry = previous
        entry.recipe = nil
        let measured = Example.measurements(for: listening(order))
        store(.listening(order.stages, previous: order.previous), order).send(
            .listened(measured, staged: []), expecting: { $0.phase = .ended },
            commands: [ended(entry)])
    }

    @Test func decodeFailureKeepsMeasurements() {
        let order = order()
        let measured = Measurements(format: Example.format(seconds: 3), levels: Example.levels())
        var entry = ManifestEntry(name: "a.wav", status: .failed, source: Example.stamp)
        entry.failure = Example.failure(.truncated)
        store(.listening(order.stages, previous: order.previous), order).send(
            .failed(Example.failure(.truncated), measured: nil),
            expecting: { $0.phase = .ended }, commands: [ended(entry)])
        entry.format = measured.format
        entry.levels = measured.levels
        store(.listening(order.stages, previous: order.previous), order).send(
            .failed(Example.failure(.truncated), measured: measured),
            expecting: { $0.phase = .ended }, commands: [ended(entry)])
    }

    @Test func trimFailureKeepsMeasurements() {
        let order = order()
        var entry = measuredEntry(Example.measurements(for: listening(order)))
        let drawn = Example.staged(for: listening(order))
        let store = store(.trimming(order.stages, Boxed(entry), staged: drawn), order)
        entry.status = .failed
        entry.failure = Example.failure(.corrupt, in: .trim)
        store.send(
            .failed(Example.failure(.corrupt, in: .trim), measured: nil),
            expecting: { $0.phase = .ended }, commands: [ended(entry, staged: drawn)])
    }

    @Test func transientFailurePostponesTheJob() {
        let order = order(.trim, previous: Example.doneEntry("a.wav"))
        let drawn = Example.staged(for: listening(order))
        let failure = Example.failure(.tooManyOpenFiles, in: .trim)
        let entry = Boxed(Example.doneEntry("a.wav"))
        let phases: [(Job.Phase, [StagedFile])] = [
            (.listening(order.stages, previous: order.previous), []),
            (.trimming(order.stages, entry, staged: drawn), drawn),
        ]
        for (phase, staged) in phases {
            store(phase, order).send(
                .failed(failure, measured: nil),
                expecting: {
                    $0.attempts = 1
                    $0.phase = .ended
                },
                commands: [
                    .ended(Job.Ending(.postponed(.trim, afterSeconds: 0.5), staged: staged))
                ])
        }
    }

    @Test func fullDiskEndsJobAsBlocked() {
        let order = order()
        let failure = Example.failure(.noSpace, in: .waveform)
        let entry = Boxed(Example.doneEntry("a.wav"))
        let drawn = Example.staged(for: listening(order))
        store(.listening(order.stages, previous: order.previous), order).send(
            .failed(failure, measured: nil),
            expecting: { $0.phase = .ended }, commands: [.ended(Job.Ending(.blocked(failure)))])
        store(.trimming(order.stages, entry, staged: drawn), order).send(
            .failed(failure, measured: nil),
            expecting: { $0.phase = .ended },
            commands: [.ended(Job.Ending(.blocked(failure), staged: drawn))])
    }

    @Test func checksumStageAddsOnlyTheDigest() {
        let previous = Example.doneEntry("a.wav")
        let order = order(.checksum, previous: previous)
        var measured = Measurements(format: nil)
        measured.sourceSHA256 = "ab"
        var entry = previous
        entry.sourceSHA256 = "ab"
        store(.listening(order.stages, previous: order.previous), order).send(
            .listened(measured, staged: []), expecting: { $0.phase = .ended },
            commands: [ended(entry)])
    }

    @Test func fadeLengthIsConvertedToFrames() {
        let order = order { $0.trim.fadeMilliseconds = 7.5 }
        let format = Example.format(rateHertz: 44_100, container: .flac)
        let measured = Measurements(format: format, silence: Example.silence())
        let commands = store(.listening(order.stages, previous: order.previous), order).skip(
            .listened(measured, staged: []))
        guard case .order(.trim(let trim)) = commands.first else {
            Issue.record("no copy was ordered")
            return
        }
        #expect(trim.fadeFrames == 331)
        #expect(trim.format == format)
    }
}
