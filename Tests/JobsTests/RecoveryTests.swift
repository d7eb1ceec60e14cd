import Jobs
import Recordings
import ReducerKit
import TestSupport
import Testing

/// What the simulation has found: each once led to an output that was not what its manifest said,
/// or to work done twice.
@Suite struct RecoveryTests {
    private let stamp = FileStamp(bytes: 100, modifiedNanoseconds: 1)

    private func fact(
        _ name: Pathname, as digest: String, from temporary: Pathname = ".tapedeck.0.partial"
    ) -> JournalFact {
        var entry = Example.doneEntry(name)
        let output = name.adding(suffix: ".dat")
        entry.waveforms = [Example.waveform(output)]
        entry.waveforms?[0].sha256 = digest
        entry.recipe = Recipe()
        return JournalFact(
            folder: "", entry: entry, staged: [StagedFile(temporary: temporary, name: output)])
    }

    private func moves(
        _ facts: [JournalFact], finding digest: String, stamped stamp: FileStamp? = nil
    ) -> [Pathname] {
        EarlierResults.unfinishedMoves(
            in: EarlierFacts(facts).all, stamp: { _ throws(Never) in stamp ?? self.stamp },
            digest: { _ throws(Never) in digest }
        ).map(\.name)
    }

    @Test func stagedFileOfEarlierFactIsNotMoved() {
        let facts = [fact("a.wav", as: "old"), fact("a.wav", as: "new")]
        #expect(moves(facts, finding: "old") == [])
        #expect(moves(facts, finding: "new") == ["a.wav.dat"])
    }

    @Test func laterFactOwnsSharedTemporaryName() {
        let facts = [fact("a.wav", as: "same"), fact("b.wav", as: "same")]
        #expect(moves(facts, finding: "same") == ["b.wav.dat"])
    }

    @Test func stagedFileWithOtherTimestampIsNotMoved() {
        let other = FileStamp(bytes: 100, modifiedNanoseconds: 2)
        #expect(moves([fact("a.wav", as: "same")], finding: "same", stamped: other) == [])
    }

    @Test func stagedFileIsNotMovedToReassignedName() {
        var later = fact("a.wav.dat", as: "copy", from: ".tapedeck.1.partial")
        later.staged[0].name = "a.wav.dat"
        #expect(moves([fact("a.wav", as: "wave"), later], finding: "wave") == [])
    }

    @Test func entryIsDroppedWhenItsOutputIsReassigned() {
        var earlier = Example.doneEntry("a.wav")
        earlier.waveforms = [Example.waveform("b.wav.dat")]
        let manifest = Manifest(
            folder: "", recipe: Recipe(), recipeFingerprint: "", recordings: [earlier])
        let entries = EarlierResults.merge(
            manifest: EarlierManifest(manifest), facts: EarlierFacts([fact("b.wav", as: "b")]).all)
        #expect(entries.map(\.entry.name) == ["b.wav"])
        // Unless it has been given others since.
        let facts = [fact("a.wav", as: "a"), fact("b.wav", as: "b")]
        let both = EarlierResults.merge(
            manifest: EarlierManifest(manifest), facts: EarlierFacts(facts).all)
        #expect(both.map(\.entry.name) == ["a.wav", "b.wav"])
    }

    @Test func unmovedFileIsDiscardedAfterFailureIsJournaled() {
        var state = Commit.State()
        let staged = StagedFile(temporary: ".t", name: "a.wav.dat")
        let outcome = Commit.Outcome(
            id: RecordingID(0), folder: FolderID(0), path: "",
            entry: Boxed(Example.doneEntry("a.wav")), staged: [staged], replaced: ["a.wav.dat"])
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

    @Test func emptyJournalIsClosed() {
        let run = ScriptedRun()
        run.send(.started([.folder("")], journal: JournalContents(isThere: true)))
        run.answerNext()
        #expect(run.commands.contains(.closeJournal(keeping: [])))
    }

    @Test func sharedLeftoverIsListedOnce() {
        var folder = Folder(path: "")
        for name in ["a.wav", "a.wav.2"] as [Pathname] {
            var failed = ManifestEntry(name: name, status: .failed, source: Example.stamp)
            failed.leftBehind = ["a.wav.2.dat"]
            folder.settle(SettledEntry(failed))
        }
        let order = folder.manifestOrder(recipe: Boxed(Recipe()))
        #expect(order.entries.map(\.value.leftBehind) == [["a.wav.2.dat"], nil])
    }

    @Test func failedRecordingLeavesAllOutputsBehind() {
        var recipe = Recipe()
        recipe.waveform.samplesPerPixel = [256, 64]
        let before = Example.doneEntry("a.wav", recipe: recipe)
        let failed = ManifestEntry(name: "a.wav", status: .failed, source: nil)
        let (entry, obsolete) = Folder(path: "").outcome(
            of: Boxed(failed), instead: Leftovers(before))
        #expect(entry.value.leftBehind == ["a.wav.dat", "a.wav.64.dat"])
        #expect(obsolete == [])
    }

    @Test func redundantEntryRecipeIsRemovedFromManifest() {
        let run = ScriptedRun()
        var entry = Example.doneEntry("a.wav")
        entry.recipe = Recipe()
        run.listings[""] = FolderListing(recordings: [
            Example.scanned("a.wav", previous: Example.previousWork(entry))
        ])
        run.run()
        #expect(run.manifests.first?.entries.map(\.value.recipe) == [nil])
    }
}
