import Jobs
import Recordings
import ReducerKit
import TestSupport
import Testing

/// A job that builds on an earlier entry has it read from the record first.
@Suite struct RecallTests {
    private var recipe: Recipe {
        var recipe = Recipe()
        recipe.trim.fadeMilliseconds = 20
        return recipe
    }

    /// A run over a recording whose copy is stale, of which only the record has the whole entry.
    private func run(sha256: String? = nil) -> ScriptedRun {
        let run = ScriptedRun()
        var before = Example.doneEntry("a.wav", silence: Example.silence())
        before.sourceSHA256 = sha256
        run.record.put([before], by: recipe, in: "")
        run.listings[""] = FolderListing(recordings: [
            Example.scanned(
                "a.wav",
                previous: PreviousWork(entry: SettledEntry(before), recipe: Boxed(recipe)))
        ])
        return run
    }

    private func recalled(_ run: ScriptedRun) -> [RecordedPlace] {
        run.commands.compactMap {
            if case .job(_, .recall(let source)) = $0 {
                RecordedPlace(folder: source.folder, name: source.name)
            } else {
                nil
            }
        }
    }

    @Test func staleCopyIsMadeFromRecalledEntry() throws {
        let run = run()
        let summary = run.run()
        #expect(summary.done == 1 && run.listened.isEmpty && run.trimmed.count == 1)
        #expect(recalled(run) == [RecordedPlace(folder: "", name: "a.wav")])
        let entry = try #require(run.manifests.first?.entries.first)
        #expect(entry.levels == Example.levels() && entry.trimmed != nil)
    }

    /// Another recording has taken its names meanwhile, and its entry with them.
    @Test(arguments: [nil, "ab"])
    func lostEntryHasEverythingMadeAnew(sha256: String?) {
        let run = run(sha256: sha256)
        run.start()
        run.answerNext()
        run.send(.job(RecordingID(0), .recalled(nil)))
        run.answerAll()
        #expect(run.state.summary.done == 1)
        let all: Stages = sha256 == nil ? .all : [.all, .checksum]
        #expect(run.listened.map(\.stages) == [all.intersection(.listening)])
    }

    @Test func unreadableRecordStopsTheRun() {
        let run = run()
        run.start()
        run.answerNext()
        let failure = Example.failure(.inputOutput, in: .manifest)
        run.send(.job(RecordingID(0), .failed(failure, measured: nil)))
        run.answerAll()
        #expect(run.state.phase == .finished(.trouble(failure)))
        #expect(run.state.deepViolation == nil)
        run.store.finish()
    }

    @Test func failedRecordingRetainsOutputsOfRecalledEntry() {
        let run = run()
        run.listings[""]?.recordings[0].finding = .file(
            FileStamp(bytes: 7, modifiedNanoseconds: 7))
        run.start()
        run.answerNext()
        run.answerNext()
        run.send(.job(RecordingID(0), .failed(Example.failure(), measured: nil)))
        run.answerAll()
        #expect(run.recorded.map(\.entry.value.leftBehind) == [["a.wav.dat"]])
    }

    @Test func newRecordingRecallsNothing() {
        let run = ScriptedRun()
        run.listings[""] = FolderListing(recordings: [Example.scanned("a.wav")])
        run.run()
        #expect(recalled(run).isEmpty)
    }

    @Test func stoppedRunLeavesRecalledJobAlone() {
        let run = run()
        run.start()
        run.answerNext()
        run.send(.stopRequested(.terminate))
        run.send(.job(RecordingID(0), .recalled(Boxed(Example.doneEntry("a.wav")))))
        run.answerAll()
        #expect(run.state.phase == .finished(.terminate))
        #expect(run.listened.isEmpty && run.trimmed.isEmpty)
        #expect(run.state.deepViolation == nil)
    }
}
