import Jobs
import Recordings
import ReducerKit
import TestSupport
import Testing

/// What the simulation has found: each once led to an output that was not what its manifest said,
/// or to work done twice.
@Suite struct RecoveryTests {
    @Test func unmovedFileIsDiscardedAfterFailureIsRecorded() {
        var state = Commit.State()
        let staged = StagedFile(temporary: ".t", name: "a.wav.dat")
        let outcome = Commit.Outcome(
            id: RecordingID(0), folder: FolderID(0), path: "",
            entry: Boxed(Example.doneEntry("a.wav")), staged: [staged],
            previous: Boxed(Example.doneEntry("a.wav")))
        let failure = Example.failure(.permissionDenied, in: .waveform)
        let misplaced = Commit.Misplacement(id: RecordingID(0), failure: failure, landed: [])
        var landed: [Commit.Outcome] = []
        func send(_ action: Commit.Action) -> [Commit.Command] {
            var commands: [Commit.Command] = []
            landed += state.handle(action) { commands.append($0) }.landed
            return commands.filter { if case .discard = $0 { true } else { false } }
        }
        #expect(state.take(outcome) { _ in })
        let early = [
            .synced(1), .recorded(1), .published(1, [misplaced]), .synced(2), .recorded(2),
        ].flatMap(send)
        #expect(early == [])
        #expect(send(.published(2, [])) == [.discard(folder: "", [staged])])
        // What is there under the name is the earlier one.
        #expect(landed.first?.entry.value.leftBehind == ["a.wav.dat"])
    }

    @Test func retryIncrementsTheAttemptNumber() {
        let run = ScriptedRun()
        run.listings[""] = FolderListing(recordings: [Example.scanned("a.wav")])
        run.start()
        run.answerNext()
        let failure = Example.failure(.tooManyOpenFiles)
        run.send(.job(RecordingID(0), .failed(failure, measured: nil)))
        run.send(.ticked(0))
        run.send(.ticked(1))
        #expect(run.listened.map(\.attempt) == [0, 1])
    }

    @Test func failedRecordingLeavesAllOutputsBehind() {
        var recipe = Recipe()
        recipe.waveform.samplesPerPixel = [256, 64]
        let before = Example.doneEntry("a.wav", recipe: recipe)
        let failed = ManifestEntry(name: "a.wav", status: .failed, source: nil)
        let entry = failed.retainingOutputs(of: before)
        #expect(entry.leftBehind == ["a.wav.dat", "a.wav.64.dat"])
    }
}
