import Jobs
import Recordings
import ReducerKit
import TestSupport
import Testing

/// What ends a run before its work is done, and what of it is tried again.
@Suite struct JobStoreTroubleTests {
    private func listing(_ names: Pathname...) -> FolderListing {
        FolderListing(recordings: names.map { Example.scanned($0) })
    }

    /// Where on its way a recording meets what nothing can be done about.
    enum Place: CaseIterable {
        case waveform, trim, sync, record, manifest
    }

    /// Three recordings in two folders; the first in the root is on its way to the given place,
    /// the second is being listened to.
    private func run(upTo place: Place) -> ScriptedRun {
        let run = ScriptedRun(JobStore.Configuration(jobLimit: 2))
        run.listings["a"] = listing("1.wav")
        run.listings["b"] = listing("2.wav", "3.wav")
        if place != .trim { run.silences["1.wav"] = Example.silence([]) }
        run.start([.folder("a"), .folder("b")])
        run.answer(.listing(FolderID(0)))
        run.answer(.listing(FolderID(1)))
        if place != .waveform { run.answer(.work(RecordingID(0))) }
        if ![.waveform, .trim].contains(place) { run.passMoment() }
        switch place {
        case .waveform, .trim, .sync: break
        case .record: run.answer(.commit(1, .syncing))
        case .manifest: run.land(1)
        }
        return run
    }

    private func trouble(_ failure: RecordingFailure, at place: Place) -> JobStore.Action {
        switch place {
        case .waveform, .trim: .job(RecordingID(0), .failed(failure, measured: nil))
        case .sync: .commit(.syncFailed(1, failure))
        case .record: .commit(.recordFailed(1, failure))
        case .manifest: .manifestFailed(FolderID(0), failure)
        }
    }

    private func stops(_ run: ScriptedRun) -> [RecordingFailure] {
        run.announcements.compactMap { if case .stopped(let why) = $0 { why } else { nil } }
    }

    @Test(arguments: Place.allCases, [RecordingFailure.Reason.noSpace, .readOnly])
    func fullOrReadOnlyDiskStopsTheRun(
        _ place: Place, _ reason: RecordingFailure.Reason
    ) {
        let run = run(upTo: place)
        let failure = Example.failure(
            reason, in: place == .waveform ? .waveform : place == .trim ? .trim : .manifest)
        let commands = run.send(trouble(failure, at: place))
        #expect(commands.contains(.cancelWork))
        #expect(commands.contains(.announce(.stopped(failure))))
        #expect(run.state.phase == .stopping(.trouble(failure)))
        run.answerAll()
        #expect(run.state.phase == .finished(.trouble(failure)))
        #expect(run.state.deepViolation == nil)
        // What was safe before is, and all else is left.
        let settled: [Pathname] = place == .manifest ? ["1.wav"] : []
        #expect(run.settledNames == settled)
        #expect(run.state.summary.settled == settled.count)
        #expect(run.state.summary.failed == 0 && run.state.summary.recordings == 3)
        #expect(run.state.summary.manifestsFailed == (place == .manifest ? 1 : 0))
        #expect(stops(run) == [failure])
        // No manifest is tried, and the record is what the next run goes on from.
        #expect(run.manifests.count == (place == .manifest ? 1 : 0))
        #expect(run.commands.last == .finish)
        run.store.finish()
    }

    @Test func waveformOfBlockedRecordingIsDiscarded() {
        let run = run(upTo: .trim)
        let drawn = Example.staged(for: run.listened[0])
        let commands = run.send(trouble(Example.failure(.noSpace, in: .trim), at: .trim))
        #expect(!drawn.isEmpty)
        #expect(commands.first == .commit(.discard(folder: "a", drawn)))
    }

