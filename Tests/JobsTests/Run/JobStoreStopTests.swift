import Jobs
import Recordings
import TestSupport
import Testing

@Suite struct JobStoreStopTests {
    private let oldRecipe: Recipe = {
        var recipe = Recipe()
        recipe.waveform.bits = 16
        return recipe
    }()

    /// Four recordings, the last one done by an earlier run with another recipe; two run at once.
    private func runUnderWay() -> ScriptedRun {
        let run = ScriptedRun(JobStore.Configuration(jobLimit: 2))
        let earlier = Example.previousWork(
            Example.doneEntry("d.wav", recipe: oldRecipe), recipe: oldRecipe)
        run.listings[""] = FolderListing(
            recordings: ["a.wav", "b.wav", "c.wav"].map { Example.scanned($0) }
                + [Example.scanned("d.wav", previous: earlier)],
            subfolders: ["sub"])
        run.start()
        run.answerNext()
        run.silences["a.wav"] = Example.silence([])
        return run
    }

    private func cancelled(_ index: Int) -> JobStore.Action {
        .job(RecordingID(index), .cancelled)
    }

    @Test func interruptedRunCancelsJobsAndWritesManifest() throws {
        let run = runUnderWay()
        // The listing of the subfolder, then the first recording; the third starts.
        run.answerNext()
        run.answer(.work(RecordingID(0)))
        run.passMoment()
        run.land(1)
        #expect(run.settledNames == ["a.wav"])
        #expect(run.send(.stopRequested(.interrupt)) == [.cancelWork])
        #expect(run.state.phase == .stopping(.interrupt))
        #expect(run.send(cancelled(1)) == [])
        let commands = run.send(cancelled(2))
        #expect(run.state.phase == .closing(.interrupt))
        guard case .writeManifest(let id, _) = commands.first, commands.count == 1 else {
            Issue.record("a manifest is due, and nothing else: \(commands)")
            return
        }
        let order = try #require(run.manifests.last)
        #expect(order.entries.map(\.name) == ["a.wav", "d.wav"])
        #expect(order.entries.map(\.recipe) == [nil, oldRecipe])
        #expect(order.superfluous.isEmpty)
        #expect(run.send(.manifestWritten(id)) == [.finish])
        #expect(run.state.phase == .finished(.interrupt))
        run.store.finish()
    }

    @Test func recordingFinishedAfterStopIsKept() {
        let run = runUnderWay()
        run.send(.stopRequested(.terminate))
        run.answerAll()
        // The first had nothing to cut, the second would have gone on to trim.
        #expect(run.settledNames == ["a.wav"])
        #expect(run.manifests.map { $0.entries.map(\.name) } == [["a.wav", "d.wav"]])
        #expect(
            run.commands.contains(
                .commit(.discard(folder: "", Example.staged(for: run.listened[1])))))
        #expect(run.state.phase == .finished(.terminate))
        run.store.finish()
    }

    @Test func stoppingRunStartsNoTrimming() {
        let run = runUnderWay()
        run.send(.stopRequested(.interrupt))
        let before = run.commands.count
        run.answerAll()
        #expect(run.trimmed.isEmpty)
        #expect(run.listened.count == 2)
        #expect(!run.commands[before...].contains { if case .scan = $0 { true } else { false } })
    }

    @Test func secondStopRequestIsIgnored() {
        let run = runUnderWay()
        run.send(.stopRequested(.interrupt))
        let before = run.state
        #expect(run.send(.stopRequested(.terminate)) == [])
        #expect(run.state == before)
    }

    @Test func stopWaitsForPendingListingAndIgnoresIt() {
        let run = ScriptedRun()
        run.listings[""] = FolderListing(
            recordings: [Example.scanned("a.wav")], subfolders: ["sub"])
        run.start()
        run.send(.stopRequested(.interrupt))
        #expect(!run.state.isFinished)
        run.answerNext()
        #expect(run.commands.last == .finish && run.listened.isEmpty)
        #expect(run.state.summary.recordings == 0)
        run.store.finish()
    }

    @Test func failedListingIsNotReportedWhileStopping() {
        let run = ScriptedRun()
        run.start()
        run.send(.stopRequested(.interrupt))
        #expect(run.send(.scan(.failed(FolderID(0), Example.failure()))) == [.finish])
    }

    @Test func idleRunStopsAtOnce() {
        let run = ScriptedRun()
        #expect(run.send(.stopRequested(.interrupt)) == [.cancelWork, .finish])
        // The beginning that comes too late.
        #expect(run.start() == [])
        #expect(run.send(.stopRequested(.interrupt)) == [])
    }

    @Test func stopWaitsForPendingManifest() {
        let run = ScriptedRun()
        run.listings[""] = FolderListing(
            recordings: [Example.scanned("a.wav")], subfolders: ["sub"])
        run.listings["sub"] = FolderListing(recordings: [Example.scanned("b.wav")])
        run.silences["a.wav"] = Example.silence([])
        run.start()
        run.answerNext()
        run.answer(.work(RecordingID(0)))
        run.land(1)
        #expect(run.manifests.count == 1)
        run.send(.stopRequested(.interrupt))
        run.answer(.listing(FolderID(1)))
        #expect(run.send(cancelled(1)) == [])
        #expect(run.state.phase == .closing(.interrupt))
        #expect(run.send(.manifestWritten(FolderID(0))) == [.finish])
        #expect(run.manifests.count == 1)
    }
}
