import Jobs
import Recordings
import ReducerKit
import TestSupport
import Testing

/// Outcomes on their way to the disk, as the whole run sees it.
@Suite struct JobStoreCommitTests {
    private func listing(_ names: Pathname..., subfolders: [Pathname] = []) -> FolderListing {
        FolderListing(recordings: names.map { Example.scanned($0) }, subfolders: subfolders)
    }

    /// A run that has listed these recordings and works on the first of them.
    private func begun(_ names: [Pathname], jobLimit: Int = 1) -> ScriptedRun {
        let run = ScriptedRun(JobStore.Configuration(jobLimit: jobLimit))
        run.listings[""] = FolderListing(recordings: names.map { Example.scanned($0) })
        for name in names { run.silences[name] = Example.silence([]) }
        run.start()
        run.answerNext()
        return run
    }

    private func work(_ index: Int) -> Due { .work(RecordingID(index)) }

    private func isRecord(_ command: JobStore.Command) -> Bool {
        if case .commit(.record) = command { true } else { false }
    }

    // MARK: The order of things

    @Test func commitSyncsRecordsAndPublishesBeforeManifest() {
        let run = ScriptedRun()
        run.listings[""] = listing("a.wav")
        run.silences["a.wav"] = Example.silence([])
        run.start()
        run.answerNext()
        run.answer(work(0))
        #expect(run.pending.map(\.due) == [.commit(1, .syncing)])
        #expect(!run.commands.contains(where: isRecord))
        run.answer(.commit(1, .syncing))
        #expect(run.pending.map(\.due) == [.commit(1, .recording)])
        run.answer(.commit(1, .recording))
        #expect(run.pending.map(\.due) == [.commit(1, .publishing)])
        // Until its files are in their places nobody is told that it is settled.
        #expect(run.settledNames == [] && run.state.summary.done == 0)
        #expect(run.manifests.isEmpty)
        run.answer(.commit(1, .publishing))
        #expect(run.settledNames == ["a.wav"] && run.state.summary.done == 1)
        #expect(run.pending.map(\.due) == [.manifest(FolderID(0))])
        run.answerAll()
        #expect(run.state.isFinished)
    }

    @Test func recordingsFinishedDuringACommitFormTheNextGroup() {
        let run = begun(["a", "b", "c", "d"], jobLimit: 4)
        run.answer(work(0))
        run.passMoment()
        for index in 1..<4 { run.answer(work(index)) }
        #expect(run.state.commit.count == 4)
        run.answerAll()
        let groups = run.commands.compactMap { command -> [Int]? in
            guard case .commit(.record(_, let outcomes, _)) = command else { return nil }
            return outcomes.map { Int($0.id.index) }
        }
        #expect(groups == [[0], [1, 2, 3]])
        #expect(run.state.isFinished && run.state.summary.done == 4)
    }

    @Test func finishedRecordingsWaitForNextTickToCommit() {
        let run = begun(["a", "b", "c"], jobLimit: 2)
        #expect(run.answer(work(0)).contains { $0.due == work(2) })
        run.answer(work(1))
        #expect(run.state.commit.gathering.count == 2 && run.state.commit.underway == nil)
        #expect(JobStore.subscriptions(of: run.state).contains(.ticks(perSecond: 5)))
        #expect(run.passMoment().map(\.due) == [.commit(1, .syncing)])
        // Nobody else may come.
        run.land(1)
        #expect(run.answer(work(2)).map(\.due) == [.commit(2, .syncing)])
        #expect(!JobStore.subscriptions(of: run.state).contains(.ticks(perSecond: 5)))
    }

    @Test func tickDuringACommitStartsTheNextGroup() {
        let run = begun(["a", "b", "c"], jobLimit: 2)
        run.answer(work(0))
        run.passMoment()
        run.answer(work(1))
        run.passMoment()
        #expect(run.state.commit.gathering.count == 1 && run.state.commit.underway?.number == 1)
        #expect(run.land(1).contains { $0.due == .commit(2, .syncing) })
    }

    @Test func fullGroupCommitsAtOnceAndGroupSizeGrows() {
        let sizes = [16, 16, 16, 16, 16, 16, 16, 16, 32, 32, 32, 32, 32, 32, 32, 32, 64, 64]
        let names = (0...sizes.reduce(0, +)).map { Pathname("\($0)") }.sorted()
        let run = begun(names)
        var next = 0
        for (group, size) in zip(1..., sizes) {
            for index in next..<next + size - 1 { run.answer(work(index)) }
            #expect(run.state.commit.underway == nil)
            let last = run.answer(work(next + size - 1))
            #expect(last.contains { $0.due == .commit(group, .syncing) })
            #expect(run.state.commit.underway?.outcomes.count == size)
            run.land(group)
            next += size
        }
    }