    @Test func recordingFinishedAfterCommitFailureIsDiscarded() {
        let run = run(upTo: .sync)
        run.silences["2.wav"] = Example.silence([])
        let failure = Example.failure(.inputOutput, in: .manifest)
        run.send(trouble(failure, at: .sync))
        let drawn = Example.staged(for: run.listened[1])
        #expect(
            run.answer(.work(RecordingID(1))).first == .commit(.discard(folder: "b", drawn)))
        run.answerAll()
        #expect(run.state.phase == .finished(.trouble(failure)))
        #expect(run.settledNames == [] && run.recorded == [])
    }

    @Test func readOnlyDiskWhilePublishingStopsTheRun() {
        let run = run(upTo: .record)
        run.answer(.commit(1, .recording))
        let failure = Example.failure(.readOnly, in: .waveform)
        run.send(
            .commit(
                .published(
                    1, [Commit.Misplacement(id: RecordingID(0), failure: failure, landed: [])])))
        #expect(run.state.phase == .stopping(.trouble(failure)))
        run.answerAll()
        #expect(run.state.phase == .finished(.trouble(failure)))
        #expect(run.state.deepViolation == nil)
        #expect(run.settledNames == [] && run.state.summary.failed == 0)
        #expect(stops(run) == [failure])
        run.store.finish()
    }

    @Test func fatalManifestFailureIsReportedOnce() {
        let run = run(upTo: .manifest)
        run.send(.manifestFailed(FolderID(0), Example.failure(.noSpace, in: .manifest)))
        run.answerAll()
        let told = run.announcements.filter { if case .settled = $0 { false } else { true } }
        #expect(told == [.stopped(Example.failure(.noSpace, in: .manifest))])
    }

    @Test func manifestFailureWhileClosingIsNotReportedAgain() {
        let full = Example.failure(.noSpace, in: .manifest)
        var state = JobStore.State(configuration: JobStore.Configuration())
        state.phase = .closing(.trouble(full))
        state.manifestsInFlight = [FolderID(0)]
        _ = state.scan.folders.add(FolderIndex.Place(path: ""))
        #expect(JobStore.reducer(&state, .manifestFailed(FolderID(0), full)) == [.finish])
    }

    @Test func fatalFailureIsReportedOncePerRun() {
        let run = run(upTo: .waveform)
        let failure = Example.failure(.noSpace, in: .waveform)
        run.send(.job(RecordingID(0), .failed(failure, measured: nil)))
        run.send(.job(RecordingID(1), .failed(failure, measured: nil)))
        run.answerAll()
        #expect(stops(run) == [failure])
        #expect(run.state.phase == .finished(.trouble(failure)))
    }

    @Test func fatalFailureOverridesASignal() {
        let failure = Example.failure(.noSpace, in: .waveform)
        let signalled = run(upTo: .waveform)
        signalled.send(.stopRequested(.interrupt))
        #expect(
            signalled.send(trouble(failure, at: .waveform)) == [.announce(.stopped(failure))])
        #expect(signalled.state.phase == .stopping(.trouble(failure)))
        signalled.answerAll()
        #expect(signalled.state.phase == .finished(.trouble(failure)))
        let troubled = run(upTo: .waveform)
        troubled.send(trouble(failure, at: .waveform))
        #expect(troubled.send(.stopRequested(.interrupt)) == [])
        #expect(troubled.state.phase == .stopping(.trouble(failure)))
    }

    @Test func ordinaryManifestFailureDoesNotStopTheRun() {
        let run = run(upTo: .manifest)
        run.send(trouble(Example.failure(.inputOutput, in: .manifest), at: .manifest))
        #expect(run.state.phase == .running)
        run.answerAll()
        #expect(run.state.summary.done == 3 && run.state.summary.manifestsFailed == 1)
        #expect(run.state.phase == .finished(nil))
        #expect(stops(run) == [])
    }

    // MARK: What may pass

    private let busy = Example.failure(.tooManyOpenFiles)
    private let ticking: Set<JobStore.Subscription> = [.stopSignals, .ticks(perSecond: 5)]

    private func runThatRests() -> ScriptedRun {
        let run = ScriptedRun()
        run.listings[""] = listing("a.wav")
        run.start()
        run.answerNext()
        run.send(.job(RecordingID(0), .failed(busy, measured: nil)))
        return run
    }

    @Test func transientFailureIsRetriedAfterDelay() {
        let run = runThatRests()
        #expect(run.state.summary.failed == 0 && run.state.scheduler.running == 0)
        #expect(run.state.jobs[RecordingID(0)].phase == .waiting(.all))
        #expect(!run.state.isFinished)
        // The rest begins with the first tick that it sees.
        #expect(run.send(.ticked(100)) == [])
        #expect(run.send(.ticked(100.4)) == [])
        let commands = run.send(.ticked(100.5))
        guard case .job(RecordingID(0), .listen(let order))? = commands.first else {
            Issue.record("it is not tried again: \(commands)")
            return
        }
        var again = run.listened[0]
        again.attempt = 1
        #expect(order == again)
        run.answerAll()
        #expect(run.state.isFinished && run.state.summary.done == 1)
        #expect(run.state.summary.failed == 0)
        run.store.finish()
    }

    @Test func ticksAreSubscribedOnlyWhileJobsRunOrRest() {
        let run = ScriptedRun()
        run.listings[""] = listing("a.wav")
        run.start()
        #expect(JobStore.subscriptions(of: run.state) == [.stopSignals])
        run.answerNext()
        #expect(run.state.scheduler.running == 1)
        #expect(JobStore.subscriptions(of: run.state) == ticking)
        run.send(.job(RecordingID(0), .failed(busy, measured: nil)))
        #expect(run.state.scheduler.running == 0)
        #expect(JobStore.subscriptions(of: run.state) == ticking)
        run.send(.ticked(1))
        run.send(.ticked(2))
        #expect(run.state.scheduler.running == 1)
        run.silences["a.wav"] = Example.silence([])
        run.answer(.work(RecordingID(0)))
        #expect(JobStore.subscriptions(of: run.state) == [.stopSignals])
        run.answerAll()
        #expect(JobStore.subscriptions(of: run.state) == [])
    }

    @Test func recordingFailsAfterFourAttempts() {
        let run = runThatRests()
        var now = 0.0
        for (attempt, pause) in [0.5, 2, 8].enumerated() {
            #expect(run.listened.count == attempt + 1)
            run.send(.ticked(now))
            run.send(.ticked(now + pause - 0.001))
            #expect(run.listened.count == attempt + 1, "before \(pause) seconds")
            run.send(.ticked(now + pause))
            #expect(run.listened.count == attempt + 2, "after \(pause) seconds")
            run.send(.job(RecordingID(0), .failed(busy, measured: nil)))
            now += 100
        }
        #expect(run.state.scheduler.resting.isEmpty)
        run.answerAll()
        #expect(run.listened.count == 4)
        #expect(run.state.summary.failed == 1)
        #expect(run.manifests.map { $0.entries.map(\.failure) } == [[busy]])
        #expect(run.state.isFinished)
        run.store.finish()
    }

    @Test func otherRecordingsProceedDuringRetryDelay() {
        let run = ScriptedRun()
        run.listings[""] = listing("a.wav", "b.wav")
        run.start()
        run.answerNext()
        run.send(.job(RecordingID(0), .failed(busy, measured: nil)))
        run.answerAll()
        #expect(run.settledNames == ["b.wav"])
        #expect(run.manifests.isEmpty && !run.state.isFinished)
        run.send(.ticked(1))
        run.send(.ticked(2))
        run.answerAll()
        #expect(run.settledNames == ["b.wav", "a.wav"])
        #expect(run.manifests.count == 1 && run.state.isFinished)
    }

    @Test func failedCopyIsRetriedFromDecoding() {
        let run = ScriptedRun()
        run.listings[""] = listing("a.wav")
        run.start()
        run.answerNext()
        run.answer(.work(RecordingID(0)))
        let drawn = Example.staged(for: run.listened[0])
        let failure = Example.failure(.unavailable, in: .trim)
        #expect(
            run.send(.job(RecordingID(0), .failed(failure, measured: nil)))
                == [.commit(.discard(folder: "", drawn))])
        run.send(.ticked(0))
        run.send(.ticked(1))
        run.answerAll()
        #expect(run.listened.count == 2 && run.trimmed.count == 2)
        #expect(run.state.isFinished && run.state.summary.done == 1)
    }

    @Test func stopDuringRetryDelayEndsTheRun() {
        let run = runThatRests()
        let commands = run.send(.stopRequested(.interrupt))
        #expect(commands.first == .cancelWork && commands.last == .finish)
        #expect(run.state.phase == .finished(.interrupt))
        #expect(run.state.summary.settled == 0 && run.manifests.isEmpty)
        #expect(run.send(.ticked(100)) == [] && run.send(.ticked(200)) == [])
        run.store.finish()
    }
}
