import Jobs
import Recordings
import ReducerKit
import TestSupport
import Testing

/// A decoder that hangs, of which somebody else says so.
@Suite struct StuckDecoderTests {
    private let failure = RecordingFailure(stage: .decode, reason: .decoderStuck)

    /// Two of three recordings are being listened to.
    private func runUnderWay() -> ScriptedRun {
        let run = ScriptedRun(JobStore.Configuration(jobLimit: 2))
        run.listings[""] = FolderListing(
            recordings: ["1.wav", "2.wav", "3.wav"].map { Example.scanned($0) })
        run.start()
        run.answerNext()
        return run
    }

    @Test func stuckDecoderFailsRecordingAndStopsRun() {
        let run = runUnderWay()
        let commands = run.send(.job(RecordingID(0), .failed(failure, measured: nil)))
        var told = failure
        told.detail = "1.wav"
        #expect(commands.contains(.cancelWork))
        #expect(commands.contains(.announce(.stopped(told))))
        // Somebody answers for the one that waits for what the first one holds.
        run.send(.job(RecordingID(1), .cancelled))
        run.answerAll()
        #expect(run.state.phase == .finished(.trouble(told)))
        #expect(run.state.deepViolation == nil)
        // The journal says it, so that the next run leaves the recording out.
        let recorded = run.commands.flatMap { command -> [Commit.Outcome] in
            if case .commit(.record(_, let outcomes, _)) = command { outcomes } else { [] }
        }
        #expect(recorded.map(\.name) == ["1.wav"])
        #expect(recorded.first?.entry.value.failure == failure)
        #expect(run.settledNames == ["1.wav"] && run.state.summary.failed == 1)
        run.store.finish()
    }

    /// Which decodes it in a process of its own.
    @Test func stuckRecordingIsTriedAgainByTheNextRun() {
        var entry = ManifestEntry(name: "1.wav", status: .failed, source: Example.stamp)
        entry.failure = failure
        let recipe = Boxed(Recipe())
        let staleness = Staleness(
            stamp: Example.stamp, previous: PreviousWork(entry, recipe: recipe.value),
            names: OutputNames(), policy: Staleness.RebuildPolicy(recipe: recipe))
        #expect(staleness == .stale(.all, [.failedBefore(failure)]))
    }
}

/// Folders that cannot be listed for a reason that may pass.
@Suite struct ListingRetryTests {
    private func run(_ folders: [Pathname]) -> ScriptedRun {
        let run = ScriptedRun()
        for folder in folders {
            run.listings[folder] = FolderListing(
                recordings: [Example.scanned(folder.adding(suffix: ".wav"))])
        }
        run.start(folders.map { .folder($0) })
        return run
    }

    private func fails(_ id: Int, _ reason: RecordingFailure.Reason) -> JobStore.Action {
        .scan(.failed(FolderID(id), Example.failure(reason, in: .scan)))
    }

    private func hasListing(_ commands: [JobStore.Command], of id: Int) -> Bool {
        commands.contains {
            if case .scan(.list(FolderID(id), _)) = $0 { true } else { false }
        }
    }

    @Test(arguments: [RecordingFailure.Reason.inputOutput, .tooManyOpenFiles, .unavailable])
    func transientListingFailureIsRetriedSilently(reason: RecordingFailure.Reason) {
        let run = run(["a", "b"])
        run.send(fails(0, reason))
        // The others go on meanwhile.
        run.answerAll()
        #expect(!run.state.isFinished && run.state.summary.foldersFailed == 0)
        #expect(JobStore.subscriptions(of: run.state).contains(.ticks(perSecond: 5)))
        run.send(.ticked(10))
        #expect(!hasListing(run.send(.ticked(10.4)), of: 0))
        #expect(hasListing(run.send(.ticked(10.6)), of: 0))
        run.answerAll()
        #expect(run.state.isFinished && run.state.summary.foldersFailed == 0)
        #expect(run.state.summary.done == 2)
        run.store.finish()
    }

    @Test func listingFailsAfterThreeRetries() {
        let run = run(["a"])
        var seconds = 0.0
        for pause in RetryPolicy.pausesSeconds {
            run.send(fails(0, .inputOutput))
            #expect(run.state.summary.foldersFailed == 0)
            run.send(.ticked(seconds))
            seconds += pause + 0.1
            #expect(hasListing(run.send(.ticked(seconds)), of: 0))
        }
        run.send(fails(0, .inputOutput))
        run.answerAll()
        #expect(run.state.summary.foldersFailed == 1 && run.state.isFinished)
    }

    @Test func permanentListingFailureIsCountedAtOnce() {
        let run = run(["a"])
        run.send(fails(0, .permissionDenied))
        #expect(run.state.summary.foldersFailed == 1)
        run.answerAll()
        #expect(run.state.isFinished)
    }

    @Test func stoppedRunDoesNotWaitForListingRetry() {
        let run = run(["a"])
        run.send(fails(0, .inputOutput))
        #expect(!run.state.isFinished)
        run.send(.stopRequested(.terminate))
        run.answerAll()
        #expect(run.state.isFinished)
    }
}