    @Test func journalRecordsRecipeFilesAndObsoleteOutputs() throws {
        var configuration = JobStore.Configuration()
        configuration.recipes.usual.value.waveform.format = .json
        let run = ScriptedRun(configuration)
        run.silences["a.wav"] = Example.silence([])
        run.listings["f"] = FolderListing(recordings: [
            Example.scanned("a.wav", previous: Example.previousWork(Example.doneEntry("a.wav")))
        ])
        run.run([.folder("f")])
        let record = try #require(run.commands.first(where: isRecord))
        guard case .commit(.record(1, let outcomes, let recipes)) = record else { return }
        #expect(recipes == configuration.recipes)
        #expect(outcomes.map(\.path) == ["f"])
        #expect(outcomes.flatMap(\.staged).map(\.name) == ["a.wav.json"])
        #expect(outcomes.map(\.previous?.value.made) == [["a.wav.dat"]])
        // The old file is deleted with the manifest that no longer names it.
        #expect(run.manifests.map(\.superfluous) == [["a.wav.dat"]])
    }

    @Test func failedRecordingIsJournaled() {
        let run = ScriptedRun()
        run.listings[""] = listing("a.wav")
        run.start()
        run.answerNext()
        run.send(.job(RecordingID(0), .failed(Example.failure(), measured: nil)))
        run.answerAll()
        #expect(run.recorded.map(\.entry.value.status) == [.failed])
        #expect(run.recorded.flatMap(\.staged) == [])
        #expect(run.state.summary.failed == 1)
    }

    @Test func failedMoveSettlesAsFailedWithNextGroup() {
        let run = ScriptedRun()
        run.listings[""] = listing("a.wav")
        run.silences["a.wav"] = Example.silence([])
        run.start()
        run.answerNext()
        run.answer(work(0))
        run.answer(.commit(1, .syncing))
        run.answer(.commit(1, .recording))
        let failure = Example.failure(.other, in: .waveform)
        let misplacement = Commit.Misplacement(id: RecordingID(0), failure: failure, landed: [])
        run.send(.commit(.published(1, [misplacement])))
        #expect(run.settledNames == [] && run.manifests.isEmpty)
        #expect(run.state.deepViolation == nil)
        run.answerAll()
        #expect(run.settledNames == ["a.wav"])
        #expect(run.recorded.map(\.entry.value.status) == [.done, .failed])
        #expect(run.manifests.map { $0.entries.map(\.failure) } == [[failure]])
        #expect(run.state.summary.failed == 1 && run.state.summary.done == 0)
        #expect(run.state.phase == .finished(nil))
        run.store.finish()
    }

    @Test func jobsWaitWhileTooManyResultsAreUncommitted() {
        let names = (0...JobStore.mostUncommitted).map { Pathname("\($0)") }.sorted()
        var recipe = Recipe()
        recipe.trim.mode = .off
        let run = ScriptedRun(JobStore.Configuration(recipe: recipe, jobLimit: 2))
        // Their copies are to go, for which nothing has to be listened to: they end as they start.
        run.listings[""] = FolderListing(
            recordings: names.map {
                Example.scanned($0, previous: Example.previousWork(Example.doneEntry($0)))
            })
        run.start()
        run.answerNext()
        #expect(run.state.commit.count == JobStore.mostUncommitted)
        #expect(run.state.scheduler.cursor == JobStore.mostUncommitted)
        #expect(run.state.scheduler.running == 0 && run.listened.isEmpty)
        // The first group has one, so that there is room for one more when it lands.
        run.land(1)
        #expect(run.state.scheduler.cursor == JobStore.mostUncommitted + 1)
        #expect(run.state.commit.count == JobStore.mostUncommitted)
        run.answerAll()
        #expect(run.state.isFinished && run.state.summary.done == names.count)
        #expect(run.state.commit.groups == 3)
    }

    // MARK: Signals

    @Test(arguments: [Commit.Step.syncing, .recording, .publishing])
    func interruptedRunFinishesCommitBeforeManifest(_ step: Commit.Step) {
        let run = ScriptedRun(JobStore.Configuration(jobLimit: 2))
        run.listings[""] = listing("a.wav", "b.wav")
        run.silences["a.wav"] = Example.silence([])
        run.start()
        run.answerNext()
        run.answer(work(0))
        run.passMoment()
        for before in [Commit.Step.syncing, .recording] where step != .syncing {
            if before == .syncing || step == .publishing { run.answer(.commit(1, before)) }
        }
        #expect(run.state.commit.underway?.step == step)
        #expect(run.send(.stopRequested(.interrupt)) == [.cancelWork])
        run.send(.job(RecordingID(1), .cancelled))
        #expect(run.state.phase == .stopping(.interrupt))
        run.answerAll()
        #expect(run.settledNames == ["a.wav"])
        #expect(run.manifests.map { $0.entries.map(\.name) } == [["a.wav"]])
        #expect(run.state.phase == .finished(.interrupt))
        #expect(run.state.summary.settled == 1)
        run.store.finish()
    }
}
