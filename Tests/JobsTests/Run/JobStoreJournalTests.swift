import Jobs
import Recordings
import ReducerKit
import TestSupport
import Testing

/// When the journal is put away, and what it keeps.
@Suite struct JobStoreJournalTests {
    private func listing(_ names: Pathname..., subfolders: [Pathname] = []) -> FolderListing {
        FolderListing(recordings: names.map { Example.scanned($0) }, subfolders: subfolders)
    }

    private func closings(_ run: ScriptedRun) -> [[Pathname]] {
        run.commands.compactMap {
            if case .closeJournal(let kept) = $0 { kept } else { nil }
        }
    }

    // MARK: The journal's end

    @Test func journalIsClosedOnceAfterLastManifest() {
        let run = ScriptedRun(JobStore.Configuration(jobLimit: 2))
        run.listings[""] = listing("a.wav", subfolders: ["sub"])
        run.listings["sub"] = listing("b.wav", "c.wav")
        run.run()
        #expect(closings(run) == [[]])
        let last = run.commands.lastIndex { if case .writeManifest = $0 { true } else { false } }
        let closing = run.commands.lastIndex(of: .closeJournal(keeping: []))
        #expect((last ?? .max) < (closing ?? .min))
        #expect(run.commands.last == .finish)
    }

    @Test func unusedJournalIsNotClosed() {
        let run = ScriptedRun()
        let gone = ScannedFile(
            name: "b.wav", finding: .failure(Example.failure(.vanished, in: .scan)))
        run.listings[""] = FolderListing(recordings: [
            Example.scanned("a.wav", previous: Example.previousWork(Example.doneEntry("a.wav"))),
            gone,
        ])
        run.run()
        #expect(run.manifests.count == 1)
        #expect(closings(run) == [])
    }

    @Test func dryRunDoesNotCloseTheJournal() {
        let run = ScriptedRun(JobStore.Configuration(isDryRun: true))
        run.listings[""] = listing("a.wav")
        run.listings[""]?.isRecovered = true
        run.send(.started([.folder("")], journal: JournalContents(folders: [""])))
        run.answerAll()
        #expect(run.state.isFinished && run.manifests.isEmpty)
        #expect(closings(run) == [])
    }

    @Test func recoveredResultsAreWrittenToManifest() {
        let run = ScriptedRun()
        var entry = Example.doneEntry("a.wav")
        entry.recipe = Recipe()
        let scanned = Example.scanned("a.wav", previous: Example.previousWork(entry))
        run.listings[""] = FolderListing(
            recordings: [scanned], isRecovered: true,
            obsolete: [Leftovers(["a.wav.json"], of: "a.wav", toldOf: [])])
        run.send(.started([.folder("")], journal: JournalContents(folders: [""])))
        run.answerAll()
        #expect(run.listened.isEmpty && run.recorded.isEmpty)
        #expect(run.manifests.map { $0.entries.map(\.value.name) } == [["a.wav"]])
        // It was made by the recipe of the folder.
        #expect(run.manifests.first?.entries.first?.value.recipe == nil)
        #expect(run.manifests.map(\.superfluous) == [["a.wav.json"]])
        #expect(closings(run) == [[]])
        #expect(run.state.isFinished && run.state.summary.upToDate == 1)
    }

    @Test func recoveredFolderWithoutRecordingsGetsAManifest() {
        let run = ScriptedRun()
        run.listings[""] = FolderListing(
            isRecovered: true, obsolete: [Leftovers(["a.wav.dat"], of: "a.wav", toldOf: [])])
        run.send(.started([.folder("")], journal: JournalContents(folders: [""])))
        run.answerAll()
        #expect(run.manifests.map(\.entries) == [[]])
        #expect(run.manifests.map(\.superfluous) == [["a.wav.dat"]])
        #expect(closings(run) == [[]])
    }

    @Test func damagedJournalLinesAreReportedAtStart() {
        let run = ScriptedRun()
        let contents = JournalContents(folders: ["x"], damagedLines: [3, 9])
        #expect(
            run.send(.started([.folder("")], journal: contents)).first
                == .announce(.journalDamaged(lines: [3, 9])))
    }

    /// Otherwise every later run would tell of them again.
    @Test func journalWithOnlyDamagedLinesIsClosed() {
        let run = ScriptedRun()
        run.send(.started([.folder("")], journal: JournalContents(damagedLines: [1])))
        run.answerAll()
        #expect(closings(run) == [[]])
        #expect(run.state.isFinished)
        let dry = ScriptedRun(JobStore.Configuration(isDryRun: true))
        dry.send(.started([.folder("")], journal: JournalContents(damagedLines: [1])))
        dry.answerAll()
        #expect(closings(dry) == [] && dry.state.isFinished)
    }

    @Test func journalCloseFailureIsReportedAndRunEnds() {
        let run = ScriptedRun()
        run.listings[""] = listing("a.wav")
        run.start()
        while run.pending.first?.due != .journal { run.answerNext() }
        let failure = Example.failure(.inputOutput, in: .manifest)
        #expect(
            run.send(.journalFailed(failure)) == [.announce(.journalFailed(failure)), .finish])
        #expect(run.state.phase == .finished(nil))
        run.store.finish()
    }

    // MARK: What it keeps

    /// A run over "a" and "b" that finds a journal of "a", "b/x" and "c".
    private func recoveringRun(_ targets: [FolderScan.Target]) -> ScriptedRun {
        let run = ScriptedRun()
        run.listings["a"] = FolderListing(
            recordings: [
                Example.scanned(
                    "1.wav", previous: Example.previousWork(Example.doneEntry("1.wav")))
            ], isRecovered: true)
        run.send(.started(targets, journal: JournalContents(folders: ["a", "b/x", "c"])))
        return run
    }

    @Test func journalKeepsUnvisitedFoldersAndDropsMissingOnes() {
        let run = recoveringRun([.folder("a"), .folder("b")])
        run.answerAll()
        // "b/x" would have been met if it were still there; "c" was not asked for.
        #expect(closings(run) == [["c"]])
        #expect(run.state.isFinished)
    }

    @Test func journalKeepsFolderOfUnseenRecording() {
        let run = recoveringRun([.recording(folder: "b/x", name: "1.wav"), .folder("a")])
        run.answerAll()
        #expect(closings(run) == [["b/x", "c"]])
    }

    @Test func journalKeepsOtherFoldersAfterAListingFailure() {
        let run = recoveringRun([.folder("a"), .folder("b")])
        run.answer(.listing(FolderID(0)))
        run.send(.scan(.failed(FolderID(1), Example.failure(.permissionDenied, in: .scan))))
        run.answerAll()
        #expect(closings(run) == [["b/x", "c"]])
    }

    @Test func interruptedRunKeepsUnvisitedFoldersInJournal() {
        let run = recoveringRun([.folder("a"), .folder("b")])
        run.answer(.listing(FolderID(0)))
        run.send(.stopRequested(.interrupt))
        run.answerAll()
        #expect(closings(run) == [["b/x", "c"]])
        #expect(run.state.phase == .finished(.interrupt))
    }

    @Test func journalKeepsFolderAfterManifestFailure() {
        let run = recoveringRun([.folder("a"), .folder("b"), .folder("c")])
        run.answer(.listing(FolderID(0)))
        let failure = Example.failure(.permissionDenied, in: .manifest)
        run.send(.manifestFailed(FolderID(0), failure))
        run.answerAll()
        #expect(closings(run) == [["a"]])
        #expect(run.state.summary.manifestsFailed == 1)
    }
}
