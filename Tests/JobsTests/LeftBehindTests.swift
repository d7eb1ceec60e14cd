import Jobs
import Recordings
import ReducerKit
import TestSupport
import Testing

/// What becomes of the files of a recording that was done once and then fails.
@Suite struct LeftBehindTests {
    /// An earlier copy that a new run would not make.
    private var earlier: ManifestEntry {
        var entry = Example.doneEntry("a.wav")
        entry.trimmed = TrimmedFile(
            path: "a.wav", durationSeconds: 1, bytes: 2, sha256: "", edits: [])
        return entry
    }

    private func run(
        over previous: ManifestEntry, finding: ScannedFile.Finding,
        _ answer: ((ScriptedRun) -> Void) = { $0.answerAll() }
    ) throws -> ManifestOrder {
        let run = ScriptedRun(JobStore.Configuration())
        run.listings[""] = FolderListing(recordings: [
            ScannedFile(
                name: "a.wav", finding: finding, previous: Example.previousWork(previous))
        ])
        run.start()
        run.answerNext()
        answer(run)
        run.answerAll()
        return try #require(run.manifests.last)
    }

    private let changed = ScannedFile.Finding.file(FileStamp(bytes: 7, modifiedNanoseconds: 8))

    @Test func failedRecordingKeepsItsEarlierOutputs() throws {
        let order = try run(over: earlier, finding: changed) { run in
            run.send(.job(RecordingID(0), .failed(Example.failure(), measured: nil)))
        }
        #expect(order.entries.map(\.value.status) == [.failed])
        #expect(order.entries[0].value.leftBehind == earlier.outputs)
        #expect(order.entries[0].value.earlier == earlier.generations)
        #expect(order.superfluous.isEmpty)
    }

    @Test func inaccessibleRecordingKeepsItsEarlierOutputs() throws {
        let order = try run(over: earlier, finding: .failure(Example.failure(.permissionDenied)))
        #expect(order.entries[0].value.leftBehind == earlier.outputs)
        #expect(order.superfluous.isEmpty)
    }

    @Test func repeatedFailureKeepsEarlierOutputs() throws {
        var failed = ManifestEntry(name: "a.wav", status: .failed, source: Example.stamp)
        failed.failure = Example.failure()
        failed.leaveBehind(["a.wav", "a.wav.dat", "a.wav.json"], toldOf: earlier.generations)
        let order = try run(over: failed, finding: .failure(Example.failure(.permissionDenied)))
        #expect(order.entries[0].value.leftBehind == ["a.wav", "a.wav.dat", "a.wav.json"])
        // Of what was never told, nothing is known.
        #expect(order.entries[0].value.earlier == earlier.generations)
        #expect(earlier.generations.flatMap(\.names).sorted() == ["a.wav", "a.wav.dat"])
    }

    @Test func firstGenerationNamingAFileWins() {
        var later = earlier
        later.source = FileStamp(bytes: 5, modifiedNanoseconds: 6)
        later.trimmed = nil
        let all = later.generations + earlier.generations
        let told = all.telling(of: earlier.outputs)
        #expect(told.map(\.names) == [["a.wav.dat"], ["a.wav"]])
        #expect(told.map(\.source) == [later.source, earlier.source])
        #expect(all.telling(of: ["b.wav"]).isEmpty)
    }

    @Test func successfulRetryDeletesObsoleteOutputs() throws {
        var failed = ManifestEntry(name: "a.wav", status: .failed, source: Example.stamp)
        failed.failure = Example.failure()
        failed.leftBehind = ["a.wav.flac", "a.wav.dat"]
        let order = try run(over: failed, finding: changed)
        #expect(order.entries.map(\.value.status) == [.done])
        #expect(order.entries[0].value.leftBehind == nil)
        #expect(order.superfluous == ["a.wav.flac"])
    }

    // MARK: Of recordings that were gone

    private var gone: Leftovers { Leftovers(earlier) }

    /// It was once named by the manifest alone, over which the journal has the last word.
    @Test func returnedRecordingInheritsItsLeftovers() throws {
        var folder = Folder(path: "")
        folder.leave(gone)
        let before = try #require(folder.leftovers(of: nil, under: "a.wav"))
        #expect(before == gone && before.names == earlier.outputs)
        #expect(folder.leftovers(of: nil, under: "b.wav") == nil)
        let failed = Boxed(ManifestEntry(name: "a.wav", status: .failed, source: Example.stamp))
        let (entry, obsolete) = folder.outcome(of: failed, instead: before)
        #expect(entry.value.leftBehind == earlier.outputs && obsolete == [])
        let done = Boxed(Example.doneEntry("a.wav"))
        #expect(folder.outcome(of: done, instead: before).obsolete == ["a.wav"])
    }

    /// A manifest that named them no more, because it was written while they could not go, once
    /// left them to nobody.
    @Test func leftoversStayListedAfterManifestFailure() {
        let recipe = Boxed(Recipe())
        var folder = Folder(path: "")
        folder.leave(gone)
        #expect(folder.manifestOrder(recipe: recipe).superfluous == earlier.outputs.sorted())
        folder.takeBackManifest()
        let order = folder.manifestOrder(recipe: recipe, removes: false)
        #expect(order.entries.flatMap(\.value.outputs) == earlier.outputs)
        #expect(order.entries.flatMap(\.value.generations) == earlier.generations)
        #expect(order.superfluous == [])
        #expect(folder.manifestOrder(recipe: recipe).superfluous == earlier.outputs.sorted())
        folder.takeManifest()
        #expect(folder.manifestOrder(recipe: recipe).superfluous == [])
    }
}
